//! Keys without a document: the target is missing, excluded by a filter or a skip, or not
//! requested.

use mongo_odm::{Error, JoinKey, bson::Bson, prelude::*, relation::Slot};
use odm_tests::{Harness, sent::only, shop::*};

/// Stores two parts in stock and one out of stock, and a product that refers to these and to a part that is not stored.
async fn stock(t: &Harness) -> (Vec<Part>, Product) {
    let mut parts = parts(4);
    parts[1].qty = 0;
    t.given(&parts[..3]).await;
    let product = product(1, &parts);
    t.forget();
    (parts, product)
}

fn in_stock() -> mongo_odm::Filter<Part> {
    Part::fields().qty.gt(0)
}

fn key(part: &Part) -> JoinKey {
    JoinKey::from(Bson::from(part.id))
}

#[tokio::test]
async fn a_load_tells_documents_that_a_filter_left_out_from_missing_ones_by_a_second_look() {
    let t = Harness::new("absent_of_a_load").await;
    let (parts, product) = stock(&t).await;
    let load = || product.load_parts(&t.odm).filter(in_stock());
    let slots = load().slots().await.unwrap();
    let [first, left_out, second, gone] = &parts[..] else {
        panic!("four parts")
    };
    let unmatched = |part| Slot::Unmatched(key(part));
    assert_eq!(
        slots,
        [
            Slot::Found(first.clone()),
            unmatched(left_out),
            Slot::Found(second.clone()),
            unmatched(gone),
        ]
    );
    assert!(slots.iter().all(|slot| !slot.is_missing()));
    t.forget();
    assert_eq!(load().missing().await.unwrap(), [key(gone)]);
    let look = only(&t, "find");
    assert!(
        look.get_document("filter").unwrap().contains_key("_id"),
        "{look}"
    );
    assert_eq!(look.get_document("projection").unwrap(), &doc! { "_id": 1 });
    let unfiltered = product.load_parts(&t.odm).slots().await.unwrap();
    assert_eq!(unfiltered[3], Slot::Missing(key(gone)));
}

#[tokio::test]
async fn a_join_tells_documents_that_a_filter_left_out_from_missing_ones_by_a_second_look() {
    let t = Harness::new("absent_of_a_join").await;
    let (parts, product) = stock(&t).await;
    let join = || Product::join_parts([&product], &t.odm).filter(in_stock());
    let joined = join().await.unwrap();
    assert_eq!(
        joined.slots_of(&product)[1],
        Slot::Unmatched(key(&parts[1]))
    );
    assert_eq!(joined.unmatched(), [key(&parts[1]), key(&parts[3])]);
    assert_eq!(joined.missing(), []);
    t.forget();
    assert_eq!(join().missing().await.unwrap(), [key(&parts[3])]);
    assert_eq!(t.recorder().names(), ["find"]);
    let whole = Product::join_parts([&product], &t.odm).await.unwrap();
    assert_eq!(whole.missing(), [key(&parts[3])]);
    assert_eq!(whole.unmatched(), []);
    let empty = Product::join_parts([&product], &t.odm).filter(doc! {});
    assert_eq!(
        empty.await.unwrap().missing(),
        [key(&parts[3])],
        "no filter"
    );
}

#[tokio::test]
async fn an_error_says_that_a_filter_may_have_left_a_document_out() {
    let t = Harness::new("absent_in_errors").await;
    let (parts, product) = stock(&t).await;
    let load = product.load_parts(&t.odm).filter(in_stock()).require_all();
    let error = load.await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "2 of the documents that `Product.parts` refers to were not returned from `parts`: they are \
             missing, deleted, or excluded by a filter or a skip: ObjectId(\"{}\"), ObjectId(\"{}\"); \
             `missing()` returns the missing ones",
            parts[1].id, parts[3].id
        )
    );
    let join = Product::join_parts([&product], &t.odm).filter(in_stock());
    let error = join.require_all().await.unwrap_err();
    assert!(matches!(error, Error::Unmatched { keys, .. } if keys.len() == 2));

    let person = Person {
        id: Id::new(),
        name: "Kate Monster".into(),
        addresses: Vec::new(),
        tasks: Vec::new(),
    };
    t.given(std::slice::from_ref(&person)).await;
    let task = Task {
        id: Id::new(),
        description: "Write lesson plan".into(),
        due_date: DateTime::from_millis(0),
        owner: person.id,
    };
    let other = Person::fields().name.eq("Rod");
    let error = task.load_owner(&t.odm).filter(other).require().await;
    let Err(Error::Unmatched { keys, .. }) = error else {
        panic!("{error:?}")
    };
    assert_eq!(keys, [Bson::from(person.id)]);
}

#[tokio::test]
async fn a_reference_to_one_has_a_slot() {
    let t = Harness::new("slot_of_one").await;
    let person = Person {
        id: Id::new(),
        name: "Kate Monster".into(),
        addresses: Vec::new(),
        tasks: Vec::new(),
    };
    let mut task = Task {
        id: Id::new(),
        description: "Write lesson plan".into(),
        due_date: DateTime::from_millis(0),
        owner: person.id,
    };
    let slot = async |task: &Task| task.load_owner(&t.odm).slot().await.unwrap();
    let gone = Slot::Missing(JoinKey::from(Bson::from(person.id)));
    assert_eq!(slot(&task).await, gone);
    t.given(std::slice::from_ref(&person)).await;
    t.forget();
    assert_eq!(slot(&task).await, Slot::Found(person.clone()));
    assert_eq!(t.recorder().names(), ["find"]);
    let filtered = task.load_owner(&t.odm).filter(doc! { "name": "Rod" });
    assert!(matches!(filtered.slot().await, Ok(Slot::Unmatched(_))));
    task.owner = Id::new();
    assert!(slot(&task).await.is_missing());
    let missing = task.load_owner(&t.odm).missing().await.unwrap();
    assert_eq!(missing, [JoinKey::from(Bson::from(task.owner))]);
}

#[tokio::test]
async fn an_owner_that_was_not_joined_has_no_missing_keys() {
    let t = Harness::new("owner_not_joined").await;
    let (parts, joined_one) = stock(&t).await;
    let joined = Product::join_parts([&joined_one], &t.odm).await.unwrap();
    let other = part(9);
    t.given(std::slice::from_ref(&other)).await;
    let stranger = product(2, [&other, &parts[0], &parts[3]]);
    assert_eq!(
        joined.slots_of(&stranger),
        [
            Slot::NotAsked(key(&other)),
            Slot::Found(&parts[0]),
            Slot::Missing(key(&parts[3])),
        ]
    );
    assert!(joined.of(&stranger).eq([&parts[0]]));
}

#[tokio::test]
async fn a_limit_of_none_says_of_no_key_that_it_is_missing() {
    let t = Harness::new("limit_of_none_is_not_missing").await;
    let (parts, product) = stock(&t).await;
    let none = || Product::join_parts([&product], &t.odm).limit_each(0);
    let joined = none().await.unwrap();
    assert_eq!((joined.missing(), joined.unmatched()), (vec![], vec![]));
    let not_asked: Vec<_> = parts.iter().map(|part| Slot::NotAsked(key(part))).collect();
    assert_eq!(joined.slots_of(&product), not_asked);
    assert!(none().require_all().await.unwrap().is_empty());
    assert_eq!(t.recorder().names(), [""; 0]);
    assert_eq!(none().missing().await.unwrap(), [key(&parts[3])]);
}

/// Stores hosts with no, two and five messages.
async fn logs(t: &Harness) -> ([Host; 3], [Vec<LogMsg>; 3]) {
    let hosts = [host(1), host(2), host(3)];
    let all = [0, 1, 2].map(|at: usize| messages(&hosts[at], [0, 2, 5][at]));
    t.given(&all.concat()).await;
    t.forget();
    (hosts, all)
}

#[tokio::test]
async fn a_join_skips_documents_of_each_owner_on_the_server() {
    let t = Harness::new("skip_each_on_the_server").await;
    let (hosts, all) = logs(&t).await;
    let second_page = || {
        Host::join_messages(&hosts, &t.odm)
            .sort(LogMsg::fields().time.asc())
            .skip_each(2)
            .limit_each(2)
    };
    let plan = second_page().plan().unwrap().to_string();
    assert!(
        plan.contains("{ $skip: NumberLong(\"2\") }, { $limit: NumberLong(\"2\") }"),
        "{plan}"
    );
    let page = second_page().await.unwrap();
    assert_eq!(t.recorder().names(), ["aggregate"]);
    assert_eq!(page.len(), 2, "nothing else came");
    assert_eq!(page.of(&hosts[1]).len(), 0);
    assert!(page.of(&hosts[2]).eq(&all[2][2..4]));
    // The reply does not show whether a host has no messages at all or no further ones.
    assert_eq!(page.missing(), []);
    assert_eq!(page.unmatched().len(), 2);
    assert!(matches!(page.slots_of(&hosts[1])[..], [Slot::Unmatched(_)]));
    let missing = second_page().missing().await.unwrap();
    assert_eq!(missing, [JoinKey::from(Bson::from(hosts[0].id))]);
    let required = Host::join_messages(&hosts[1..], &t.odm)
        .sort(LogMsg::fields().time.asc())
        .skip_each(2)
        .limit_each(2)
        .require_all();
    let required = required.await.unwrap();
    assert!(
        required.of(&hosts[2]).eq(&all[2][2..4]),
        "those of host 2 exist"
    );
}

#[tokio::test]
async fn a_join_skips_documents_of_each_owner_after_loading_where_order_is_stored() {
    let t = Harness::new("skip_each_after_loading").await;
    let (parts, product) = stock(&t).await;
    let joined = Product::join_parts([&product], &t.odm).skip_each(1);
    assert!(joined.await.unwrap().of(&product).eq(&parts[1..3]));
    let joined = Product::join_parts([&product], &t.odm)
        .skip_each(1)
        .limit_each(1);
    let joined = joined.await.unwrap();
    assert!(joined.of(&product).eq(&parts[1..2]));
    assert_eq!(joined.missing(), [key(&parts[3])]);
    let beyond = Product::join_parts([&product], &t.odm).skip_each(9);
    assert_eq!(beyond.await.unwrap().of(&product).len(), 0);
    let (hosts, all) = logs(&t).await;
    let by_time = LogMsg::fields().time.asc();
    let all_but_one = Host::join_messages(&hosts, &t.odm)
        .sort(by_time)
        .skip_each(1);
    let all_but_one = all_but_one.await.unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    assert!(all_but_one.of(&hosts[2]).eq(&all[2][1..]));
}

#[tokio::test]
async fn a_count_takes_a_plain_filter_as_it_is() {
    let t = Harness::new("count_with_a_plain_filter").await;
    let (_, product) = stock(&t).await;
    let plain = product
        .count_parts(&t.odm)
        .filter(doc! { "qty": { "$gt": 0 } });
    assert_eq!(plain.await.unwrap(), 2);
    assert_eq!(
        product
            .count_parts(&t.odm)
            .filter(in_stock())
            .await
            .unwrap(),
        2
    );
}
