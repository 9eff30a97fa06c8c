//! `observe` reports the statements that the driver sends for the observed block, and no others.

use std::panic::AssertUnwindSafe;

use futures_util::{FutureExt, TryStreamExt};
use mongo_odm::{Error, Observed, Settings, assert_round_trips, bson::doc, prelude::*};
use odm_tests::{Harness, shop::*};

/// Checks that the handle observes the same statements as the driver, and returns the observation.
async fn compared<T>(t: &Harness, block: impl Future<Output = T>) -> Observed<T> {
    t.forget();
    let observed = t.odm.observe(block).await;
    let mut sent = t.all_names();
    let mut seen = observed.names();
    // Two ranges of a join are sent concurrently, so their order is undefined.
    sent.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, sent, "\n{observed}\n{}", t.recorder());
    assert_eq!(observed.round_trips(), sent.len());
    observed
}

async fn products(t: &Harness, many: usize) -> Vec<Product> {
    let parts = parts(i64::try_from(many + 2).unwrap());
    let products: Vec<_> = (0..many)
        .map(|at| product(i64::try_from(at).unwrap(), &parts[at..at + 2]))
        .collect();
    t.given(&parts).await;
    t.given(&products).await;
    products
}

#[tokio::test]
async fn every_statement_of_a_join_is_seen_with_its_relation_and_line() {
    let t = Harness::new("observe_join").await;
    let products = products(&t, 10).await;
    let line = line!() + 2;
    let observed = compared(&t, async {
        Product::join_parts(&products, &t.odm).await.unwrap()
    })
    .await;
    let [find] = &*observed.sent else {
        panic!("{observed}")
    };
    assert_eq!((find.command, find.model), ("find", Some("Part")));
    assert_eq!(find.collection.as_deref(), Some("parts"));
    assert_eq!(find.relation, Some("Product.parts"));
    assert_eq!((find.documents, find.is_round_trip), (Some(11), true));
    assert!(find.duration.is_some() && find.error.is_none());
    assert_eq!(
        find.at.map(|at| (at.file(), at.line())),
        Some((file!(), line))
    );
    let plan = Product::join_parts(&products, &t.odm).plan().unwrap();
    assert_eq!(plan.statements, [find.statement.clone()]);
}

#[tokio::test]
async fn ranges_batches_and_streams_are_seen() {
    let t = Harness::new("observe_ranges").await;
    let products = products(&t, 150).await;
    let split = t.odm.with_settings(Settings::default().split_from(2));
    let ranges = compared(&t, async {
        Product::join_parts(&products, &split).await.unwrap();
    });
    let ranges = ranges.await;
    assert!(ranges.sent.len() > 1, "{ranges}");
    assert!(
        ranges
            .sent
            .iter()
            .all(|it| it.relation == Some("Product.parts"))
    );

    let stream = compared(&t, async {
        Part::find(&t.odm)
            .stream()
            .try_collect::<Vec<_>>()
            .await
            .unwrap()
    });
    let stream = stream.await;
    assert_eq!(stream.names(), ["find", "getMore"]);
    let documents: Vec<_> = stream.sent.iter().map(|it| it.documents).collect();
    assert_eq!(documents, [Some(101), Some(51)]);

    let in_tx = compared(&t, async {
        let all = t.odm.transaction(async |tx| {
            let all = Part::find(&tx).options(|it| it.batch_size = Some(60));
            all.stream().try_collect::<Vec<_>>().await
        });
        all.await.unwrap()
    });
    let names = in_tx.await.names();
    assert_eq!(names, ["find", "getMore", "getMore", "commitTransaction"]);
}

#[tokio::test]
async fn writes_transactions_and_failures_are_seen() {
    let t = Harness::new("observe_writes").await;
    let fields = Part::fields();
    let mut part = part(1);
    let _ = compared(&t, part.insert(&t.odm).into_future()).await;
    let twice = compared(&t, part.insert(&t.odm).into_future()).await;
    assert!(twice.sent[0].error.is_some(), "{twice}");
    part.name = "other".into();
    let _ = compared(&t, part.save(&t.odm).into_future()).await;
    let update = Part::update(&t.odm, part.id).set(fields.qty, 7);
    let update = compared(&t, update.into_future()).await;
    assert_eq!(update.sent[0].documents, Some(1));
    let _ = compared(&t, Part::count(&t.odm).into_future()).await;
    let _ = compared(&t, Part::delete(&t.odm, part.id).into_future()).await;
    // A push into a bounded array, and transactions.
    let kate = Person {
        id: Id::new(),
        name: "Kate".into(),
        addresses: Vec::new(),
        tasks: Vec::new(),
    };
    t.given(&[kate.clone()]).await;
    let many = Person::update_many(&t.odm, doc! {});
    let push = many.push(Person::fields().addresses, Address::number(1));
    let _ = compared(&t, push.into_future()).await;

    let rolled_back = t.odm.transaction(async |tx| {
        Part::find(&tx).await?;
        Err::<(), _>(Error::custom("no"))
    });
    let rolled_back = compared(&t, rolled_back).await;
    assert_eq!(rolled_back.names(), ["find", "abortTransaction"]);
    let empty = compared(&t, t.odm.transaction(async |_| Ok(()))).await;
    assert_eq!(empty.names(), [""; 0], "the driver sends no commit then");
    let dry = Part::update(&t.odm, part.id).set(fields.qty, 7).dry_run();
    assert_eq!(
        compared(&t, dry).await.names(),
        ["update", "abortTransaction"]
    );
}

#[tokio::test]
async fn a_transaction_that_is_tried_again_is_seen_twice() {
    let t = Harness::new("observe_retry").await;
    let part = part(1);
    t.given(&[part.clone()]).await;
    let mut tries = 0;
    let other = t.odm.clone();
    let retried = t.odm.transaction(|tx| {
        tries += 1;
        let (is_first, other, id) = (tries == 1, other.clone(), part.id);
        async move {
            Part::get(&tx, id).await?;
            let add = |odm: &dyn Executor| {
                Part::update(odm, id)
                    .inc(Part::fields().qty, 1)
                    .into_future()
            };
            if is_first {
                // Causes a write conflict with the document that the transaction has read.
                add(tx.odm()).await?;
                let _ = &other;
            }
            add(&tx).await.map(|_| ())
        }
    });
    let retried = compared(&t, retried).await;
    retried.value.as_ref().unwrap();
    assert_eq!(
        retried.names(),
        [
            "find",
            "update",
            "update",
            "abortTransaction",
            "find",
            "update",
            "commitTransaction"
        ]
    );
}

#[tokio::test]
async fn others_are_not_seen_and_blocks_can_be_nested() {
    let t = Harness::new("observe_others").await;
    let products = products(&t, 3).await;
    let odm = t.odm.clone();
    let other = tokio::spawn(async move {
        for _ in 0..20 {
            Part::count(&odm).await.unwrap();
        }
    });
    let observed = t.odm.observe(async {
        Part::find(&t.odm).await.unwrap();
        let inner = t.odm.observe(products[0].load_parts(&t.odm).into_future());
        let inner = inner.await.transpose().unwrap();
        assert_eq!(inner.names(), ["find"]);
        let odm = t.odm.clone();
        let spawned = async move { Part::find(&odm).await.unwrap() };
        tokio::spawn(spawned).await.unwrap();
        let elsewhere = mongo_odm::Odm::new(t.odm.database().clone());
        Part::find(&elsewhere).await.unwrap();
        other.await.unwrap();
    });
    let observed = observed.await;
    assert_eq!(observed.names(), ["find", "find"], "{observed}");
    assert_eq!(observed.sent[1].relation, Some("Product.parts"));
}

#[tokio::test]
async fn a_wrong_number_of_round_trips_is_told_with_the_line_and_the_statements() {
    let t = Harness::new("observe_assert").await;
    let products = products(&t, 3).await;
    let parts = assert_round_trips!(1, t.odm, products[0].load_parts(&t.odm).into_future());
    assert_eq!(parts.unwrap().len(), 2);

    let place = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let (seen, before) = (place.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        let at = panic.location().map(ToString::to_string);
        seen.lock().unwrap().push_str(&at.unwrap_or_default());
    }));
    let line = line!() + 2;
    let failing = async {
        assert_round_trips!(1, t.odm, async {
            for product in &products {
                product.load_parts(&t.odm).await.unwrap();
            }
        });
    };
    let failed = AssertUnwindSafe(failing).catch_unwind().await.unwrap_err();
    std::panic::set_hook(before);
    let message = failed.downcast::<String>().unwrap();
    assert!(
        message.starts_with("3 round trips instead of 1:\n"),
        "{message}"
    );
    assert_eq!(
        message.matches("  db.parts.find({ _id: { $in: [").count(),
        3,
        "{message}"
    );
    assert!(
        message.contains("// Product.parts, 2 documents,"),
        "{message}"
    );
    let place = place.lock().unwrap();
    assert!(place.contains(&format!("observe.rs:{line}:")), "{place}");
}
