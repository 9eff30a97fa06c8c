//! A hook sees the actor and the tenant of the write that calls it.

use std::sync::Mutex;

use mongo_odm::bson::Bson;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_cards", tenant = "org", hooks)]
struct Card {
    #[serde(rename = "_id")]
    id: Id<Card, i64>,
    org: String,
    #[deleted_at]
    deleted: Option<DateTime>,
}

/// The actors and tenants that the hooks have seen.
static SEEN: Mutex<Vec<(Option<Bson>, Option<Bson>)>> = Mutex::new(Vec::new());

fn note(tx: &Tx) {
    let odm = tx.odm();
    let seen = (odm.actor().cloned(), odm.tenant().cloned());
    SEEN.lock().unwrap().push(seen);
}

impl Hooks for Card {
    async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
        note(tx);
        Ok(())
    }

    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        note(tx);
        Ok(())
    }
}

#[tokio::test]
async fn a_hook_sees_the_actor_and_the_tenant_of_its_write() {
    let t = Harness::new("hook_who").await;
    let odm = t.odm.for_tenant("harbour").acting_as("ann");
    let card = Card {
        id: 1.into(),
        org: "harbour".to_owned(),
        deleted: None,
    };
    card.insert(&odm).await.unwrap();
    let deleted = odm
        .acting_as("ben")
        .transaction(async |tx| Card::delete(&tx, card.id).await.map(drop));
    deleted.await.unwrap();
    let tenant = Some(Bson::from("harbour"));
    let mut seen = SEEN.lock().unwrap().clone();
    // A repeated transaction calls its hook again.
    seen.dedup();
    let of = |actor: &str| (Some(Bson::from(actor)), tenant.clone());
    assert_eq!(seen, [of("ann"), of("ben")]);
}
