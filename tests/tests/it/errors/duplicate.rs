//! Documents that a unique index rejects. The error contains the index, its fields and their
//! values.

use mongo_odm::{
    Error, ErrorKind, Result,
    bson::{Bson, DateTime, Decimal128, Document, Uuid, oid::ObjectId},
    mongodb::{
        IndexModel,
        options::{Collation, IndexOptions},
    },
    prelude::*,
};
use odm_tests::{Harness, shop::*};

/// Asserts that the index of `Part.partno` has rejected a write.
#[track_caller]
fn is_refused<T: std::fmt::Debug>(written: Result<T>, partno: &str) {
    let error = written.unwrap_err();
    assert!(error.is_duplicate_key(), "{error:?}");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(error.server_code(), Some(11000));
    let error = match &error {
        Error::InsertMany { rejected, .. } => &*rejected[0].reason,
        error => error,
    };
    assert_eq!(
        error.to_string(),
        format!(
            "two documents of `parts` (`Part`) would have {{ partno: \"{partno}\" }}, which the unique \
             index `partno_1` forbids"
        )
    );
    let Error::DuplicateKey {
        model,
        collection,
        index,
        fields,
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(
        (*model, &**collection, &**index),
        (Some("Part"), "parts", "partno_1")
    );
    assert_eq!(**fields, doc! { "partno": partno });
}

#[tokio::test]
async fn every_write_names_index_and_value() {
    let t = Harness::new("errors_duplicate").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Part>().await.unwrap();
    let (first, other) = (part(1), part(2));
    t.given(&[first.clone(), other.clone()]).await;
    let mut again = part(1);
    again.id = Id::new();
    again.partno.clone_from(&first.partno);
    let partno = first.partno.as_str();
    let fields = Part::fields();

    is_refused(again.insert(odm).await, partno);
    is_refused(Part::insert_many(odm, [&part(3), &again]).await, partno);
    let unordered = Part::insert_many(odm, [&again, &part(4)]).unordered();
    is_refused(unordered.await, partno);
    is_refused(again.save(odm).await, partno);
    let inside = odm.transaction(async |tx| again.insert(&tx).await).await;
    is_refused(inside, partno);
    let set = Part::update(odm, other.id).set(fields.partno, &first.partno);
    is_refused(set.await, partno);
    let all = Part::update_many(odm, fields.id.eq(other.id)).set(fields.partno, &first.partno);
    is_refused(all.await, partno);
    let modify = Part::find_one_and_update(odm, fields.id.eq(other.id));
    is_refused(modify.set(fields.partno, &first.partno).await, partno);
    let upsert = Part::upsert(odm, fields.name.eq("another")).set(fields.partno, &first.partno);
    let rest = doc! { "$setOnInsert": { "qty": 1_i64, "cost": 1.0, "price": 1.0 } };
    is_refused(upsert.with(rest).await, partno);
}

#[tokio::test]
async fn an_index_that_cannot_be_made_names_what_is_there_twice() {
    let t = Harness::new("errors_duplicate_index").await;
    let (first, mut again) = (part(1), part(2));
    again.partno.clone_from(&first.partno);
    t.given(&[first.clone(), again]).await;
    let sync = t.odm.sync_indexes().only::<Part>().await;
    let Error::DuplicateKey { index, fields, .. } = sync.unwrap_err() else {
        panic!("another error")
    };
    assert_eq!(index, "partno_1");
    assert_eq!(*fields, doc! { "partno": first.partno });
}

/// Inserts a document twice, and returns the index and the values in the second error.
async fn twice(t: &Harness, document: &Document) -> (String, Document) {
    let things = t.database().collection("things");
    things.insert_one(document).await.unwrap();
    let error = things.insert_one(document).await.unwrap_err();
    things.delete_many(doc! {}).await.unwrap();
    match Error::from(error) {
        Error::DuplicateKey { index, fields, .. } => (index, *fields),
        other => panic!("{other:?}"),
    }
}

async fn unique(t: &Harness, keys: Document, options: IndexOptions) {
    let mut options = options;
    options.unique = Some(true);
    let index = IndexModel::builder().keys(keys).options(options).build();
    let things = t.database().collection("things");
    things.create_index(index).await.unwrap();
}

#[tokio::test]
async fn values_of_every_common_type_are_read_from_the_message_of_an_insert() {
    let t = Harness::new("errors_duplicate_types").await;
    unique(&t, doc! { "a": 1, "in.b": -1 }, IndexOptions::default()).await;
    let values: [Bson; 12] = [
        1.into(),
        Bson::Int64(5_000_000_000),
        1.5.into(),
        "plain".into(),
        "a \"quoted\" one, b: 7 }".into(),
        "".into(),
        ObjectId::new().into(),
        DateTime::from_millis(1_600_000_000_123).into(),
        Uuid::new().into(),
        true.into(),
        Bson::Null,
        "ü €".into(),
    ];
    for value in values {
        let document = doc! { "a": value.clone(), "in": { "b": "last" } };
        let (index, fields) = twice(&t, &document).await;
        assert_eq!(index, "a_1_in.b_-1");
        assert_eq!(fields, doc! { "a": value, "in.b": "last" });
    }
    let document = doc! { "a": "long ".repeat(200), "in": { "b": "last" } };
    let (_, fields) = twice(&t, &document).await;
    let cut = format!("{}...", "long ".repeat(30));
    assert_eq!(fields, doc! { "a": cut, "in.b": "last" });
    // Values that the server's message does not contain exactly.
    let nested = doc! { "x": 1, "y": [1, 2] };
    let (_, fields) = twice(&t, &doc! { "a": nested, "in": { "b": 7 } }).await;
    assert_eq!(fields, doc! { "a": "{ x: 1, y: [ 1, 2 ] }", "in.b": 7 });
    let decimal = "1.50".parse::<Decimal128>().unwrap();
    let (_, fields) = twice(&t, &doc! { "a": decimal, "in": { "b": 7 } }).await;
    assert_eq!(fields, doc! { "a": 1.5, "in.b": 7 });
}

#[tokio::test]
async fn an_index_with_a_collation_is_named() {
    let t = Harness::new("errors_duplicate_collation").await;
    let mut options = IndexOptions::default();
    options.name = Some("any case".to_owned());
    options.collation = Some(Collation::builder().locale("en").build());
    unique(&t, doc! { "name": 1 }, options).await;
    let (index, fields) = twice(&t, &doc! { "name": "Ann" }).await;
    assert_eq!(index, "any case");
    assert!(fields.contains_key("name"), "{fields}");
}

/// The server's message about the key of a clustered collection names no index.
#[tokio::test]
async fn the_id_of_a_clustered_collection_is_named() {
    let t = Harness::new("duplicate_clustered").await;
    let create =
        doc! { "create": "parts", "clusteredIndex": { "key": { "_id": 1 }, "unique": true } };
    t.odm.database().run_command(create).await.unwrap();
    let part = Part {
        id: Id::new(),
        partno: "123-aff-456".into(),
        name: "grommet".into(),
        qty: 94,
        cost: 0.94,
        price: 3.99,
    };
    part.insert(&t.odm).await.unwrap();
    let error = part.insert(&t.odm).await.unwrap_err();
    let Error::DuplicateKey {
        collection,
        index,
        fields,
        ..
    } = &error
    else {
        panic!("{error:?}");
    };
    assert_eq!((collection.as_str(), index.as_str()), ("parts", "_id_"));
    assert_eq!(**fields, doc! { "_id": part.id.key() });
}
