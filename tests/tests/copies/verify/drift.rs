//! The findings of `verify`.

use mongo_odm::{
    DriftKind, Error,
    bson::Bson,
    mongodb::options::{Collation, CollationStrength},
    prelude::*,
};
use odm_tests::Harness;

use super::{models::*, put_unseen, raw, set, shown};
use crate::{models::*, setting::*};

#[tokio::test]
async fn nothing_is_found_where_only_the_library_has_written() {
    let t = house("verify_nothing").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    t.given(&[product(1, &parts)]).await;
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    // Two elements of the product, and two parts with copies from the product.
    assert_eq!((drift.checked, drift.pending), (4, 0));
}

#[tokio::test]
async fn a_stale_copy_is_found_with_both_values() {
    let t = house("verify_stale").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 3);
    t.given(&messages).await;
    let id = messages[1].id;
    set(
        &t,
        "logmsg",
        doc! { "_id": id },
        doc! { "$set": { "ipaddr": "old" } },
    )
    .await;
    let drift = t.odm.verify().await.unwrap();
    let found = (Some("old".into()), Some(Bson::from(host.ipaddr.as_str())));
    assert_eq!(
        shown(&drift),
        [(
            "LogMsg.host <- Host",
            "ipaddr",
            found.0,
            found.1,
            DriftKind::Stale
        )]
    );
    let item = &drift.items[0];
    assert_eq!((item.model, item.collection), ("LogMsg", "logmsg"));
    assert_eq!((&item.id, &item.key), (&id.into(), &Some(host.id.into())));
    assert_eq!(
        item.to_string(),
        format!(
            "logmsg.ipaddr of ObjectId(\"{id}\") contains \"old\", but its source contains \"127.66.66.1\" \
             (LogMsg.host <- Host)"
        )
    );
}

#[tokio::test]
async fn a_stale_copy_is_found_at_its_position_in_an_array_with_repeats() {
    let t = house("verify_stale_array").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let products = [
        product(1, [&parts[0], &parts[1], &parts[0]]),
        product(2, [&parts[0]]),
    ];
    t.given(&products).await;
    let first = doc! { "_id": products[0].id };
    set(
        &t,
        "products",
        first,
        doc! { "$set": { "parts.2.name": "old" } },
    )
    .await;
    let drift = t.odm.verify().only::<Product>().await.unwrap();
    let found = (Some("old".into()), Some(Bson::from(parts[0].name.as_str())));
    assert_eq!(
        shown(&drift),
        [(
            "Product.parts.id <- Part",
            "parts.2.name",
            found.0,
            found.1,
            DriftKind::Stale
        )]
    );
    assert_eq!(drift.items[0].id, products[0].id.into());
}

#[tokio::test]
async fn a_finding_behind_a_null_is_at_its_position_in_the_array() {
    let t = house("verify_behind_null").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, [&parts[0], &parts[1]]);
    t.given(&[product]).await;
    let push = doc! { "$push": { "parts": { "$each": [Bson::Null], "$position": 0 } } };
    set(&t, "products", doc! {}, push).await;
    set(
        &t,
        "products",
        doc! {},
        doc! { "$set": { "parts.2.name": "old" } },
    )
    .await;
    let drift = t.odm.verify().relation("Product.parts.id").await.unwrap();
    let paths: Vec<&str> = drift.items.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["parts.2.name"], "{drift}");
    let gone = doc! { "$set": { "parts.1.id": Id::<Part>::new() } };
    set(&t, "products", doc! {}, gone).await;
    let drift = t.odm.verify().relation("Product.parts.id").await.unwrap();
    let paths: Vec<&str> = drift.items.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["parts.1.id", "parts.2.name"], "{drift}");
}

#[tokio::test]
async fn a_required_copy_that_is_missing_is_found_although_it_equals_its_source() {
    let t = house("verify_missing_copy").await;
    let (host, whole) = (host(1), host(2));
    t.given(&[host.clone(), whole.clone()]).await;
    let lacking = messages(&host, 2);
    t.given(&lacking).await;
    t.given(&messages(&whole, 2)).await;
    let remove = doc! { "$unset": { "ipaddr": "" } };
    set(&t, "hosts", doc! { "_id": host.id }, remove.clone()).await;
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.by_kind(), [(DriftKind::Stale, 2)].into(), "{drift}");
    let _ = drift.repair(&t.odm).await.unwrap();
    let drift = t.odm.verify().await.unwrap();
    let missing = (
        "LogMsg.host <- Host",
        "ipaddr",
        None,
        None,
        DriftKind::MissingCopy,
    );
    assert_eq!(shown(&drift), [missing.clone(), missing], "{drift}");
    assert!(LogMsg::get(&t.odm, lacking[0].id).await.is_err());
    // Only a value in the source can complete them.
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (0, 2));
    set(
        &t,
        "hosts",
        doc! { "_id": host.id },
        doc! { "$set": { "ipaddr": "x" } },
    )
    .await;
    let drift = t.odm.verify().await.unwrap();
    let _ = drift.repair(&t.odm).await.unwrap();
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn null_missing_and_a_value_are_three_values() {
    let t = house("verify_null_missing").await;
    let mut servers = [server(1), server(2), server(3)];
    servers[0].rack = None;
    t.given(&servers).await;
    let with_null = doc! { "_id": servers[1].id };
    set(
        &t,
        "servers",
        with_null,
        doc! { "$set": { "rack": Bson::Null } },
    )
    .await;
    let all: Vec<_> = servers.iter().flat_map(|it| entries(it, 2)).collect();
    t.given(&all).await;
    assert!(t.odm.verify().await.unwrap().is_empty());
    // The second entry of each server gets the value of another server.
    let wrong = [
        (1, doc! { "$set": { "rack": Bson::Null } }),
        (3, doc! { "$unset": { "rack": "" } }),
        (5, doc! { "$set": { "rack": Bson::Null } }),
    ];
    for (at, update) in wrong {
        set(&t, "entries", doc! { "_id": all[at].id }, update).await;
    }
    let drift = t.odm.verify().await.unwrap();
    let mut found: Vec<_> = drift.items.iter().collect();
    found.sort_by_key(|item| item.id.as_object_id());
    let found: Vec<_> = found
        .iter()
        .map(|item| (item.id.clone(), item.stored.clone(), item.source.clone()))
        .collect();
    let rack = Some(Bson::from("rack 3"));
    assert_eq!(
        found,
        [
            (all[1].id.into(), Some(Bson::Null), None),
            (all[3].id.into(), None, Some(Bson::Null)),
            (all[5].id.into(), Some(Bson::Null), rack),
        ]
    );
}

#[tokio::test]
async fn copies_that_differ_in_case_alone_differ() {
    let mut t = Harness::long_declared("verify_case").await;
    let collation = Collation::builder()
        .locale("en")
        .strength(CollationStrength::Secondary);
    let create = t.odm.database().create_collection("logmsg");
    create.collation(collation.build()).await.unwrap();
    t.odm = t.odm.with_settings(settings());
    index_shop(&t.odm).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 2);
    t.given(&messages).await;
    let hosts = raw(&t, "hosts");
    hosts
        .update_many(doc! {}, doc! { "$set": { "ipaddr": "A" } })
        .await
        .unwrap();
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "a" } }).await;
    let one = doc! { "$set": { "ipaddr": "A" } };
    let first = doc! { "_id": messages[0].id };
    raw(&t, "logmsg").update_one(first, one).await.unwrap();
    assert_eq!(t.odm.verify().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_reference_that_leads_nowhere_is_dangling() {
    let t = house("verify_dangling").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    t.given(&[product(1, &parts)]).await;
    raw(&t, "parts")
        .delete_one(doc! { "_id": parts[1].id })
        .await
        .unwrap();
    let drift = t.odm.verify().await.unwrap();
    let key = Some(Bson::from(parts[1].id));
    assert_eq!(
        shown(&drift),
        [(
            "Product.parts.id <- Part",
            "parts.1.id",
            key,
            None,
            DriftKind::Dangling
        )]
    );
}

#[tokio::test]
async fn a_key_dangles_also_where_its_copies_are_null_as_they_should_be() {
    let t = house("verify_dangling_nullify").await;
    let owner = owner("Ann");
    t.given(&[owner.clone()]).await;
    t.given(&[note(&owner)]).await;
    raw(&t, "verify_owners").delete_many(doc! {}).await.unwrap();
    let drift = t.odm.verify().only::<Note>().await.unwrap();
    let (name, key) = (Some(Bson::from("Ann")), Some(Bson::from(owner.id)));
    let relation = "Note.about <- Owner";
    assert_eq!(
        shown(&drift),
        [
            (relation, "about_name", name, None, DriftKind::Dangling),
            (relation, "about", key.clone(), None, DriftKind::Dangling)
        ]
    );
    set(
        &t,
        "verify_notes",
        doc! {},
        doc! { "$set": { "about_name": Bson::Null } },
    )
    .await;
    assert_eq!(
        shown(&t.odm.verify().await.unwrap()),
        [(relation, "about", key, None, DriftKind::Dangling)]
    );
}

#[tokio::test]
async fn a_copy_beside_a_null_reference_is_stale() {
    let t = house("verify_no_key").await;
    let owner = owner("Ann");
    t.given(&[owner.clone()]).await;
    let both = [note(&owner), note(&owner)];
    t.given(&both).await;
    let notes = raw(&t, "verify_notes");
    let unlinked = doc! { "$set": { "about": Bson::Null } };
    notes
        .update_one(doc! { "_id": both[0].id }, unlinked)
        .await
        .unwrap();
    let drift = t.odm.verify().await.unwrap();
    let name = Some(Bson::from("Ann"));
    assert_eq!(
        shown(&drift),
        [(
            "Note.about <- Owner",
            "about_name",
            name,
            None,
            DriftKind::Stale
        )]
    );
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1, 0));
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn copies_whose_keys_the_source_has_are_compared() {
    let t = house("verify_keys_in_source").await;
    let parts = [part(1), part(2), part(3)];
    t.given(&parts).await;
    let product = product(1, &parts[..2]);
    t.given(&[product.clone()]).await;
    settle(&t.odm).await;
    let second = doc! { "_id": parts[1].id };
    set(
        &t,
        "parts",
        second,
        doc! { "$set": { "product_name": "old" } },
    )
    .await;
    let third = doc! { "_id": parts[2].id };
    set(&t, "parts", third, doc! { "$set": { "product_name": "x" } }).await;
    let drift = t.odm.verify().only::<Part>().await.unwrap();
    let relation = "Part._id <- Product.parts.id";
    let name = Some(Bson::from(product.name.as_str()));
    let (old, x) = (Some("old".into()), Some("x".into()));
    assert_eq!(
        shown(&drift),
        [
            (relation, "product_name", old, name, DriftKind::Stale),
            (relation, "product_name", x, None, DriftKind::Dangling),
        ]
    );
}

#[tokio::test]
async fn references_that_one_side_alone_has_are_found_from_both_sides() {
    let t = house("verify_one_sided").await;
    let mut owners = [owner("Ann"), owner("Ben")];
    let chores = [chore(&owners[0]), chore(&owners[0]), chore(&owners[1])];
    owners[0].chores = vec![chores[0].id, chores[2].id];
    owners[1].chores = vec![chores[2].id];
    put_unseen(&t, "verify_owners", &owners).await;
    put_unseen(&t, "verify_chores", &chores).await;
    let drift = t.odm.verify().await.unwrap();
    let relation = "Owner.chores <-> Chore.owner";
    let (ann, ben) = (Some(owners[0].id.into()), Some(owners[1].id.into()));
    let surplus = Some(chores[2].id.into());
    assert_eq!(
        shown(&drift),
        [
            (relation, "chores.1", surplus, ben, DriftKind::OneSided),
            (relation, "owner", ann, None, DriftKind::OneSided),
        ]
    );
    assert_eq!(drift.items[1].id, chores[1].id.into());
    // Three references of each side.
    assert_eq!(drift.checked, 6);
}

#[tokio::test]
async fn an_array_over_its_bound_is_found_with_its_length() {
    let t = house("verify_over_bound").await;
    let mut owners = [owner("Ann"), owner("Ben")];
    let chores: Vec<_> = (0..4).map(|_| chore(&owners[0])).collect();
    put_unseen(&t, "verify_chores", &chores).await;
    owners[1].chores = chores[..3].iter().map(|chore| chore.id).collect();
    put_unseen(&t, "verify_owners", &owners).await;
    let ids: Vec<_> = chores.iter().map(|chore| chore.id).collect();
    let ann = doc! { "_id": owners[0].id };
    set(&t, "verify_owners", ann, doc! { "$set": { "chores": ids } }).await;
    let drift = t.odm.verify().relation("Owner.chores").await;
    let drift = drift.unwrap();
    let over: Vec<_> = shown(&drift)
        .into_iter()
        .filter(|it| it.4 == DriftKind::OverBound)
        .collect();
    let (length, max) = (Some(Bson::Int64(4)), Some(Bson::Int64(3)));
    assert_eq!(
        over,
        [("Owner.chores", "chores", length, max, DriftKind::OverBound)]
    );
}

#[tokio::test]
async fn a_relation_that_no_model_declares_is_refused() {
    let t = house("verify_unknown").await;
    let error = t.odm.verify().relation("Part.nothing").await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }));
    // The error lists the relations of this model, and none of other models.
    let text = error.to_string();
    assert!(text.contains("`Part."), "{error}");
    assert!(!text.contains("`LogMsg.host"), "{error}");
    let error = t.odm.verify().relation("Nobody.nothing").await.unwrap_err();
    assert!(error.to_string().contains(" more"), "{error}");
    // A pair can be selected by the name of either side.
    for side in [
        "Owner.chores",
        "Chore.owner",
        "Chore.owner <-> Owner.chores",
    ] {
        let _ = t.odm.verify().relation(side).await.expect(side);
    }
}

#[tokio::test]
async fn many_copies_of_few_sources_are_one_aggregation_and_one_find() {
    let t = house("verify_grouped").await;
    let hosts: Vec<_> = (0..20).map(host).collect();
    t.given(&hosts).await;
    // The server generates 300,000 messages, 15,000 for each host.
    let index = doc! { "$mod": ["$_id", 20] };
    let stages = vec![
        doc! { "$match": { "_id": hosts[0].id } },
        doc! { "$project": { "n": { "$range": [0, 300_000] } } },
        doc! { "$unwind": "$n" },
        doc! { "$project": { "_id": "$n" } },
        doc! { "$set": {
            "host": { "$arrayElemAt": [hosts.iter().map(|it| it.id).collect::<Vec<_>>(), index] },
            "ipaddr": { "$concat": ["127.66.66.", { "$toString": { "$mod": ["$_id", 20] } }] },
        } },
        doc! { "$merge": "logmsg" },
    ];
    raw(&t, "hosts").aggregate(stages).await.unwrap();
    t.forget();
    let verify = t.odm.verify().relation("LogMsg.host");
    let began = std::time::Instant::now();
    let drift = verify.await.unwrap();
    eprintln!("300,000 copies verified in {:?}", began.elapsed());
    assert!(drift.is_empty());
    assert_eq!(drift.checked, 300_000);
    assert_eq!(t.recorder().names(), ["aggregate", "find"]);
}

#[tokio::test]
async fn stale_copies_are_found_whatever_types_their_ids_have() {
    let t = house("verify_id_types").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    // More than one page of numbers and of strings, and some ids of other types.
    let numbers = (10..1_210).map(Bson::from);
    let texts = (0..1_210).map(|it| Bson::from(format!("id {it}")));
    let ids: Vec<Bson> = ids_of_several_types()
        .into_iter()
        .chain(numbers)
        .chain(texts)
        .collect();
    let message = |id: &Bson| doc! { "_id": id.clone(), "host": host.id, "ipaddr": "old" };
    put(&t.odm, "logmsg", ids.iter().map(message)).await;
    let drift = t.odm.verify().relation("LogMsg.host").await.unwrap();
    assert_eq!(drift.len(), ids.len());
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!(report.repaired(), ids.len() as u64);
}
