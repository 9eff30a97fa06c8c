//! `get_or_create`, which returns a single document even if concurrent calls create it.

use futures_util::future::join_all;
use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "created_teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "created_accounts",
    index(keys(realm = 1, number = 1), unique)
)]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account>,
    #[index(unique)]
    email: String,
    realm: String,
    number: i32,
    #[index(unique, partial = r#"{"nick": {"$gt": ""}}"#)]
    nick: String,
    #[parent_ref]
    team: Id<Team, i32>,
    #[denorm(from = "Team.name", via = "team")]
    team_name: String,
}

fn account(email: &str, number: i32) -> Account {
    Account {
        id: Id::new(),
        email: email.to_owned(),
        realm: "north".to_owned(),
        number,
        nick: String::new(),
        team: Id::from_key(1),
        team_name: String::new(),
    }
}

async fn harness(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().await.unwrap();
    let team = Team {
        id: Id::from_key(1),
        name: "red".to_owned(),
    };
    t.given(&[team]).await;
    t
}

#[tokio::test]
async fn a_missing_document_is_inserted_with_its_copies_and_then_found() {
    let t = harness("get_or_create").await;
    let new = account("a@example.org", 1);
    let by_email = || Account::fields().email.eq("a@example.org");
    let created = Account::get_or_create(&t.odm, by_email(), &new)
        .await
        .unwrap();
    assert!(created.is_created);
    assert_eq!(created.document.team_name, "red", "the copy is filled");
    let other = account("a@example.org", 2);
    let (found, sent) = t
        .sent(async {
            Account::get_or_create(&t.odm, by_email(), &other)
                .await
                .unwrap()
        })
        .await;
    assert_eq!(sent, ["find"]);
    assert!(!found.is_created);
    assert_eq!(found.document, created.document);
    let by_key = Account::fields().realm.eq("north") & Account::fields().number.eq(1);
    let found = Account::get_or_create(&t.odm, by_key, &new).await.unwrap();
    assert_eq!(found.document.id, new.id);
    let by_id = Account::fields().id.eq(new.id);
    assert!(
        !Account::get_or_create(&t.odm, by_id, &new)
            .await
            .unwrap()
            .is_created
    );
}

#[tokio::test]
async fn calls_at_the_same_time_return_one_document() {
    let t = harness("get_or_create_race").await;
    for round in 0..10 {
        let email = format!("{round}@example.org");
        let calls = (0..8).map(|call| {
            let (odm, new) = (t.odm.clone(), account(&email, round * 10 + call));
            let by_email = Account::fields().email.eq(&email);
            async move { Account::get_or_create(&odm, by_email, &new).await.unwrap() }
        });
        let all = join_all(calls).await;
        assert_eq!(all.iter().filter(|it| it.is_created).count(), 1);
        assert!(all.iter().all(|it| it.document == all[0].document));
        assert_eq!(
            Account::count(&t.odm)
                .filter(Account::fields().email.eq(&email))
                .await
                .unwrap(),
            1
        );
    }
}

#[tokio::test]
async fn calls_in_transactions_at_the_same_time_return_one_document() {
    let t = harness("get_or_create_tx").await;
    for round in 0..5 {
        let email = format!("{round}@example.org");
        let calls = (0..4).map(|call| {
            let (odm, new) = (t.odm.clone(), account(&email, round * 10 + call));
            let email = email.clone();
            async move {
                let got = odm.transaction(async |tx| {
                    let by_email = Account::fields().email.eq(&email);
                    Account::get_or_create(&tx, by_email, &new).await
                });
                got.await.unwrap()
            }
        });
        let all = join_all(calls).await;
        assert_eq!(all.iter().filter(|it| it.is_created).count(), 1);
        assert!(all.iter().all(|it| it.document == all[0].document));
    }
}

#[tokio::test]
async fn a_filter_without_a_unique_index_is_rejected_before_anything_is_sent() {
    let t = harness("get_or_create_index").await;
    let fields = Account::fields();
    let new = account("a@example.org", 1);
    let filters = [
        fields.realm.eq("north"),
        fields.nick.eq(""),
        fields.email.eq("a@example.org") | fields.number.eq(1),
        fields.email.gt("a"),
    ];
    for filter in filters {
        let call = Account::get_or_create(&t.odm, filter, &new);
        let (error, sent) = t.sent(async { call.await.unwrap_err() }).await;
        assert!(sent.is_empty(), "{sent:?}");
        let text = error.to_string();
        assert!(
            text.contains("`Account::get_or_create` requires no value of a unique index"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_new_document_that_does_not_match_is_rejected() {
    let t = harness("get_or_create_match").await;
    let new = account("a@example.org", 1);
    let other = Account::fields().email.eq("b@example.org");
    let error = Account::get_or_create(&t.odm, other, &new)
        .await
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("the new `Account` has \"a@example.org\" in `email`"),
        "{text}"
    );
    let impossible = Account::fields().email.eq("a@example.org") & Account::fields().number.gt(5);
    let error = Account::get_or_create(&t.odm, impossible, &new)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("has inserted a `Account` that does not match its filter"),
        "{error}"
    );
}

#[tokio::test]
async fn a_duplicate_of_another_unique_index_is_an_error() {
    let t = harness("get_or_create_other").await;
    account("a@example.org", 1).insert(&t.odm).await.unwrap();
    let by_email = Account::fields().email.eq("b@example.org");
    let call = Account::get_or_create(&t.odm, by_email, &account("b@example.org", 1));
    let error: Error = call.await.unwrap_err();
    assert!(error.is_duplicate_key(), "{error}");
    assert_eq!(Account::count(&t.odm).await.unwrap(), 1);
}

#[tokio::test]
async fn the_plan_shows_what_a_new_document_costs() {
    let t = harness("get_or_create_plan").await;
    let new = account("a@example.org", 1);
    let by_email = Account::fields().email.eq("a@example.org");
    let plan = Account::get_or_create(&t.odm, by_email, &new)
        .plan()
        .unwrap();
    let text = plan.to_string();
    assert_eq!(
        text.matches("db.created_accounts.find").count(),
        2,
        "{text}"
    );
    assert!(text.contains("db.created_accounts.insertOne"), "{text}");
}
