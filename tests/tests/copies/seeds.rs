//! The examples of the literature that copy fields, document by document.
//!
//! Source: "6 Rules of Thumb for `MongoDB` Schema Design".

mod parents;
mod single_collection;

use mongo_odm::{Guarantee, Settings, prelude::*};

use crate::{models::*, setting::*};

/// "If you denormalize the name of the part into the product": the names need no join, and a rename updates every
/// product.
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

    // The load uses the array with the copies, in its order and with its repeated parts.
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

    // The product gets a new part, and loses one.
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

/// "Denormalize everything of the host into the message": a tuple of fields that are always written together, so
/// readers no longer need the host itself.
#[tokio::test]
async fn s09_all_into_squillions() {
    let t = shop("s09_all_into_squillions").await;
    let host = server(1);
    t.given(&[host.clone()]).await;
    let mut entries = entries(&host, 1_500);
    entries[3].rack = Some("an old rack".to_owned());
    t.given(&entries).await;
    let stored = Entry::get(&t.odm, entries[3].id).await.unwrap();
    assert_eq!(stored.rack, host.rack);

    // One field changes, and the whole tuple is written.
    let fields = Server::fields();
    Server::update(&t.odm, host.id)
        .set(fields.ipaddr, "10.0.0.1")
        .unset(fields.rack)
        .await
        .unwrap();
    let stored = Entry::find(&t.odm).await.unwrap();
    assert_eq!(stored.len(), 1_500);
    for entry in stored {
        assert_eq!(entry.name, host.name);
        assert_eq!(entry.ipaddr, "10.0.0.1");
        assert_eq!(entry.rack, None);
    }
    settle(&t.odm).await;
}

/// Copies are updated with their source, but snapshot copies are not. A reader in a server snapshot sees all copies
/// with the old value or all with the new one.
#[tokio::test]
async fn s15_copies_follow_and_snapshot_readers_see_all_or_nothing() {
    let t = shop("s15_copies_follow").await;
    let host = server(1);
    t.given(&[host.clone()]).await;
    t.given(&entries(&host, 200)).await;

    let renamer = tokio::spawn({
        let (odm, id) = (t.odm.clone(), host.id);
        async move {
            for turn in 0..30 {
                Server::update(&odm, id)
                    .set(Server::fields().ipaddr, format!("10.0.0.{turn}"))
                    .await
                    .unwrap();
            }
        }
    });
    let mut seen = std::collections::BTreeSet::new();
    while !renamer.is_finished() {
        let addresses = t
            .odm
            .transaction(async |tx| Entry::distinct(&tx, Entry::fields().ipaddr).await)
            .await
            .unwrap();
        assert_eq!(addresses.len(), 1, "{addresses:?}");
        seen.extend(addresses);
        // Without a transaction, and in several batches.
        let entries = Entry::find(&t.odm)
            .snapshot()
            .options(|find| find.batch_size = Some(50));
        let entries = entries.await.unwrap();
        assert!(
            entries
                .iter()
                .all(|entry| entry.ipaddr == entries[0].ipaddr)
        );
    }
    renamer.await.unwrap();
    assert!(seen.len() > 1, "{seen:?}");
    let entry = Entry::find(&t.odm).first().require().await.unwrap();
    assert_eq!(entry.ipaddr, "10.0.0.29");
    // The address of the host at the time when the entry was created.
    assert_eq!(entry.ipaddr_then, host.ipaddr);
    settle(&t.odm).await;
}

/// Rule 5: the ratio of reads to writes determines whether a copy is worthwhile, so the library counts both.
#[tokio::test]
async fn s17_read_write_ratio_is_counted() {
    let t = shop("s17_read_write_ratio_is_counted").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 100)).await;
    let of_hosts = || {
        let stats = t.odm.stats().copies.into_iter();
        let mut of_hosts = stats.filter(|it| it.relation == "LogMsg.host <- Host");
        of_hosts.next().unwrap()
    };
    assert_eq!((of_hosts().reads, of_hosts().ratio()), (0, None));

    let read = LogMsg::find(&t.odm).limit(60).await.unwrap();
    LogMsg::find(&t.odm)
        .project::<mongo_odm::bson::Document>(doc! { "message": 1 })
        .await
        .unwrap();
    // For ten of the sixty messages that were read, the host is loaded nevertheless.
    LogMsg::join_host(&read[..10], &t.odm).await.unwrap();
    Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    let stats = of_hosts();
    assert_eq!((stats.reads, stats.joins), (60, 10));
    assert_eq!((stats.fan_outs, stats.copies_written), (1, 100));
    assert_eq!(stats.joins_avoided(), 50);
    assert_eq!(stats.ratio(), Some(0.5));
    assert_eq!(
        stats.to_string(),
        "LogMsg.host <- Host: 60 reads, 50 joins avoided, 1 fan-outs, 100 copies written"
    );
    let other = t.odm.with_settings(Settings::default());
    assert_eq!(other.stats(), t.odm.stats());
}
