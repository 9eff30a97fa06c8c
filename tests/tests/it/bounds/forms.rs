//! Bounds in other forms of writes: of many documents, with a returned document, as an upsert, and
//! with a pipeline.

use odm_tests::cluster::without_id;

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
            .sort(Account::fields().id.asc())
            .await
            .unwrap();
        found
            .iter()
            .map(|account| account.friends.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes("roomy").await, [4, 4]);
    assert_eq!(sizes("mixed").await, [3, 4]);
}

#[tokio::test]
async fn update_many_is_checked_by_what_it_did_where_that_depends_on_each_document() {
    let t = Harness::new("bounds_update_many_after").await;
    let field = Account::fields().friends;
    let add = |name: &str, id: Id<Account>| {
        let filter = Account::fields().name.eq(name);
        Account::update_many(&t.odm, filter).add_to_set(field, id)
    };
    let mut known = full("mixed");
    let roomy = [account("roomy"), account("mixed")];
    t.given(&[roomy[0].clone(), roomy[1].clone(), known.clone()])
        .await;
    let report = add("mixed", known.friends[0]).await.unwrap();
    assert_eq!((report.matched, report.modified), (2, 1));
    assert_eq!(stored(&t, &roomy[1]).await.friends.len(), 4);
    let report = add("roomy", Id::new()).await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    for name in ["roomy", "mixed"] {
        exceeds(
            &add(name, Id::new()).await.unwrap_err(),
            "friends",
            4,
            Some(5),
        );
    }
    assert_eq!(stored(&t, &roomy[0]).await.friends.len(), 4);
    assert_eq!(stored(&t, &known).await, known);
    // Documents that the update itself removes from its filter are checked, too.
    let more = doc! { "$concatArrays": ["$friends", friends(1)] };
    let renamed = vec![doc! { "$set": { "name": "other", "friends": more } }];
    let error = Account::update_many(&t.odm, Account::fields().name.eq("roomy"))
        .modifications(renamed)
        .await;
    exceeds(&error.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &roomy[0]).await.name, "roomy");
    known.name = "none".to_owned();
    let none = add("none", known.id).await.unwrap();
    assert_eq!(none.matched, 0);
}

#[tokio::test]
async fn a_pipeline_that_writes_no_bounded_array_updates_many_documents_at_once() {
    let t = Harness::new("bounds_update_many_pipeline").await;
    let all = [account("a"), full("b")];
    t.given(&all).await;
    let stages = [
        doc! { "$set": { "count": { "$add": ["$count", 1] }, "profile.label": "work" } },
        doc! { "$addFields": { "profile": { "label": { "$toUpper": "$profile.label" } } } },
        doc! { "$set": { "orders.name": "renamed" } },
        doc! { "$unset": ["others", "none"] },
        doc! { "$set": { "others": [] } },
        doc! { "$replaceWith": { "$mergeObjects": ["$$ROOT", { "count": "$count" }] } },
        doc! { "$project": { "none": 0 } },
    ];
    for stages in [vec![stages[0].clone()], stages.to_vec()] {
        let update = || Account::update_many(&t.odm, doc! {}).modifications(stages.clone());
        let (report, sent) = t.sent(async { update().await.unwrap() }).await;
        assert_eq!(report.matched, 2);
        assert_eq!(sent, ["update"], "{stages:?}");
    }
    let stored = stored(&t, &all[0]).await;
    assert_eq!((stored.count, &*stored.profile.label), (2, "WORK"));
    assert_eq!(stored.orders[0].name, "renamed");
    assert_eq!(stored.orders[0].lines, all[0].orders[0].lines);
    let one = Account::update(&t.odm, all[0].id);
    let one = one.modifications(vec![doc! { "$set": { "count": 7 } }]);
    let (_, sent) = t.sent(async { one.await.unwrap() }).await;
    assert_eq!(sent, ["update"]);
    let found = Account::find_one_and_update(&t.odm, Account::fields().name.eq("b"));
    let found = found.modifications(vec![doc! { "$set": { "count": 7 } }]);
    let (_, sent) = t.sent(async { found.await.unwrap() }).await;
    assert_eq!(sent, without_id("findAndModify"));
}

#[tokio::test]
async fn a_pipeline_that_may_write_a_bounded_array_is_checked_in_all_documents() {
    let t = Harness::new("bounds_update_many_pipelines").await;
    let all = [account("a"), account("b")];
    t.given(&all).await;
    let five: Vec<Bson> = friends(5).into_iter().map(Bson::from).collect();
    let more = doc! { "friends": five.clone() };
    for stage in [
        doc! { "$set": more.clone() },
        doc! { "$addFields": { "friends": { "$concatArrays": ["$friends", "$friends"] } } },
        doc! { "$replaceWith": { "$mergeObjects": ["$$ROOT", more.clone()] } },
        doc! { "$replaceRoot": { "newRoot": { "$setField": {
            "field": "friends", "input": "$$ROOT", "value": five.clone(),
        } } } },
        doc! { "$project": { "name": 1, "count": 1, "profile": 1, "orders": 1, "others": 1, "friends": five.clone() } },
    ] {
        let update = Account::update_many(&t.odm, doc! {}).modifications(vec![stage.clone()]);
        match update.await.unwrap_err() {
            Error::BoundExceeded { field, max: 4, .. } => assert_eq!(field, "friends"),
            other => panic!("{stage}: {other:?}"),
        }
    }
    let nested = doc! { "$set": { "profile": { "phones": ["a", "b", "c"] } } };
    let nested = Account::update_many(&t.odm, doc! {}).modifications(vec![nested]);
    exceeds(&nested.await.unwrap_err(), "profile.phones", 2, Some(3));
    for account in &all {
        assert_eq!(stored(&t, account).await, *account);
    }
}

#[tokio::test]
async fn an_array_that_only_an_insert_sets_is_checked_if_the_document_is_inserted() {
    let t = Harness::new("bounds_set_on_insert").await;
    let fields = Account::fields();
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let upsert = |name: &str| {
        let profile = doc! { "label": "home", "phones": [] };
        let rest = doc! { "count": 0, "profile": profile, "orders": [], "others": [] };
        Account::upsert(&t.odm, fields.name.eq(name))
            .with(doc! { "$setOnInsert": rest })
            .set_on_insert(fields.friends, friends(5))
    };
    let report = upsert("a").await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 0));
    assert_eq!(stored(&t, &account).await, account);
    exceeds(&upsert("b").await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(Account::count(&t.odm).await.unwrap(), 1);
    let beyond = Account::upsert(&t.odm, fields.name.eq("a"))
        .with(doc! { "$setOnInsert": { "orders.7.name": "x" } })
        .with(doc! { "$set": { "count": 0, "profile": { "label": "home", "phones": [] } } })
        .set_on_insert(fields.friends, friends(1))
        .set_on_insert(fields.others, friends(0));
    assert_eq!(beyond.await.unwrap().matched, 1);
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
    assert_eq!(sent, without_id("findAndModify"));
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

/// A team. An older version of the model had a larger `max`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bound_teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team>,
    name: String,
    #[serde(default)]
    #[embed(max = 2)]
    lines: Vec<Line>,
}

/// A player, with a copy of the name of the team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bound_players")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player>,
    #[parent_ref]
    team: Id<Team>,
    #[denorm(from = Team.name)]
    team_name: String,
}

#[tokio::test]
async fn an_upsert_of_a_source_does_not_check_an_array_that_it_does_not_change() {
    let t = Harness::new("bounds_upsert_of_a_source").await;
    t.odm.sync_indexes().only::<Player>().await.unwrap();
    let team = Team {
        id: Id::new(),
        name: "a".to_owned(),
        lines: lines(2),
    };
    team.insert(&t.odm).await.unwrap();
    let teams = t.odm.database().collection::<Document>("bound_teams");
    let too_many = doc! { "$push": { "lines": { "sku": "old" } } };
    teams.update_one(doc! {}, too_many).await.unwrap();

    let fields = Team::fields();
    let upsert = || Team::upsert(&t.odm, fields.id.eq(team.id));
    let report = upsert().set(fields.name, "b").await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    let line = Line {
        sku: "new".to_owned(),
    };
    let push = upsert().set_on_insert(fields.name, "c");
    let error = push.push(fields.lines, line).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error:?}");
    let stored = Team::get(&t.odm, team.id).await.unwrap();
    assert_eq!((stored.name.as_str(), stored.lines.len()), ("b", 3));
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
