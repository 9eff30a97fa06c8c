//! Compares the statements that a write of a child sends with its plan.

use mongo_odm::Plan;
use odm_tests::planned::assert_sent;

use super::*;

/// A jar, from which nothing is copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "jars")]
struct Jar {
    #[serde(rename = "_id")]
    id: Id<Jar>,
    #[recent(of = "Coin", via = "jar", sort = "value", limit = 10)]
    largest: Vec<Coin>,
    #[rollup(sum, of = "Coin", via = "jar", field = "value")]
    savings: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "coins")]
struct Coin {
    #[serde(rename = "_id")]
    id: Id<Coin>,
    #[parent_ref]
    jar: Id<Jar>,
    value: i32,
}

/// Two jars with coins in the first. The handle has already sent the statements that it sends only once.
async fn jars(test: &str) -> (Harness, [Jar; 2], Vec<Coin>) {
    let t = empty(test).await;
    t.odm
        .sync_indexes()
        .only::<Jar>()
        .only::<Coin>()
        .await
        .unwrap();
    let jars = [0, 1].map(|_| Jar {
        id: Id::new(),
        largest: Vec::new(),
        savings: 0,
    });
    t.given(&jars).await;
    let coins: Vec<Coin> = (0..3).map(|value| coin(&jars[0], value)).collect();
    Coin::insert_many(&t.odm, &coins).await.unwrap();
    Coin::delete(&t.odm, coins[0].id).await.unwrap();
    t.forget();
    (t, jars, coins)
}

fn coin(jar: &Jar, value: i32) -> Coin {
    Coin {
        id: Id::new(),
        jar: jar.id,
        value,
    }
}

#[tokio::test]
async fn writes_of_children_send_what_they_plan() {
    let (t, [one, other], coins) = jars("computed_plans").await;
    let fields = Coin::fields();
    macro_rules! same {
        ($title:literal, $builder:expr) => {{
            let plan: Plan = $builder.plan().unwrap();
            t.forget();
            let done = $builder.await.unwrap();
            assert_sent(&t, $title, &plan);
            done
        }};
    }
    let new = coin(&one, 5);
    same!("insert", new.insert(&t.odm));
    same!(
        "another value",
        Coin::update(&t.odm, coins[1].id).set(fields.value, 7)
    );
    same!(
        "deferred",
        Coin::update(&t.odm, coins[1].id)
            .set(fields.value, 8)
            .deferred()
    );
    settle(&t.odm).await;
    same!("delete", Coin::delete(&t.odm, coins[1].id));
    let jar = Jar {
        id: Id::new(),
        ..other
    };
    same!("a new parent", jar.insert(&t.odm));
}

/// Detects additional round trips.
#[tokio::test]
async fn round_trips_are_counted() {
    let (t, [one, other], coins) = jars("computed_round_trips").await;
    let sent = async |write: &str, expected: &[&str]| {
        assert_eq!(t.recorder().names(), expected, "{write}");
        t.forget();
    };
    let (id, fields) = (coins[1].id, Coin::fields());

    coin(&one, 5).insert(&t.odm).await.unwrap();
    let insert = ["insert", "update", "commitTransaction"];
    sent("insert", &insert).await;

    let more: Vec<Coin> = (20..120).map(|value| coin(&one, value)).collect();
    Coin::insert_many(&t.odm, &more).await.unwrap();
    sent("insert of many", &insert).await;

    let most: Vec<Coin> = (0..1_500).map(|_| coin(&one, 1)).collect();
    let report = Coin::insert_many(&t.odm, &most).await.unwrap();
    // The new coins belong among the coins in the list.
    let among = ["insert", "update", "update", "commitTransaction"];
    let title = "insert of more than the copies that follow at once";
    sent(title, &among).await;
    assert_eq!(report.copies[0].modified, 1, "{report:?}");

    let upsert = Jar::upsert(&t.odm, Jar::fields().id.eq(one.id));
    let label = doc! { "$set": { "label": "red" } };
    upsert.with(label).await.unwrap();
    let own = ["find", "findAndModify", "commitTransaction"];
    sent("upsert of a stored parent", &own).await;

    let update = [
        "findAndModify",
        "aggregate",
        "update",
        "findAndModify",
        "update",
        "aggregate",
        "update",
        "commitTransaction",
    ];
    Coin::update(&t.odm, id)
        .set(fields.value, 50)
        .await
        .unwrap();
    sent("another value", &update).await;

    // One statement updates two parents. The first has no delta, and its list does not contain the coin, so only its
    // job records the change.
    let moved = [
        "findAndModify",
        "aggregate",
        "update",
        "find",
        "update",
        "commitTransaction",
    ];
    Coin::update(&t.odm, id)
        .set(fields.jar, other.id)
        .await
        .unwrap();
    sent("another parent", &moved).await;

    let delete = [
        "find",
        "delete",
        "aggregate",
        "update",
        "find",
        "findAndModify",
        "update",
        "aggregate",
        "update",
        "commitTransaction",
    ];
    Coin::delete(&t.odm, id).await.unwrap();
    sent("delete", &delete).await;
    let savings = Jar::get(&t.odm, one.id).await.unwrap().savings;
    assert_eq!(savings, 2 + 5 + 1_500 + (20..120).sum::<i64>());
}
