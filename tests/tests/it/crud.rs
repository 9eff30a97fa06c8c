//! The calls of a model, on the database and in a transaction.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{Error, Filter, mongodb::error::ErrorKind, prelude::*};
use odm_tests::{Harness, cluster::is_sharded, shop::*};

/// A model with a key that the application sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students")]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
    grade: i32,
}

fn student(id: &str, grade: i32) -> Student {
    Student {
        id: Id::from_key(id.to_owned()),
        name: format!("Student {id}"),
        grade,
    }
}

/// Five parts with a `qty` from 0 to 4 and one of two prices.
fn stock() -> Vec<Part> {
    let mut parts = parts(5);
    for (qty, part) in (0..).zip(&mut parts) {
        part.qty = qty;
        part.price = if qty % 2 == 0 { 1.5 } else { 2.5 };
    }
    parts
}

async fn all(odm: &impl Executor) -> Vec<Part> {
    Part::find(odm)
        .sort(Part::fields().partno.asc())
        .await
        .unwrap()
}

/// Runs the same assertions with `&odm` and with `&tx`.
macro_rules! both {
    ($(#[$attribute:meta])* $name:ident, $database:literal, $check:ident) => {
        #[tokio::test]
        async fn $name() {
            let t = Harness::new($database).await;
            let parts = stock();
            t.given(&parts).await;
            $check(&t, &t.odm, &parts).await;

            let t = Harness::new(concat!($database, "_tx")).await;
            t.given(&parts).await;
            t.odm
                .transaction(async |tx| {
                    $check(&t, &tx, &parts).await;
                    Ok(())
                })
                .await
                .unwrap();
        }
    };
}

mod upserts;
mod writes;

both!(get_finds_by_id_or_names_what_is_missing, "crud_get", get);

async fn get(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let (part, sent) = t
        .sent(async { Part::get(odm, parts[2].id).await.unwrap() })
        .await;
    assert_eq!(part, parts[2]);
    assert_eq!(sent, ["find"]);
    let borrowed = &parts[3].id;
    assert_eq!(Part::get(odm, borrowed).await.unwrap(), parts[3]);
    let name = Part::get(odm, parts[1].id)
        .select::<PartName>()
        .await
        .unwrap();
    assert_eq!(name.name, parts[1].name);

    let id = Id::<Part>::new();
    let error = Part::get(odm, id).await.unwrap_err();
    assert!(error.is_not_found());
    let expected = format!("no document in `parts` matches {{ _id: ObjectId(\"{id}\") }}");
    assert_eq!(error.to_string(), expected);
}

both!(find_filters_sorts_skips_and_limits, "crud_find", find);

async fn find(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let (found, sent) = t
        .sent(async {
            Part::find(odm)
                .filter(part.price.eq(1.5))
                .filter(part.qty.gt(0))
                .sort(part.qty.desc())
                .await
                .unwrap()
        })
        .await;
    assert_eq!(found, [parts[4].clone(), parts[2].clone()]);
    assert_eq!(sent, ["find"]);
    let found = Part::find(odm)
        .sort(part.price.desc())
        .sort(part.qty.asc())
        .skip(1)
        .limit(2)
        .await;
    assert_eq!(found.unwrap(), [parts[3].clone(), parts[0].clone()]);
    let then = Part::find(odm)
        .sort(part.price.desc().then(part.qty.desc()))
        .limit(1)
        .await;
    assert_eq!(then.unwrap(), [parts[3].clone()]);
    let names = Part::find(odm)
        .select::<PartName>()
        .sort(part.qty.asc())
        .limit(1)
        .await
        .unwrap();
    assert_eq!(
        names,
        [PartName {
            name: parts[0].name.clone()
        }]
    );
    let plain = Part::find(odm)
        .filter(part.qty.eq(1))
        .project::<mongo_odm::bson::Document>(doc! { "qty": 1, "_id": 0 });
    assert_eq!(plain.await.unwrap(), [doc! { "qty": 1_i64 }]);
    assert_eq!(Part::find(odm).filter(part.qty.gt(100)).await.unwrap(), []);
    assert_eq!(Part::find(odm).await.unwrap().len(), 5);
    assert_eq!(Part::find(odm).limit(0).await.unwrap().len(), 5);
}

both!(find_one_finds_the_first_or_none, "crud_find_one", find_one);

async fn find_one(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let cheap = || part.price.eq(1.5);
    let (found, sent) = t
        .sent(async {
            Part::find_one(odm)
                .filter(cheap())
                .sort(part.qty.desc())
                .await
                .unwrap()
        })
        .await;
    assert_eq!(found.as_ref(), Some(&parts[4]));
    assert_eq!(sent, ["find"]);
    assert_eq!(
        Part::find_one(odm).filter(part.qty.gt(100)).await.unwrap(),
        None
    );
    let both = Part::find_one(odm).filter(cheap()).filter(part.qty.lt(4));
    assert_eq!(
        both.sort(part.qty.desc()).await.unwrap().as_ref(),
        Some(&parts[2]),
        "a second filter is combined with the first"
    );
    let any = Part::find_one(odm).sort(part.qty.asc());
    assert_eq!(any.await.unwrap().as_ref(), Some(&parts[0]), "no filter");
    let second = Part::find(odm)
        .sort(part.qty.asc())
        .skip(1)
        .first()
        .await
        .unwrap();
    assert_eq!(second.as_ref(), Some(&parts[1]));
    assert_eq!(
        Part::find_one(odm)
            .filter(part.qty.eq(3))
            .require()
            .await
            .unwrap(),
        parts[3]
    );
    let name = Part::find_one(odm)
        .filter(part.qty.eq(3))
        .select::<PartName>()
        .require()
        .await
        .unwrap();
    assert_eq!(name.name, parts[3].name);
    let error = Part::find_one(odm)
        .filter(part.qty.gt(100))
        .require()
        .await
        .unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(
        error.to_string(),
        "no document in `parts` matches { qty: { $gt: NumberLong(\"100\") } }"
    );
}

both!(
    a_stream_and_its_batches_bring_every_document,
    "crud_stream",
    stream
);

async fn stream(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let by_qty = || Part::find(odm).sort(Part::fields().qty.asc());
    let (streamed, sent) = t
        .sent(async { by_qty().stream().try_collect::<Vec<_>>().await.unwrap() })
        .await;
    assert_eq!(streamed, parts);
    assert_eq!(sent, ["find"]);
    let batches: Vec<Vec<Part>> = by_qty().batches(2).try_collect().await.unwrap();
    assert_eq!(batches, [&parts[..2], &parts[2..4], &parts[4..]]);
    let batches: Vec<Vec<Part>> = by_qty().batches(0).try_collect().await.unwrap();
    assert_eq!(batches.len(), 5, "a batch holds at least one document");
    let mut stream = pin!(by_qty().stream());
    assert_eq!(stream.try_next().await.unwrap().as_ref(), Some(&parts[0]));
}

both!(
    count_exists_and_distinct_look_at_matching_documents,
    "crud_count",
    count
);

async fn count(t: &Harness, odm: &impl Executor, _: &[Part]) {
    let part = Part::fields();
    let (counted, sent) = t.sent(async { Part::count(odm).await.unwrap() }).await;
    assert_eq!(counted, 5);
    assert_eq!(sent, ["aggregate"]);
    assert_eq!(
        Part::count(odm).filter(part.price.eq(2.5)).await.unwrap(),
        2
    );
    assert_eq!(
        Part::count(odm)
            .filter(part.price.eq(1.5))
            .limit(2)
            .await
            .unwrap(),
        2
    );
    assert_eq!(
        Part::find(odm)
            .filter(part.qty.gte(1))
            .skip(1)
            .count()
            .await
            .unwrap(),
        3
    );
    assert_eq!(
        Part::find(odm).limit(0).count().await.unwrap(),
        5,
        "no limit"
    );

    let (any, sent) = t
        .sent(async { Part::exists(odm).filter(part.qty.eq(3)).await.unwrap() })
        .await;
    assert!(any);
    assert_eq!(sent, ["find"]);
    assert!(!Part::exists(odm).filter(part.qty.eq(30)).await.unwrap());
    assert!(Part::exists(odm).await.unwrap(), "no filter");
    let both = Part::exists(odm)
        .filter(part.price.eq(2.5))
        .filter(part.qty.eq(4));
    assert!(
        !both.await.unwrap(),
        "a second filter is combined with the first"
    );
    assert!(
        Part::find(odm)
            .filter(part.qty.eq(3))
            .exists()
            .await
            .unwrap()
    );

    let (mut prices, sent) = t
        .sent(async { Part::distinct(odm, part.price).await.unwrap() })
        .await;
    prices.sort_by(f64::total_cmp);
    assert_eq!(prices, [1.5, 2.5]);
    if !is_sharded() {
        assert_eq!(sent, ["distinct"]);
    }
    let few = Part::distinct(odm, part.price)
        .filter(part.qty.eq(1))
        .await
        .unwrap();
    assert_eq!(few, [2.5]);
}

#[tokio::test]
async fn distinct_lists_the_elements_of_an_array() {
    let t = Harness::new("crud_distinct_each").await;
    let parts = parts(3);
    t.given(&[
        product(1, [&parts[0], &parts[1]]),
        product(2, [&parts[1], &parts[2]]),
    ])
    .await;
    let mut ids = Product::distinct(&t.odm, Product::fields().parts.each())
        .await
        .unwrap();
    ids.sort();
    let mut expected: Vec<_> = parts.iter().map(|part| part.id).collect();
    expected.sort();
    assert_eq!(ids, expected);
    let error = Product::distinct(&t.odm, Product::fields().parts)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    let reason = "elements of the array `Product.parts`; call `each()` on the field";
    assert!(error.to_string().contains(reason), "{error}");
}

#[derive(Debug, PartialEq, Deserialize)]
struct Stock {
    #[serde(rename = "_id")]
    price: f64,
    qty: i64,
}

both!(
    an_aggregation_is_decoded_as_the_type_that_was_asked_for,
    "crud_aggregate",
    aggregate
);

async fn aggregate(t: &Harness, odm: &impl Executor, _: &[Part]) {
    let by_price = || {
        [
            doc! { "$group": { "_id": "$price", "qty": { "$sum": "$qty" } } },
            doc! { "$sort": { "_id": 1 } },
        ]
    };
    let expected = [Stock { price: 1.5, qty: 6 }, Stock { price: 2.5, qty: 4 }];
    let (stock, sent) = t
        .sent(async { Part::aggregate::<Stock>(odm, by_price()).await.unwrap() })
        .await;
    assert_eq!(stock, expected);
    assert_eq!(sent, ["aggregate"]);
    let streamed = Part::aggregate::<Stock>(odm, by_price()).options(|options| {
        options.batch_size = Some(1);
    });
    let streamed: Vec<Stock> = streamed.stream().try_collect().await.unwrap();
    assert_eq!(streamed, expected);
}

#[tokio::test]
async fn a_transaction_sees_its_own_writes_and_nobody_else_does_before_the_commit() {
    let t = Harness::new("crud_isolation").await;
    let parts = stock();
    t.given(&parts).await;
    let fresh = part(9);
    let fields = Part::fields();
    t.forget();
    t.odm
        .transaction(async |tx| {
            fresh.insert(&tx).await?;
            Part::update(&tx, parts[0].id).set(fields.qty, 50).await?;
            Part::delete(&tx, parts[1].id).await?;
            assert_eq!(Part::count(&tx).await?, 5);
            assert_eq!(Part::get(&tx, parts[0].id).await?.qty, 50);
            assert!(
                Part::exists(&tx)
                    .filter(fields.partno.eq(&fresh.partno))
                    .await?
            );
            assert!(
                Part::find_one(&tx)
                    .filter(fields.partno.eq(&parts[1].partno))
                    .await?
                    .is_none()
            );

            assert_eq!(all(tx.odm()).await, parts);
            assert!(
                Part::get(&t.odm, fresh.id)
                    .await
                    .unwrap_err()
                    .is_not_found()
            );
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    assert_eq!(Part::get(&t.odm, parts[0].id).await.unwrap().qty, 50);
    assert_eq!(Part::get(&t.odm, fresh.id).await.unwrap(), fresh);
    assert!(
        Part::get(&t.odm, parts[1].id)
            .await
            .unwrap_err()
            .is_not_found()
    );
}

#[tokio::test]
async fn a_key_of_any_type_is_never_read_as_an_operator() {
    let t = Harness::new("crud_any_key").await;
    let student = student("S1", 1);
    student.insert(&t.odm).await.unwrap();
    let any = Id::from_key(mongo_odm::AnyKey(doc! { "$gt": "" }.into()));
    let error = Loose::get(&t.odm, any.clone()).await.unwrap_err();
    assert!(error.is_not_found(), "{error:?}");
    assert_eq!(Loose::delete(&t.odm, &any).await.unwrap().deleted, 0);
    let s1 = Id::from_key(mongo_odm::AnyKey("S1".into()));
    assert_eq!(Loose::get(&t.odm, &s1).await.unwrap().name, "Student S1");
}

/// The students, read with ids of any type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students")]
struct Loose {
    #[serde(rename = "_id")]
    id: Id<Loose, mongo_odm::AnyKey>,
    name: String,
}
