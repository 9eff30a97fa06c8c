//! Children of parents. The server limits and counts the children of each parent.

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    sent::{commands, number, only},
    shop::*,
};

/// Stores hosts with no, three and twenty messages.
async fn hosts_with_messages(t: &Harness) -> ([Host; 3], [Vec<LogMsg>; 3]) {
    let hosts = [host(1), host(2), host(3)];
    let all = [
        messages(&hosts[0], 0),
        messages(&hosts[1], 3),
        messages(&hosts[2], 20),
    ];
    t.given(&hosts).await;
    // Interleaved, so that the messages of a host are not stored in sequence.
    let mut mixed: Vec<LogMsg> = all.concat();
    mixed.sort_by_key(|message| (message.time, message.host.to_string()));
    t.given(&mixed).await;
    (hosts, all)
}

fn newest() -> mongo_odm::Sort<LogMsg> {
    LogMsg::fields().time.desc()
}

#[tokio::test]
async fn every_owner_gets_its_children_with_one_find() {
    let t = Harness::new("every_owner_gets_its_children").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    t.forget();
    let joined = Host::join_messages(&hosts, &t.odm)
        .sort(LogMsg::fields().time.asc())
        .await
        .unwrap();
    assert_eq!(only(&t, "find").get_str("find").unwrap(), "logmsg");
    for (host, messages) in hosts.iter().zip(&all) {
        assert!(joined.of(host).eq(messages));
    }
    assert_eq!(joined.len(), 23);
    assert_eq!(joined.missing().len(), 1, "the host without messages");
    let unsorted = Host::join_messages(&hosts, &t.odm).await.unwrap();
    assert_eq!(
        hosts.each_ref().map(|host| unsorted.of(host).len()),
        [0, 3, 20]
    );
}

#[tokio::test]
async fn a_limit_of_each_owner_is_no_limit_of_all() {
    let t = Harness::new("a_limit_of_each_owner").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    for limit in [1, 3, 5, 20, 100] {
        t.forget();
        let joined = Host::join_messages(&hosts, &t.odm)
            .sort(newest())
            .limit_each(limit)
            .await
            .unwrap();
        let sent = only(&t, "aggregate");
        assert_eq!(
            sent.get_i32("aggregate").unwrap(),
            1,
            "on the database: $documents"
        );
        for (host, messages) in hosts.iter().zip(&all) {
            assert!(
                joined.of(host).eq(messages.iter().rev().take(limit)),
                "{limit}"
            );
        }
    }
    let any = Host::join_messages(&hosts, &t.odm)
        .limit_each(5)
        .await
        .unwrap();
    assert_eq!(hosts.each_ref().map(|host| any.of(host).len()), [0, 3, 5]);
    assert!(
        hosts
            .iter()
            .all(|host| any.of(host).all(|message| message.host == host.id))
    );
}

#[tokio::test]
async fn a_limit_of_each_owner_counts_after_the_filter() {
    let t = Harness::new("a_limit_after_the_filter").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    let until = all[2][1].time;
    let old = LogMsg::fields().time.lte(until);
    let joined = Host::join_messages(&hosts, &t.odm)
        .filter(old)
        .sort(newest())
        .limit_each(2)
        .await
        .unwrap();
    assert_eq!(joined.of(&hosts[0]).len(), 0);
    assert!(joined.of(&hosts[1]).eq([&all[1][1], &all[1][0]]));
    assert!(joined.of(&hosts[2]).eq([&all[2][1], &all[2][0]]));
}

#[tokio::test]
async fn a_limit_of_none_sends_nothing() {
    let t = Harness::new("a_limit_of_none").await;
    let (hosts, _) = hosts_with_messages(&t).await;
    t.forget();
    let joined = Host::join_messages(&hosts, &t.odm)
        .sort(newest())
        .limit_each(0)
        .await
        .unwrap();
    assert!(hosts.iter().all(|host| joined.of(host).len() == 0));
    assert!(
        hosts[2]
            .load_messages(&t.odm)
            .limit(0)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        hosts[2]
            .load_messages(&t.odm)
            .sort(newest())
            .limit(0)
            .await
            .unwrap()
            .is_empty()
    );
    let plan = Host::join_messages(&hosts, &t.odm)
        .limit_each(0)
        .plan()
        .unwrap();
    assert!(plan.statements.is_empty(), "{plan}");
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_limited_join_reads_a_projection() {
    let t = Harness::new("a_limited_join_reads").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    let joined = Host::join_messages(&hosts, &t.odm)
        .select::<LogLine>()
        .sort(newest())
        .limit_each(2)
        .await
        .unwrap();
    let texts: Vec<_> = joined
        .of(&hosts[2])
        .map(|line| line.message.as_str())
        .collect();
    assert_eq!(
        texts,
        [all[2][19].message.as_str(), all[2][18].message.as_str()]
    );
}

#[tokio::test]
async fn a_limited_join_of_arrays_takes_the_first_that_exist() {
    let t = Harness::new("a_limited_join_of_arrays").await;
    let parts = parts(4);
    t.given(&parts[1..]).await;
    let products = [
        product(1, &parts),
        product(2, [&parts[3]]),
        product(3, []),
        product(4, [&parts[2], &parts[2], &parts[1]]),
    ];
    t.forget();
    let joined = Product::join_parts(&products, &t.odm)
        .limit_each(2)
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    assert!(joined.of(&products[0]).eq([&parts[1], &parts[2]]));
    assert!(joined.of(&products[1]).eq([&parts[3]]));
    assert_eq!(joined.of(&products[2]).len(), 0);
    assert!(joined.of(&products[3]).eq([&parts[2], &parts[2]]));
}

#[tokio::test]
async fn a_limited_join_follows_arrays_from_the_other_side() {
    let t = Harness::new("a_limited_join_follows_arrays").await;
    let parts = parts(3);
    let products = [1, 2, 3].map(|number| product(number, [&parts[0], &parts[1], &parts[0]]));
    t.given(&products).await;
    let joined = Part::join_products(&parts, &t.odm)
        .sort(Product::fields().catalog_number.desc())
        .limit_each(2)
        .await
        .unwrap();
    for part in &parts[..2] {
        assert!(joined.of(part).eq([&products[2], &products[1]]));
    }
    assert_eq!(joined.of(&parts[2]).len(), 0);
}

#[tokio::test]
async fn the_children_of_one_parent_are_sorted_and_cut_by_the_server() {
    let t = Harness::new("the_children_of_one_parent").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    t.forget();
    let page = hosts[2]
        .load_messages(&t.odm)
        .sort(newest())
        .skip(2)
        .limit(3)
        .await
        .unwrap();
    assert!(page.iter().eq([17, 16, 15].map(|at| &all[2][at])));
    let find = only(&t, "find");
    assert_eq!(
        (number(&find, "skip"), number(&find, "limit")),
        (Some(2), Some(3))
    );
    assert_eq!(
        find.get_document("filter").unwrap(),
        &doc! { "host": hosts[2].id }
    );
    t.forget();
    assert_eq!(
        hosts[2].load_messages(&t.odm).limit(4).await.unwrap().len(),
        4
    );
    assert_eq!(number(&only(&t, "find"), "limit"), Some(4));
    assert_eq!(
        hosts[2].load_messages(&t.odm).skip(18).await.unwrap().len(),
        2
    );
    let filter = || LogMsg::fields().time.gt(all[2][4].time);
    let old = hosts[2]
        .load_messages(&t.odm)
        .filter(filter())
        .sort(LogMsg::fields().time.asc())
        .limit(1);
    assert_eq!(old.await.unwrap(), [all[2][5].clone()]);
    let streamed = hosts[2]
        .load_messages(&t.odm)
        .filter(filter())
        .sort(newest())
        .skip(1)
        .limit(2)
        .stream();
    let streamed: Vec<LogMsg> = streamed.try_collect().await.unwrap();
    assert!(streamed.iter().eq([18, 17].map(|at| &all[2][at])));
    assert!(hosts[0].load_messages(&t.odm).await.unwrap().is_empty());
}

#[tokio::test]
async fn counts_are_made_by_the_server_and_absent_groups_are_zero() {
    let t = Harness::new("counts_are_made").await;
    let (hosts, all) = hosts_with_messages(&t).await;
    t.forget();
    let counts = Host::join_messages(&hosts, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(hosts.each_ref().map(|host| counts.of(host)), [0, 3, 20]);
    assert_eq!(counts.of(&host(9)), 0, "an owner that was not part of it");
    assert_eq!(t.recorder().names(), ["aggregate"]);
    t.forget();
    assert_eq!(hosts[2].count_messages(&t.odm).await.unwrap(), 20);
    let until = LogMsg::fields().time.lt(all[2][7].time);
    assert_eq!(
        hosts[2].count_messages(&t.odm).filter(until).await.unwrap(),
        7
    );
    assert_eq!(hosts[0].count_messages(&t.odm).await.unwrap(), 0);
    assert_eq!(t.recorder().names(), ["aggregate"; 3]);
    let until = LogMsg::fields().time.lt(all[2][1].time);
    let counts = Host::join_messages(&hosts, &t.odm)
        .filter(until)
        .count_each()
        .await
        .unwrap();
    assert_eq!(hosts.each_ref().map(|host| counts.of(host)), [0, 1, 1]);
}

#[tokio::test]
async fn a_count_over_arrays_has_each_document_once_for_each_owner() {
    let t = Harness::new("a_count_over_arrays").await;
    let parts = parts(3);
    let products = [
        product(1, [&parts[0], &parts[0], &parts[1]]),
        product(2, [&parts[1], &parts[0]]),
        product(3, [&parts[0], &parts[0]]),
    ];
    t.given(&parts).await;
    t.given(&products).await;
    let counts = Part::join_products(&parts, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(
        parts.iter().map(|part| counts.of(part)).collect::<Vec<_>>(),
        [3, 2, 0]
    );
    for (part, expected) in parts.iter().zip([3, 2, 0]) {
        assert_eq!(part.count_products(&t.odm).await.unwrap(), expected);
    }
    let counts = Product::join_parts(&products, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(
        products.each_ref().map(|product| counts.of(product)),
        [2, 2, 1]
    );
    assert_eq!(products[0].count_parts(&t.odm).await.unwrap(), 2);
}

#[tokio::test]
async fn children_without_a_parent_join_nobody() {
    let t = Harness::new("children_without_a_parent").await;
    let (hosts, _) = hosts_with_messages(&t).await;
    let stray = |host: Option<Bson>| {
        let mut message =
            doc! { "_id": ObjectId::new(), "time": DateTime::from_millis(0), "message": "stray" };
        message.extend(host.map(|host| ("host".to_owned(), host)));
        message
    };
    let strays: Vec<Document> = vec![stray(None), stray(Some(Bson::Null))];
    t.database()
        .collection("logmsg")
        .insert_many(strays)
        .await
        .unwrap();
    let joined = Host::join_messages(&hosts, &t.odm).await.unwrap();
    assert_eq!(joined.len(), 23);
    let limited = Host::join_messages(&hosts, &t.odm)
        .limit_each(50)
        .await
        .unwrap();
    assert_eq!(limited.len(), 23);
    let counts = Host::join_messages(&hosts, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(hosts.iter().map(|host| counts.of(host)).sum::<u64>(), 23);
    assert!(
        commands(&t, "find")
            .iter()
            .all(|find| !find.to_string().contains("null"))
    );
}
