//! Bounds in writes of every other form: many, returned, upserted, by a pipeline.

use super::*;

#[tokio::test]
async fn update_many_pushes_to_all_or_to_none() {
    let t = Harness::new("bounds_update_many").await;
    let field = Account::fields().friends;
    let push = |name: &str| {
        let filter = Account::fields().name.eq(name);
        Account::update_many(&t.odm, filter).push(field, Id::new())
    };
    t.given(&[
        account("roomy"),
        account("roomy"),
        account("mixed"),
        full("mixed"),
    ])
    .await;
    let (report, sent) = t.sent(async { push("roomy").await.unwrap() }).await;
    assert_eq!((report.matched, report.modified), (2, 2));
    assert_eq!(sent, ["find", "update", "commitTransaction"]);
    exceeds(&push("mixed").await.unwrap_err(), "friends", 4, None);
    exceeds(&push("roomy").await.unwrap_err(), "friends", 4, None);
    let sizes = async |name: &str| {
        let found = Account::find(&t.odm)
            .filter(Account::fields().name.eq(name))
            .await
            .unwrap();
        found
            .iter()
            .map(|account| account.friends.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes("roomy").await, [4, 4]);
    assert_eq!(sizes("mixed").await, [3, 4]);

    let (error, sent) = t
        .sent(async {
            let all = Account::update_many(&t.odm, doc! {});
            all.add_to_set(field, Id::new()).await.unwrap_err()
        })
        .await;
    assert_eq!(
        error.to_string(),
        "what this update does to the bounded arrays of `Account` depends on each document; \
         update them one by one, or use `$push` with `$each`"
    );
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn find_one_and_update_keeps_bounds_too() {
    let t = Harness::new("bounds_find_and").await;
    let fields = Account::fields();
    let mut account = account("a");
    account.insert(&t.odm).await.unwrap();
    let find = || Account::find_one_and_update(&t.odm, fields.name.eq("a"));
    let last = Id::new();
    let (before, sent) = t
        .sent(async { find().push(fields.friends, last).await.unwrap() })
        .await;
    assert_eq!(before, Some(account.clone()));
    assert_eq!(sent, ["findAndModify"]);
    account.friends.push(last);
    exceeds(
        &find().push(fields.friends, Id::new()).await.unwrap_err(),
        "friends",
        4,
        None,
    );
    let error = find()
        .add_to_set(fields.friends, Id::new())
        .await
        .unwrap_err();
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);

    let extra = Line {
        sku: "extra".to_owned(),
    };
    let before = find()
        .add_to_set(fields.profile.phones, &extra)
        .await
        .unwrap();
    assert_eq!(before, Some(account.clone()));
    account.profile.phones.push(extra.clone());
    let after = find()
        .add_to_set(fields.profile.phones, &extra)
        .return_new()
        .await
        .unwrap();
    assert_eq!(after, Some(account.clone()));
    let nobody = Account::find_one_and_update(&t.odm, fields.name.eq("nobody"));
    assert_eq!(
        nobody.add_to_set(fields.friends, Id::new()).await.unwrap(),
        None
    );
    let nobody = Account::find_one_and_update(&t.odm, fields.name.eq("nobody"));
    assert_eq!(nobody.push(fields.friends, Id::new()).await.unwrap(), None);
}

#[tokio::test]
async fn a_sorted_push_goes_to_the_first_document_or_to_none() {
    let t = Harness::new("bounds_find_and_sort").await;
    let fields = Account::fields();
    let first = full("a");
    let second = account("b");
    t.given(&[first.clone(), second.clone()]).await;
    let find = || Account::find_one_and_update(&t.odm, doc! {}).push(fields.friends, Id::new());
    let error = find().sort(fields.name.asc()).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error:?}");
    assert_eq!(stored(&t, &second).await, second);
    let before = find().sort(fields.name.desc()).await.unwrap();
    assert_eq!(before, Some(second.clone()));
    assert_eq!(stored(&t, &second).await.friends.len(), 4);
}

#[tokio::test]
async fn an_upsert_keeps_bounds_and_never_inserts_beside_a_full_document() {
    let t = Harness::new("bounds_upsert").await;
    let fields = Account::fields();
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let rest = || {
        let profile = doc! { "label": "home", "phones": [] };
        doc! { "$setOnInsert": { "count": 0, "profile": profile, "orders": [], "others": [] } }
    };
    let upsert = |name: &str| Account::upsert(&t.odm, fields.name.eq(name)).with(rest());
    let error = upsert("a")
        .push(fields.friends, Id::new())
        .await
        .unwrap_err();
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(Account::count(&t.odm).await.unwrap(), 1);
    assert_eq!(stored(&t, &account).await, account);

    let report = upsert("b")
        .push_all(fields.friends, friends(2))
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (0, 0));
    assert!(report.upserted_id.is_some());
    let report = upsert("b")
        .push_all(fields.friends, friends(2))
        .await
        .unwrap();
    assert_eq!(
        (report.matched, report.modified, report.upserted_id),
        (1, 1, None)
    );
    exceeds(
        &upsert("b")
            .push(fields.friends, Id::new())
            .await
            .unwrap_err(),
        "friends",
        4,
        Some(5),
    );

    let in_filter = Account::upsert(&t.odm, fields.friends.eq(friends(6))).with(rest());
    exceeds(
        &in_filter.set(fields.name, "c").await.unwrap_err(),
        "friends",
        4,
        Some(6),
    );
    assert_eq!(Account::count(&t.odm).await.unwrap(), 2);
}

#[tokio::test]
async fn a_pipeline_is_checked_by_what_it_did() {
    let t = Harness::new("bounds_pipeline").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let append = |count: usize| {
        let more = friends(count);
        let all = doc! { "$concatArrays": ["$friends", more] };
        Account::update(&t.odm, account.id).modifications(vec![doc! { "$set": { "friends": all } }])
    };
    exceeds(&append(2).await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);
    assert_eq!(append(1).await.unwrap().matched, 1);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);

    let nested = vec![doc! { "$set": { "orders.lines": ["a", "b", "c"] } }];
    let error = Account::update(&t.odm, account.id)
        .modifications(nested)
        .await
        .unwrap_err();
    exceeds(&error, "orders.lines", 2, Some(3));
}
