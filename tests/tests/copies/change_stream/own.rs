//! Writes of the library, which the change stream also contains.

use super::*;

#[tokio::test]
async fn own_writes_are_not_marked_again() {
    let t = shop("watch_own").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let (other, _) = host_with_messages(&t.odm, 2).await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    run_all(&t.odm).await;
    let watcher = watching(&t.odm).await;

    // Every kind of write, and copies that are sources themselves.
    Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    Part::update(&t.odm, parts[0].id)
        .set(Part::fields().name, "new")
        .await
        .unwrap();
    Product::update(&t.odm, product.id)
        .set(Product::fields().name, "new")
        .await
        .unwrap();
    Part::delete(&t.odm, parts[1].id).await.unwrap();
    let inserted = super::host(3);
    inserted.insert(&t.odm).await.unwrap();
    fence(&t.odm, &other).await;

    // A job for each relation and key: the product is copied by each of its parts.
    let of = |relation: &str, key: Bson| (relation.to_owned(), key);
    let by_part = |part: &Part| of("products.parts.id <- parts._id", id(part.id));
    let by_product = |part: &Part| of("parts._id <- products.parts.id", id(part.id));
    let expected = [
        of("logmsg.host <- hosts._id", id(host.id)),
        by_part(&parts[0]),
        by_product(&parts[0]),
        by_product(&parts[1]),
        by_part(&parts[1]),
    ];
    let jobs = jobs(&t.odm).await;
    for (relation, key) in expected {
        let id = doc! { "relation": relation, "key": key };
        let job = jobs
            .iter()
            .find(|job| job.get_document("_id").unwrap() == &id);
        let job = job.unwrap_or_else(|| panic!("{id}"));
        assert_eq!(job.get_str("phase").unwrap(), "settle", "{job}");
    }
    assert_eq!(job(&t.odm, id(inserted.id)).await, None);
    assert_eq!(jobs.len(), 6, "and that of the fence");
    kill(watcher).await;
}

#[tokio::test]
async fn a_fan_out_makes_no_more_jobs() {
    let t = shop("watch_loop").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    run_all(&t.odm).await;
    let watchers = [
        watching(&t.odm).await,
        tokio::spawn(t.odm.watch_sources().run()),
    ];

    // Products copy parts, and parts copy products.
    foreign(
        &t.odm,
        "parts",
        id(parts[0].id),
        doc! { "$set": { "name": "x" } },
    )
    .await;
    foreign(
        &t.odm,
        "products",
        id(product.id),
        doc! { "$set": { "name": "y" } },
    )
    .await;
    fence(&t.odm, &host).await;
    run_until(&t.odm, async || {
        let product = Product::get(&t.odm, product.id).await.unwrap();
        let part = Part::get(&t.odm, parts[1].id).await.unwrap();
        product.parts[0].name == "x" && part.product_name.as_deref() == Some("y")
    })
    .await;
    // The second watcher may be behind. The fan-out is over after two more fences.
    for _ in 0..2 {
        run_all(&t.odm).await;
        fence(&t.odm, &host).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(jobs(&t.odm).await.len(), 1, "the fence alone");
    run_all(&t.odm).await;
    for watcher in watchers {
        kill(watcher).await;
    }
}

#[tokio::test]
async fn a_foreign_change_next_to_a_job_is_marked() {
    let t = shop("watch_beside_job").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let watcher = watching(&t.odm).await;
    Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    foreign(
        &t.odm,
        "hosts",
        id(host.id),
        doc! { "$set": { "ipaddr": "10.0.0.2" } },
    )
    .await;
    eventually(async || {
        let job = job(&t.odm, id(host.id)).await.unwrap();
        job.get_str("phase").unwrap() == "run"
    })
    .await;
    run_all(&t.odm).await;
    assert!(have_address(&t.odm, &host, "10.0.0.2").await);
    kill(watcher).await;
}
