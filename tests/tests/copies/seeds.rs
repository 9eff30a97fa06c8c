//! The rows of the literature that copy fields, document by document.
//!
//! Source: "6 Rules of Thumb for `MongoDB` Schema Design".

use mongo_odm::{Guarantee, prelude::*};

use crate::{models::*, setting::*};

/// "If you denormalize the name of the part into the product": no join for the names, and a rename
/// goes to every product.
#[tokio::test]
async fn s06_denormalize_many_to_one() {
    let t = shop("s06_denormalize_many_to_one").await;
    let parts = [part(4), part(5), part(6)];
    t.given(&parts).await;
    let first = product(1234, [&parts[1], &parts[0], &parts[1]]);
    let second = product(1235, [&parts[1]]);
    t.given(&[first.clone(), second.clone()]).await;

    let report = Part::update(&t.odm, parts[1].id)
        .set(Part::fields().name, "#5 grommet, long")
        .await
        .unwrap();
    assert_eq!(report.matched, 1);
    let copies = &report.copies[0];
    assert_eq!(copies.relation, "Product.parts.id <- Part");
    assert_eq!((copies.matched, copies.modified), (2, 2));
    assert_eq!(copies.guarantee, Guarantee::Atomic);

    let first = Product::get(&t.odm, first.id).await.unwrap();
    let names: Vec<_> = first.parts.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(
        names,
        ["#5 grommet, long", "#4 grommet", "#5 grommet, long"]
    );
    let second = Product::get(&t.odm, second.id).await.unwrap();
    assert_eq!(second.parts[0].name, "#5 grommet, long");

    // The join goes from the copied array, in its order and with its repeats.
    let joined = first.load_parts(&t.odm).await.unwrap();
    let joined: Vec<_> = joined.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(joined, names);
    settle(&t.odm).await;
}

/// "Denormalize the name and the number of the product into the part": the key stays in the product.
#[tokio::test]
async fn s07_denormalize_one_to_many() {
    let t = shop("s07_denormalize_one_to_many").await;
    let parts = [part(1), part(2), part(3)];
    t.given(&parts).await;
    let product = product(1234, &parts[..2]);
    product.insert(&t.odm).await.unwrap();

    let stored = Part::get(&t.odm, parts[0].id).await.unwrap();
    assert_eq!(stored.product_name.as_deref(), Some(product.name.as_str()));
    assert_eq!(stored.product_catalog_number, Some(1234));
    let other = Part::get(&t.odm, parts[2].id).await.unwrap();
    assert_eq!(other.product_name, None);

    let product_fields = Product::fields();
    Product::update(&t.odm, product.id)
        .set(product_fields.name, "smoke shifter")
        .await
        .unwrap();
    for at in [0, 1] {
        let stored = Part::get(&t.odm, parts[at].id).await.unwrap();
        assert_eq!(stored.product_name.as_deref(), Some("smoke shifter"));
    }

    // The product takes another part, and gives one up.
    let mut product = Product::get(&t.odm, product.id).await.unwrap();
    product.parts = vec![line(&parts[1]), line(&parts[2])];
    product.save(&t.odm).await.unwrap();
    let names: Vec<_> = Part::find(&t.odm)
        .sort(Part::fields().partno.asc())
        .await
        .unwrap()
        .into_iter()
        .map(|part| part.product_name)
        .collect();
    let shifter = Some("smoke shifter".to_owned());
    assert_eq!(names, [None, shifter.clone(), shifter]);
    settle(&t.odm).await;
}

/// "Denormalize the address of the host into each of its messages."
#[tokio::test]
async fn s08_denormalize_into_squillions() {
    let t = shop("s08_denormalize_into_squillions").await;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    t.given(&messages(&hosts[0], 2_500)).await;
    t.given(&messages(&hosts[1], 10)).await;

    let report = Host::update(&t.odm, hosts[0].id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    let copies = &report.copies[0];
    assert_eq!(copies.relation, "LogMsg.host <- Host");
    assert_eq!(copies.modified, 2_500);
    assert_eq!(copies.guarantee, Guarantee::Converged);
    assert!(copies.batches >= 2, "{copies:?}");
    assert!(copies.failed.is_empty());

    let fields = LogMsg::fields();
    let moved = LogMsg::count(&t.odm).filter(fields.ipaddr.eq("10.0.0.1"));
    assert_eq!(moved.await.unwrap(), 2_500);
    let others = LogMsg::count(&t.odm).filter(fields.ipaddr.eq("127.66.66.2"));
    assert_eq!(others.await.unwrap(), 10);
    settle(&t.odm).await;
}
