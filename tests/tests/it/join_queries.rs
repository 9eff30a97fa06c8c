//! Joins with filters, sorts, limits and projections, and joins in tasks, transactions and streams.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{
    Error,
    bson::{Bson, Document},
    prelude::*,
    relation::Slot,
};
use odm_tests::{
    Harness,
    sent::{commands, keys_of, number, only},
    shop::*,
};

/// Stores a product with ten parts. The higher a part's number, the lower its price.
async fn ten_parts(t: &Harness) -> (Vec<Part>, Product) {
    let mut parts = parts(10);
    for (at, part) in (0_u8..).zip(&mut parts) {
        part.price = f64::from(20 - at);
        part.qty = i64::from(at % 3);
    }
    let product = product(1, [3, 9, 0, 7, 3, 5, 1].map(|at| &parts[at]));
    t.given(&parts).await;
    (parts, product)
}

fn picked(parts: &[Part], at: &[usize]) -> Vec<Part> {
    at.iter().map(|at| parts[*at].clone()).collect()
}

#[tokio::test]
async fn a_load_in_stored_order_is_cut_after_loading() {
    let t = Harness::new("a_load_in_stored_order").await;
    let (parts, product) = ten_parts(&t).await;
    t.forget();
    let cut = product.load_parts(&t.odm).skip(1).limit(4).await.unwrap();
    assert_eq!(cut, picked(&parts, &[9, 0, 7, 3]));
    let find = only(&t, "find");
    assert_eq!(
        (number(&find, "limit"), number(&find, "skip")),
        (None, None)
    );
    let in_stock = Part::fields().qty.gt(0);
    let filtered = product
        .load_parts(&t.odm)
        .filter(in_stock)
        .skip(1)
        .limit(2)
        .await
        .unwrap();
    assert_eq!(filtered, picked(&parts, &[5, 1]));
    assert_eq!(
        product.load_parts(&t.odm).skip(6).await.unwrap(),
        picked(&parts, &[1])
    );
    assert!(product.load_parts(&t.odm).skip(7).await.unwrap().is_empty());
    t.forget();
    assert!(
        product
            .load_parts(&t.odm)
            .limit(0)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_sorted_load_is_cut_by_the_server_and_has_each_document_once() {
    let t = Harness::new("a_sorted_load").await;
    let (parts, product) = ten_parts(&t).await;
    let cheap = || Part::fields().price.asc();
    assert_eq!(
        product.load_parts(&t.odm).sort(cheap()).await.unwrap(),
        picked(&parts, &[9, 7, 5, 3, 1, 0])
    );
    t.forget();
    let cut = product
        .load_parts(&t.odm)
        .sort(cheap())
        .skip(1)
        .limit(3)
        .await
        .unwrap();
    assert_eq!(cut, picked(&parts, &[7, 5, 3]));
    let find = only(&t, "find");
    assert_eq!(
        (number(&find, "limit"), number(&find, "skip")),
        (Some(3), Some(1))
    );
    assert_eq!(find.get_document("sort").unwrap(), &doc! { "price": 1 });

    let out_of_stock = Part::fields().qty.eq(0);
    let by_stock = Part::fields().qty.asc().then(cheap());
    let found = product
        .load_parts(&t.odm)
        .filter(out_of_stock)
        .sort(by_stock)
        .limit(2)
        .await
        .unwrap();
    assert_eq!(found, picked(&parts, &[9, 3]));
    let streamed = product
        .load_parts(&t.odm)
        .sort(cheap())
        .skip(1)
        .limit(3)
        .stream();
    assert_eq!(streamed.try_collect::<Vec<_>>().await.unwrap(), cut);
    // Slots are positions in the stored array, so sorts and limits do not change them.
    let slots = product
        .load_parts(&t.odm)
        .sort(cheap())
        .limit(1)
        .slots()
        .await
        .unwrap();
    let found: Vec<_> = slots.into_iter().filter_map(Slot::found).collect();
    assert_eq!(found, picked(&parts, &[3, 9, 0, 7, 3, 5, 1]));
}

#[tokio::test]
async fn a_sorted_join_orders_the_documents_of_each_owner() {
    let t = Harness::new("a_sorted_join").await;
    let (parts, first) = ten_parts(&t).await;
    let second = product(2, [2, 8, 4, 8].map(|at| &parts[at]));
    let owners = [first, second];
    t.forget();
    let cheap = || Part::fields().price.asc();
    let joined = Product::join_parts(&owners, &t.odm)
        .sort(cheap())
        .await
        .unwrap();
    assert_eq!(
        only(&t, "find").get_document("sort").unwrap(),
        &doc! { "price": 1 }
    );
    assert!(
        joined
            .of(&owners[0])
            .eq(&picked(&parts, &[9, 7, 5, 3, 1, 0]))
    );
    assert!(joined.of(&owners[1]).eq(&picked(&parts, &[8, 4, 2])));

    let limited = Product::join_parts(&owners, &t.odm)
        .sort(cheap())
        .limit_each(2)
        .await
        .unwrap();
    assert!(limited.of(&owners[0]).eq(&picked(&parts, &[9, 7])));
    assert!(limited.of(&owners[1]).eq(&picked(&parts, &[8, 4])));
    let in_order = Product::join_parts(&owners, &t.odm)
        .limit_each(2)
        .await
        .unwrap();
    assert!(in_order.of(&owners[0]).eq(&picked(&parts, &[3, 9])));
    assert!(in_order.of(&owners[1]).eq(&picked(&parts, &[2, 8])));
    let filter = Part::fields().qty.eq(2);
    let filtered = Product::join_parts(&owners, &t.odm)
        .filter(filter)
        .limit_each(1)
        .await
        .unwrap();
    assert!(filtered.of(&owners[0]).eq(&picked(&parts, &[5])));
    assert!(filtered.of(&owners[1]).eq(&picked(&parts, &[2])));
}

#[tokio::test]
async fn a_second_filter_narrows_the_first_and_plain_documents_are_filters() {
    let t = Harness::new("a_second_filter").await;
    let (parts, product) = ten_parts(&t).await;
    t.forget();
    let load = product
        .load_parts(&t.odm)
        .filter(doc! { "qty": 0 })
        .filter(Part::fields().price.lt(15.0));
    assert_eq!(load.await.unwrap(), picked(&parts, &[9]));
    let filter = only(&t, "find").get_document("filter").unwrap().clone();
    assert_eq!(filter.get_array("$and").unwrap().len(), 2);
    let by_key = Product::join_parts([&product], &t.odm)
        .filter(doc! { "_id": parts[7].id })
        .await
        .unwrap();
    assert!(
        by_key.of(&product).eq([&parts[7]]),
        "the caller's own `_id` is a second condition"
    );
}

#[tokio::test]
async fn a_join_sees_what_its_transaction_wrote() {
    let t = Harness::new("a_join_sees_what").await;
    let (old, new) = (part(1), part(2));
    let messages = messages(&host(1), 3);
    let owner = Host {
        id: messages[0].host,
        ..host(1)
    };
    let product = product(1, [&new, &old]);
    t.given(std::slice::from_ref(&old)).await;
    t.given(&messages[..2]).await;
    let (owner, product, new, messages) = (&owner, &product, &new, &messages);
    t.odm
        .transaction(async |tx| {
            new.insert(&tx).await?;
            messages[2].insert(&tx).await?;
            assert_eq!(product.load_parts(&tx).await?.len(), 2);
            assert_eq!(
                Product::join_parts([product], &tx).await?.of(product).len(),
                2
            );
            assert_eq!(owner.count_messages(&tx).await?, 3);
            let counts = Host::join_messages([owner], &tx).count_each().await?;
            assert_eq!(counts.of(owner), 3);
            let limited = Host::join_messages([owner], &tx)
                .sort(LogMsg::fields().time.desc())
                .limit_each(1)
                .await?;
            assert_eq!(limited.of(owner).next(), Some(&messages[2]));
            // Calls outside of the transaction do not read these writes.
            assert_eq!(product.load_parts(tx.odm()).await?.len(), 1);
            assert_eq!(owner.count_messages(tx.odm()).await?, 2);
            Err::<(), _>(Error::custom("roll back"))
        })
        .await
        .unwrap_err();
    assert_eq!(product.load_parts(&t.odm).await.unwrap().len(), 1);
    let inside = |sent: &Document| sent.get("autocommit") == Some(&Bson::Boolean(false));
    assert_eq!(
        commands(&t, "find")
            .iter()
            .filter(|find| inside(find))
            .count(),
        2
    );
    assert_eq!(
        commands(&t, "aggregate")
            .iter()
            .filter(|sent| inside(sent))
            .count(),
        3
    );
}

#[tokio::test]
async fn a_stream_in_a_transaction_uses_its_session() {
    let t = Harness::new("a_stream_in_a_transaction").await;
    let (parts, product) = ten_parts(&t).await;
    let (parts, product) = (&parts, &product);
    t.forget();
    t.odm
        .transaction(async |tx| {
            let streamed = product
                .load_parts(&tx)
                .sort(Part::fields().price.asc())
                .stream();
            assert_eq!(
                streamed.try_collect::<Vec<_>>().await?,
                picked(parts, &[9, 7, 5, 3, 1, 0])
            );
            Ok(())
        })
        .await
        .unwrap();
    assert!(!commands(&t, "find")[0].get_bool("autocommit").unwrap());
}

#[tokio::test]
async fn loads_and_joins_run_in_tasks() {
    let t = Harness::new("loads_and_joins_run_in_tasks").await;
    let (parts, product) = ten_parts(&t).await;
    let (odm, owner) = (t.odm.clone(), product.clone());
    let task = tokio::spawn(async move {
        let loaded = owner.load_parts(&odm).await?;
        let joined = Product::join_parts([&owner], &odm).limit_each(3).await?;
        let counted = Product::join_parts([&owner], &odm).count_each().await?;
        Ok::<_, Error>((loaded.len(), joined.of(&owner).len(), counted.of(&owner)))
    });
    assert_eq!(task.await.unwrap().unwrap(), (7, 3, 6));
    // A builder can outlive the owners that it was created with.
    let loads: Vec<_> = [&parts[0], &parts[1]]
        .map(|part| {
            let load = Part::join_products([part], &t.odm);
            tokio::spawn(async move { load.await.map(|joined| joined.len()) })
        })
        .into();
    t.given(std::slice::from_ref(&product)).await;
    for load in loads {
        load.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn owners_of_a_stream_are_joined_batch_by_batch() {
    let t = Harness::new("owners_of_a_stream").await;
    let parts = parts(7);
    let products: Vec<Product> = (0..7)
        .map(|at| product(i64::try_from(at).unwrap(), [&parts[at], &parts[0]]))
        .collect();
    t.given(&parts).await;
    t.given(&products).await;
    t.forget();
    let odm = t.odm.clone();
    let find = Product::find(&t.odm).sort(Product::fields().catalog_number.asc());
    let mut batches = pin!(find.join_batches(3, move |batch| Product::join_parts(batch, &odm)));
    let mut sizes = Vec::new();
    let mut seen = Vec::new();
    while let Some((batch, joined)) = batches.try_next().await.unwrap() {
        sizes.push(batch.len());
        for product in batch {
            let names: Vec<_> = joined
                .of(&product)
                .map(|part| part.partno.clone())
                .collect();
            let at = usize::try_from(product.catalog_number).unwrap();
            assert_eq!(names, [parts[at].partno.clone(), parts[0].partno.clone()]);
            seen.push(product);
        }
    }
    assert_eq!(sizes, [3, 3, 1]);
    assert_eq!(seen, products);
    let finds = commands(&t, "find");
    assert_eq!(
        finds.len(),
        4,
        "one for the products and one for each batch"
    );
    let keys: Vec<_> = finds[1..]
        .iter()
        .map(|find| keys_of(find, "_id").len())
        .collect();
    assert_eq!(keys, [3, 4, 2]);
}

#[tokio::test]
async fn options_reach_the_server() {
    let t = Harness::new("options_reach_the_server").await;
    let (_, product) = ten_parts(&t).await;
    t.forget();
    let find = product.load_parts(&t.odm).options(|options| {
        options.comment = Some(Bson::from("why"));
        options.batch_size = Some(2);
    });
    assert_eq!(find.await.unwrap().len(), 7);
    let find = only(&t, "find");
    assert_eq!(find.get_str("comment").unwrap(), "why");
    assert_eq!(number(&find, "batchSize"), Some(7), "it is the library's");
}
