//! Chapter 25: bulk writes.

use mongo_odm::{BulkReport, Error, FailedOperation, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stand_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, String>,
    city: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stand_bikes")]
struct Bike {
    #[serde(rename = "_id")]
    id: Id<Bike, i32>,
    name: String,
    #[parent_ref]
    shop: Id<Shop, String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stand_repairs")]
struct Repair {
    #[serde(rename = "_id")]
    id: Id<Repair, i32>,
    #[parent_ref]
    bike: Id<Bike, i32>,
    state: String,
    #[version]
    #[serde(default)]
    version: i64,
}

async fn move_bikes(
    odm: &Odm,
    bikes: &[Id<Bike, i32>],
    from: Id<Shop, String>,
    to: &Shop,
) -> mongo_odm::Result<BulkReport> {
    let shop = Bike::fields().shop;
    let moved = |id: &Id<Bike, i32>| Bike::update(odm, *id).set(shop, to.id.clone());
    odm.bulk_write()
        .add(to.insert(odm))
        .add_all(bikes.iter().map(moved))
        .add(Shop::delete(odm, from))
        .await
}

async fn open_shops(odm: &Odm, shops: &[(Shop, Id<Bike, i32>)]) -> mongo_odm::Result<BulkReport> {
    let mut bulk = odm.bulk_write().unordered();
    for (shop, bike) in shops {
        let moved = Bike::update(odm, *bike).set(Bike::fields().shop, shop.id.clone());
        bulk = bulk.add(shop.insert(odm)).add(moved);
    }
    bulk.await
}

async fn finish(odm: &Odm, repairs: &[Repair]) -> mongo_odm::Result<Vec<usize>> {
    let state = Repair::fields().state;
    let finished = |repair: &Repair| {
        let update = Repair::update(odm, repair.id).set(state, "done");
        update.if_unchanged(repair)
    };
    let bulk = odm.bulk_write().unordered();
    match bulk.add_all(repairs.iter().map(finished)).await {
        Err(Error::BulkWrite { counts, failed, .. }) => {
            println!("{} finished", counts.modified);
            let is_old = |it: &&FailedOperation| matches!(*it.reason, Error::Conflict { .. });
            Ok(failed.iter().filter(is_old).map(|it| it.index).collect())
        }
        done => done.map(|_| Vec::new()),
    }
}

async fn replace_all(odm: &Odm, repairs: &[Repair]) -> mongo_odm::Result<BulkReport> {
    odm.transaction(async |tx| {
        let old = Repair::fields().state.eq("done");
        let bulk = tx.bulk_write().add(Repair::delete_many(&tx, old));
        bulk.add_all(repairs.iter().map(|repair| repair.insert(&tx)))
            .await
    })
    .await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let bike = |id| Bike {
        id: Id::from_key(id),
        name: format!("bike {id}"),
        shop: Id::from_key("station".into()),
    };
    Bike::insert_many(&odm, &[3, 4].map(bike)).await?;
    let shop = |(id, city): (&str, &str)| Shop {
        id: Id::from_key(id.into()),
        city: city.into(),
    };
    let [station, harbor, dock, mill] = [
        ("station", "Basel"),
        ("harbor", "Basel"),
        ("dock", "Bern"),
        ("mill", "Thun"),
    ]
    .map(shop);
    station.insert(&odm).await?;

    let bikes = [3, 4].map(Id::from_key);
    let moved = move_bikes(&odm, &bikes, station.id, &harbor);
    let counts = chapter.sends(&odm, moved).await?.counts;
    assert_eq!(
        (counts.inserted, counts.modified, counts.deleted),
        (1, 2, 1)
    );

    let shops = [(dock, bikes[0]), (mill, bikes[1])];
    let report = chapter.sends(&odm, open_shops(&odm, &shops)).await?;
    assert_eq!((report.counts.inserted, report.counts.modified), (2, 2));

    let repair = |id| Repair {
        id: Id::from_key(id),
        bike: Id::from_key(3),
        state: "new".into(),
        version: 0,
    };
    let first = repair(1).insert(&odm).returning().await?;
    let second = repair(2).insert(&odm).returning().await?;
    let state = Repair::fields().state;
    Repair::update(&odm, second.id)
        .set(state, "ordered")
        .await?;
    let stale = Repair::update(&odm, second.id).set(state, "done");
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(Repair::update(&odm, first.id).set(state, "old"));
    chapter.shows(bulk.add(stale.if_unchanged(&second)).await.unwrap_err());
    let first = first.reload(&odm).await?;
    assert_eq!(finish(&odm, &[first, second]).await?, [1]);

    let new = [3, 4].map(|id| Repair {
        bike: Id::from_key(id),
        ..repair(id)
    });
    let replaced = replace_all(&odm, &new);
    let report = chapter.sends(&odm, replaced).await?;
    assert_eq!((report.counts.inserted, report.counts.deleted), (2, 1));
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("25-bulk-writes", program).await;
}
