//! Chapter 6: reads and updates of one model.

use futures_util::TryStreamExt;
use mongo_odm::{
    UpdateReport,
    action::{Page, PageToken, Scored, UpsertReport},
    bson::Document,
    field::{Changeable, FieldOf},
    geo::Point,
    prelude::*,
};
use odm_guide::{Chapter, run};
use tokio::task::JoinHandle;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "rent_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, String>,
    city: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Review {
    by: String,
    stars: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "rent_bikes", index(keys(price = 1, id = 1)))]
struct Bike {
    #[serde(rename = "_id")]
    id: Id<Bike, i32>,
    name: String,
    #[parent_ref]
    shop: Id<Shop, String>,
    price: i32,
    free: i32,
    tags: Vec<String>,
    #[embed(max = 100)]
    reviews: Vec<Review>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "rent_rentals")]
struct Rental {
    #[serde(rename = "_id")]
    id: Id<Rental, i32>,
    #[parent_ref]
    bike: Id<Bike, i32>,
    days: i32,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "rent_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i32>,
    text: String,
    #[created_by]
    author: String,
    #[updated_by]
    editor: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "rent_contracts")]
struct Contract {
    #[serde(rename = "_id")]
    id: Id<Contract, i32>,
    text: String,
    #[version]
    #[serde(default)]
    version: i64,
}

#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Review")]
struct Stars {
    stars: i32,
}

#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Bike")]
struct BikeLine {
    name: String,
    price: i32,
    #[embed]
    reviews: Vec<Stars>,
}

async fn find_words(odm: &Odm, words: &str) -> mongo_odm::Result<Vec<String>> {
    let found = Trip::find(odm)
        .text(words)
        .by_score()
        .with_score()
        .limit(10);
    let line = |trip: Scored<Trip>| format!("{:.2} {}", trip.score, trip.document.title);
    Ok(found.await?.into_iter().map(line).collect())
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "rent_trips",
    index(keys(title = "text", note = "text")),
    index(keys(start = "2dsphere"))
)]
struct Trip {
    #[serde(rename = "_id")]
    id: Id<Trip, i32>,
    title: String,
    note: String,
    start: Point,
    bike: Id<Bike, i32>,
    km: f64,
}

async fn nearby(odm: &Odm, here: Point) -> mongo_odm::Result<Vec<Trip>> {
    let near = Trip::fields().start.near(here);
    Trip::find(odm)
        .filter(near.max_distance_meters(5_000.0))
        .await
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Usage {
    bike: Id<Bike, i32>,
    trips: i64,
    km: f64,
    longest: f64,
}

async fn usage(odm: &Odm) -> mongo_odm::Result<Vec<Usage>> {
    let trip = Trip::fields();
    Trip::group_into::<Usage>(odm)
        .filter(trip.km.gt(0.0))
        .by(|usage| usage.bike, trip.bike)
        .count(|usage| usage.trips)
        .sum(|usage| usage.km, trip.km)
        .max(|usage| usage.longest, trip.km)
        .having(|usage| usage.trips.gte(2))
        .sort(|usage| usage.km.desc())
        .await
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let shop = |(id, city): (&str, &str)| Shop {
        id: Id::from_key(id.into()),
        city: city.into(),
    };
    Shop::insert_many(odm, &[("lake", "Bern"), ("station", "Basel")].map(shop)).await?;
    let bike = |id, name: &str, shop: &str, price, free, tags: &[&str]| Bike {
        id: Id::from_key(id),
        name: name.into(),
        shop: Id::from_key(shop.into()),
        price,
        free,
        tags: tags.iter().map(|tag| (*tag).into()).collect(),
        reviews: Vec::new(),
        note: None,
    };
    let mut bikes = [
        bike(1, "city bike", "lake", 12, 3, &["city"]),
        bike(2, "tandem", "lake", 25, 0, &["tour"]),
        bike(3, "cargo bike", "station", 40, 1, &["city", "electric"]),
        bike(4, "kid's bike", "station", 12, 2, &["city"]),
    ];
    bikes[0].reviews.push(Review {
        by: "ann".into(),
        stars: 5,
    });
    Bike::insert_many(odm, &bikes).await?;
    Ok(())
}

async fn store_trips(odm: &Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Trip>().await?;
    let trip = |(id, title, longitude, bike, km): (i32, &str, f64, i32, f64)| Trip {
        id: Id::from_key(id),
        title: title.into(),
        note: String::new(),
        start: Point::new(longitude, 46.95).unwrap(),
        bike: Id::from_key(bike),
        km,
    };
    let trips = [
        (1, "lake in the city", 7.44, 1, 5.0),
        (2, "round the lake", 7.45, 1, 12.5),
        (3, "up the hill", 8.0, 2, 3.0),
    ];
    Trip::insert_many(odm, &trips.map(trip)).await?;
    Ok(())
}

fn filters() -> [Filter<Bike>; 9] {
    let bike = Bike::fields();
    [
        bike.price.gte(10) & bike.price.lt(20),
        bike.price.is_in([12, 25]) | !bike.free.eq(0),
        bike.name.contains("bike"),
        bike.name.matches("^CITY", "i"),
        bike.note.is_missing(),
        bike.tags.contains("city"),
        bike.tags.contains_all(["city", "electric"]),
        bike.reviews.stars.gt(3),
        bike.reviews
            .elem_match(|review| review.by.eq("ann") & review.stars.gt(3)),
    ]
}

async fn find_each(odm: &Odm) -> mongo_odm::Result<()> {
    for filter in filters() {
        assert!(!Bike::find(odm).filter(filter).await?.is_empty());
    }
    Ok(())
}

async fn search(odm: &Odm, tag: Option<&str>, most: Option<i32>) -> mongo_odm::Result<Vec<Bike>> {
    let bike = Bike::fields();
    let filter = bike
        .free
        .gt(0)
        .and_if(tag, |tag| bike.tags.contains(tag))
        .and_if(most, |most| bike.price.lte(most));
    Bike::find(odm)
        .filter(filter)
        .sort(bike.price.asc().then(bike.name.asc()))
        .limit(20)
        .await
}

async fn read(odm: &Odm, id: Id<Bike, i32>) -> mongo_odm::Result<()> {
    let bike = Bike::fields();
    let one = Bike::get(odm, id).await?;
    let dearest = Bike::find_one(odm).sort(bike.price.desc()).await?;
    let count = Bike::count(odm).filter(bike.tags.contains("city")).await?;
    let is_free = Bike::exists(odm).filter(bike.free.gt(0)).await?;
    let tags = Bike::distinct(odm, bike.tags.each()).await?;
    println!("{} {dearest:?} {count} {is_free} {tags:?}", one.name);
    Ok(())
}

async fn page(odm: &Odm, token: Option<PageToken>) -> mongo_odm::Result<Page<BikeLine>> {
    Bike::find(odm)
        .sort(Bike::fields().price.asc())
        .select::<BikeLine>()
        .page(3)
        .after(token)
        .await
}

async fn numbered(odm: &Odm) -> mongo_odm::Result<Option<u64>> {
    let all = Bike::find(odm).sort(Bike::fields().price.asc());
    let page = all.page(3).with_total().await?;
    Ok(page.total)
}

async fn export(odm: &Odm) -> mongo_odm::Result<()> {
    let handle = odm.clone();
    let join = move |bikes: &[Bike]| Bike::join_shop(bikes, &handle);
    let mut batches = std::pin::pin!(Bike::find(odm).join_batches(1_000, join));
    while let Some((bikes, shops)) = batches.try_next().await? {
        for bike in &bikes {
            let city = shops.one_of(bike).map(|shop| &shop.city);
            println!("{}: {city:?}", bike.name);
        }
    }
    Ok(())
}

async fn repair(odm: &Odm, id: Id<Bike, i32>) -> mongo_odm::Result<UpdateReport> {
    let bike = Bike::fields();
    Bike::update(odm, id)
        .set(bike.note, "new tyres")
        .inc(bike.free, 1)
        .add_to_set(bike.tags, "winter")
        .await
}

async fn rent(odm: &Odm, id: Id<Bike, i32>) -> mongo_odm::Result<bool> {
    let free = Bike::fields().free;
    let report = Bike::update(odm, id)
        .filter(free.gt(0))
        .inc(free, -1)
        .await?;
    Ok(report.matched == 1)
}

async fn count_all<M: Model>(odm: Odm) -> mongo_odm::Result<u64> {
    M::count(&odm).await
}

fn count_in_background(odm: &Odm) -> JoinHandle<mongo_odm::Result<u64>> {
    tokio::spawn(count_all::<Bike>(odm.clone()))
}

async fn add<M, F>(odm: &Odm, id: M::Id, field: F, by: i32) -> mongo_odm::Result<UpdateReport>
where
    M: Model,
    F: FieldOf<M, Value = i32> + Changeable<M>,
{
    M::update(odm, id).inc(field, by).await
}

async fn change(odm: &Odm) -> mongo_odm::Result<UpsertReport> {
    let bike = Bike::fields();
    // All that match.
    Bike::update_many(odm, bike.tags.contains("electric"))
        .inc(bike.price, 2)
        .await?;
    // The first that matches, and the document after the update.
    let cheapest = Bike::find_one_and_update(odm, bike.free.gt(0))
        .sort(bike.price.asc().then(bike.id.asc()))
        .inc(bike.free, -1)
        .return_new()
        .await?;
    println!("{cheapest:?}");
    // Insert or update.
    Shop::upsert(odm, Shop::fields().id.eq(Id::from_key("hill".into())))
        .set(Shop::fields().city, "Bern")
        .await
}

async fn shop_in(odm: &Odm, name: &str) -> mongo_odm::Result<bool> {
    let new = Shop {
        id: Id::from_key(name.to_owned()),
        city: "Bern".to_owned(),
    };
    let shop = Shop::get_or_create(odm, Shop::fields().id.eq(&new.id), &new).await?;
    println!("{}", shop.document.city);
    Ok(shop.is_created)
}

async fn extend(odm: &Odm, mut rental: Rental) -> mongo_odm::Result<()> {
    rental.insert(odm).await?;
    let days = Rental::fields().days;
    Rental::update(odm, rental.id).inc(days, 1).await?;
    rental.days = 7;
    rental.save(odm).await?;
    Ok(())
}

async fn correct(odm: &Odm, note: Note) -> mongo_odm::Result<()> {
    note.insert(&odm.acting_as("tove")).await?;
    let text = Note::fields().text;
    Note::update(&odm.acting_as("lars"), note.id)
        .set(text, "flat tire")
        .await?;
    Ok(())
}

async fn change_text(odm: &Odm, id: Id<Contract, i32>) -> mongo_odm::Result<()> {
    let mut contract = Contract::get(odm, id).await?;
    contract.text = "two weeks".into();
    // Without `returning`, the struct keeps the version with which it was loaded.
    contract = contract.save(odm).returning().await?;
    Contract::update(odm, id)
        .set(Contract::fields().text, "three weeks")
        .if_unchanged(&contract)
        .await?;
    // This update does not check the version, but increments it.
    Contract::update(odm, id)
        .set(Contract::fields().text, "four weeks")
        .await?;
    contract.save(odm).await?;
    Ok(())
}

async fn correct_text(odm: &Odm, id: Id<Contract, i32>, seen: i64) -> mongo_odm::Result<Contract> {
    Contract::update(odm, id)
        .set(Contract::fields().text, "five weeks")
        .if_version(seen)
        .returning()
        .await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Bike>().await?;
    store(&odm).await?;
    chapter.stores(&odm, "rent_bikes").await?;
    let id = Id::from_key(1);

    let found = search(&odm, Some("city"), None);
    let found = chapter.sends(&odm, found).await?;
    let found: Vec<&str> = found.iter().map(|bike| bike.name.as_str()).collect();
    assert_eq!(found, ["city bike", "kid's bike", "cargo bike"]);
    chapter.sends(&odm, find_each(&odm)).await?;
    chapter.sends(&odm, read(&odm, id)).await?;
    chapter.shows(Bike::get(&odm, Id::from_key(9)).await.unwrap_err());

    store_trips(&odm).await?;
    let lines = chapter.sends(&odm, find_words(&odm, "lake city")).await?;
    chapter.shows(lines.join("\n"));
    let bern = Point::new(7.44, 46.95).unwrap();
    let near = chapter.sends(&odm, nearby(&odm, bern)).await?;
    assert_eq!(near.len(), 2);
    let rows = chapter.sends(&odm, usage(&odm)).await?;
    assert_eq!((rows.len(), rows[0].trips, rows[0].km), (1, 2, 17.5));
    assert_eq!((rows[0].bike, rows[0].longest), (id, 12.5));

    let first = chapter.sends(&odm, page(&odm, None)).await?;
    let cheap = Bike {
        id: Id::from_key(0),
        price: 1,
        ..Bike::get(&odm, id).await?
    };
    cheap.insert(&odm).await?;
    let token = first.next.unwrap().to_string();
    let second = page(&odm, Some(token.parse()?));
    let second = chapter.sends(&odm, second).await?;
    let names = second.items.iter().map(|bike| bike.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["cargo bike"]);
    assert!(second.next.is_none());
    Bike::delete(&odm, cheap.id).await?;
    assert_eq!(first.items[0].reviews[0].stars, 5);
    assert_eq!(first.items[0].price, 12);

    assert_eq!(numbered(&odm).await?, Some(Bike::count(&odm).await?));

    chapter.sends(&odm, export(&odm)).await?;

    let report = chapter.sends(&odm, repair(&odm, id)).await?;
    assert_eq!((report.matched, report.modified), (1, 1));
    assert!(!rent(&odm, Id::from_key(2)).await?);
    assert!(chapter.sends(&odm, rent(&odm, id)).await?);
    let counted = count_in_background(&odm).await.unwrap()?;
    assert_eq!(counted, Bike::count(&odm).await?);
    let spawned = odm.clone();
    let added = tokio::spawn(async move { add(&spawned, id, Bike::fields().free, 0).await });
    assert_eq!(added.await.unwrap()?.matched, 1);
    let report = chapter.sends(&odm, change(&odm)).await?;
    assert!(report.upserted_id.is_some());
    assert!(chapter.sends(&odm, shop_in(&odm, "dock")).await?);
    assert!(!shop_in(&odm, "dock").await?);

    // 27 November 2026, 9:00.
    let time = DateTime::from_millis(1_795_770_000_000);
    let clocked = odm.with_settings(odm.settings().clone().clock(move || time));
    let rental = Rental {
        id: Id::from_key(1),
        bike: id,
        days: 1,
        created: time,
        updated: time,
    };
    chapter.sends(&clocked, extend(&clocked, rental)).await?;

    let note = Note {
        id: Id::from_key(1),
        text: "flat tyre".into(),
        author: String::new(),
        editor: None,
    };
    chapter.sends(&odm, correct(&odm, note)).await?;

    let contract = Contract {
        id: Id::from_key(1),
        text: "one week".into(),
        version: 0,
    };
    contract.insert(&odm).await?;
    let changed = chapter.sends(&odm, async {
        let changed = change_text(&odm, contract.id).await;
        Ok(changed.unwrap_err())
    });
    let conflict = changed.await?;
    chapter.shows(conflict);
    let corrected = correct_text(&odm, contract.id, 4);
    let corrected = chapter.sends(&odm, corrected).await?;
    assert_eq!(corrected.text, "five weeks");
    assert_eq!(corrected.version, 5);

    chapter
        .sends(&odm, async {
            let electric = Bike::fields().tags.contains("electric");
            let report = Bike::delete_many(&odm, electric).dry_run().await?;
            println!("{} bikes", report.deleted);
            Ok(())
        })
        .await?;
    assert_eq!(Bike::count(&odm).await?, 4);

    let broken = doc! { "_id": 5, "name": "unicycle", "shop": "lake", "price": "cheap" };
    let bikes = odm.database().collection::<Document>("rent_bikes");
    bikes.insert_one(broken).await?;
    chapter.shows(Bike::find(&odm).await.unwrap_err());
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("06-queries-and-updates", program).await;
}
