//! Upserts, which never insert a document that the model could not read.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Address {
    city: String,
    zip: String,
    floor: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Times {
    opened: i64,
}

/// A shop with all kinds of fields that may be missing, and some fields that must exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "upsert_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop>,
    #[serde(rename = "label")]
    name: String,
    #[embed]
    address: Address,
    owner: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(flatten)]
    #[embed]
    times: Times,
    #[serde(with = "mongo_odm::with::native")]
    since: Option<uuid::Uuid>,
}

/// A model with a default for every field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Model)]
#[serde(default)]
#[model(collection = "upsert_counters")]
struct Counter {
    #[serde(rename = "_id")]
    id: Id<Counter>,
    name: String,
    count: i64,
}

fn lacks(error: &Error) -> String {
    let text = error.to_string();
    let (_, rest) = text.split_once(" without ").expect("what it lacks");
    let (fields, _) = rest.split_once(", which").expect("the end of it");
    fields.to_owned()
}

#[tokio::test]
async fn an_upsert_that_leaves_out_what_the_struct_needs_is_refused() {
    let t = Harness::new("crud_upsert_lacks").await;
    let shop = Shop::fields();
    let all = "`label`, `address`, `opened`, `since`";
    let upsert = || Shop::upsert(&t.odm, shop.owner.eq("Ann".to_owned()));
    let lacking = [
        (upsert().set(shop.owner, None), all),
        (upsert().push(shop.tags, "new"), all),
        (upsert().with(doc! { "$unset": { "label": "" } }), all),
        (
            upsert().set(shop.name, "a").set(shop.address.city, "Bern"),
            "`address.zip`, `opened`, `since`",
        ),
        (
            upsert()
                .set(shop.name, "a")
                .set_on_insert(shop.times.opened, 1),
            "`address`, `since`",
        ),
        (
            Shop::upsert(&t.odm, shop.name.eq("a") & shop.address.zip.gt("1"))
                .inc(shop.times.opened, 1),
            "`address`, `since`",
        ),
    ];
    for (upsert, fields) in lacking {
        let planned = upsert.plan().unwrap_err();
        assert_eq!(lacks(&planned), fields);
    }
    let (error, sent) = t.sent(async { upsert().await.unwrap_err() }).await;
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(Shop::count(&t.odm).await.unwrap(), 0);
}

#[tokio::test]
async fn an_upsert_that_says_what_the_struct_needs_inserts_what_can_be_read() {
    let t = Harness::new("crud_upsert_whole").await;
    let shop = Shop::fields();
    let filter = shop.name.eq("a") & shop.address.city.eq("Bern");
    let upsert = Shop::upsert(&t.odm, filter)
        .set(shop.address.zip, "3000")
        .inc(shop.times.opened, 1)
        .set_on_insert(shop.since, None);
    upsert.await.unwrap();
    let read = Shop::find_one(&t.odm)
        .filter(shop.name.eq("a"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (
            &*read.address.city,
            &*read.address.zip,
            read.times.opened,
            read.since
        ),
        ("Bern", "3000", 1, None)
    );
    let address = Address {
        city: "Chur".to_owned(),
        zip: "7000".to_owned(),
        floor: None,
    };
    let whole = Shop::upsert(&t.odm, shop.address.eq(address)).set(shop.name, "b");
    let whole = whole.set(shop.times.opened, 2).set(shop.since, None);
    assert!(whole.await.unwrap().upserted_id.is_some());
    assert_eq!(Shop::find(&t.odm).await.unwrap().len(), 2);
    // The library cannot know which fields remain after a pipeline.
    let stage = vec![doc! { "$set": { "label": "c" } }];
    let pipeline = Shop::upsert(&t.odm, shop.name.eq("c")).modifications(stage);
    assert!(pipeline.await.unwrap().upserted_id.is_some());

    let counter = Counter::fields();
    let upsert = Counter::upsert(&t.odm, counter.name.eq("x")).inc(counter.count, 1);
    upsert.await.unwrap();
    assert_eq!(Counter::find(&t.odm).await.unwrap()[0].count, 1);
    Counter::update_many(&t.odm, doc! {})
        .unset(counter.name)
        .await
        .unwrap();
    assert_eq!(Counter::find(&t.odm).await.unwrap()[0].name, "");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "upsert_friends")]
struct Friend {
    #[serde(rename = "_id")]
    id: Id<Friend, i32>,
    name: String,
    #[refs(many, inverse = "friends")]
    friends: Vec<Id<Friend, i32>>,
}

#[tokio::test]
async fn an_upsert_needs_an_array_of_a_two_way_reference_between_arrays() {
    let t = Harness::new("upsert_friends").await;
    t.odm.sync_indexes().only::<Friend>().await.unwrap();
    let id = Id::from_key(1);
    let of = Friend::fields();
    let upsert = || Friend::upsert(&t.odm, of.id.eq(id)).set(of.name, "ann");
    let error = upsert().await.unwrap_err();
    assert_eq!(lacks(&error), "`friends`", "{error}");
    upsert().set(of.friends, Vec::new()).await.unwrap();
    assert_eq!(Friend::get(&t.odm, id).await.unwrap().friends, []);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "owner_type", content = "owner_id", rename_all = "lowercase")]
enum Owner {
    Friend(Id<Friend, i32>),
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Review {
    stars: i64,
}

/// A model with flattened fields that a document does not always contain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "upsert_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book>,
    title: String,
    #[serde(flatten)]
    #[refs(one, polymorphic)]
    owner: Owner,
    #[serde(flatten)]
    review: Option<Review>,
}

#[tokio::test]
async fn an_upsert_needs_no_key_for_a_flattened_kind_that_has_none() {
    let t = Harness::new("upsert_flattened_kind").await;
    let book = Book::fields();
    let upsert = || Book::upsert(&t.odm, book.title.eq("a")).set(book.review.stars, 3);
    let error = upsert().await.unwrap_err();
    assert_eq!(lacks(&error), "`owner_type`", "{error}");
    let nothing = upsert().with(doc! { "$set": { "owner_type": "nothing" } });
    assert!(nothing.await.unwrap().upserted_id.is_some());
    let found = Book::find_one(&t.odm).await.unwrap().unwrap();
    let review = Some(Review { stars: 3 });
    assert_eq!((found.owner, found.review), (Owner::Nothing, review));
}

#[tokio::test]
async fn an_upsert_does_not_need_the_fields_of_a_flattened_option() {
    let t = Harness::new("upsert_flattened").await;
    let book = Book::fields();
    let upsert = Book::upsert(&t.odm, book.title.eq("a"));
    let upsert = upsert.with(doc! { "$set": { "owner_type": "friend", "owner_id": 1 } });
    assert!(upsert.await.unwrap().upserted_id.is_some());
    let found = Book::find_one(&t.odm).await.unwrap().unwrap();
    assert_eq!(
        (found.owner, found.review),
        (Owner::Friend(Id::from_key(1)), None)
    );
}
