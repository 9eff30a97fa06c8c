//! Inserts that fail store nothing, and their errors report this.

use mongo_odm::{
    Error, ErrorKind,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use super::models::*;

#[tokio::test]
async fn a_violated_rule_is_reported_before_anything_is_sent() {
    let (t, odm, owner) = opened("ins_rules").await;
    let mut new = new_ticket(owner.id);
    new.title.clear();
    let Err(Error::Validation {
        model, violations, ..
    }) = new.insert(&odm).await
    else {
        panic!("the title is empty");
    };
    assert_eq!((model, &*violations[0].path), ("Ticket", "t"));
    let mut new = new_ticket(owner.id);
    for _ in 0..3 {
        let member = owner.id;
        new.lines.push(NewLine { member, count: 1 });
    }
    let full = new.insert(&odm).await.unwrap_err();
    assert_eq!(full.kind(), ErrorKind::BoundExceeded);
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn the_tenant_is_that_of_the_handle() {
    let (t, odm, _) = opened("ins_tenants").await;
    let name = || "Eve".to_owned();
    let new = NewMember {
        name: name(),
        rank: Rank::Low,
    };
    let without = new.insert(&t.odm).await.unwrap_err();
    assert!(without.to_string().contains("for_tenant"), "{without}");
    let all = t.odm.all_tenants();
    let unknown = new.insert(&all).await.unwrap_err();
    assert!(unknown.to_string().contains("all tenants"), "{unknown}");
    let of_two = MemberOfOrg {
        org: 2,
        name: name(),
        rank: Rank::Low,
    };
    let other = of_two.insert(&odm).await.unwrap_err();
    assert!(other.to_string().contains("has the tenant"), "{other}");
    assert_eq!(t.recorder().names(), [""; 0]);
    assert_eq!(of_two.insert(&all).await.unwrap().org, 2);
    assert_eq!(new.insert(&odm).await.unwrap().org, 1);
    assert_eq!(Member::count(&odm).await.unwrap(), 2);
}

#[tokio::test]
async fn a_required_target_must_exist() {
    let (_t, odm, _) = opened("ins_exists").await;
    let dangling = new_ticket(Id::new()).insert(&odm).await.unwrap_err();
    assert_eq!(dangling.kind(), ErrorKind::NoTarget);
    assert_eq!(Ticket::count(&odm).await.unwrap(), 0);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_sources")]
struct Source {
    #[serde(rename = "_id")]
    id: Id<Source, i64>,
    text: String,
    size: Size,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Size {
    Unknown,
    Meters(i32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_copies")]
struct Copied {
    #[serde(rename = "_id")]
    id: Id<Copied>,
    #[refs(one)]
    source: Id<Source, i64>,
    #[denorm(from = Source.text)]
    text: String,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Copied")]
struct NewCopied {
    source: Id<Source, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_sizes")]
struct Sized {
    #[serde(rename = "_id")]
    id: Id<Sized>,
    #[refs(one)]
    source: Id<Source, i64>,
    #[denorm(from = Source.size)]
    size: Size,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Sized")]
struct NewSized {
    source: Id<Source, i64>,
}

async fn counted(t: &Harness, collection: &str) -> u64 {
    let documents = t.odm.database().collection::<Document>(collection);
    documents.count_documents(doc! {}).await.unwrap()
}

#[tokio::test]
async fn a_copy_without_a_source_is_an_empty_value() {
    let t = Harness::long_declared("ins_dangling").await;
    let new = NewCopied {
        source: Id::from_key(7),
    };
    let copied = new.insert(&t.odm).await.unwrap();
    assert_eq!(copied.text, "");
    assert_eq!(Copied::get(&t.odm, copied.id).await.unwrap(), copied);
}

#[tokio::test]
async fn a_copy_that_the_struct_cannot_read_is_not_stored() {
    let t = Harness::long_declared("ins_unreadable").await;
    let sources = t.odm.database().collection::<Document>("ins_sources");
    let odd = doc! { "_id": 1_i64, "text": 5, "size": "Unknown" };
    sources.insert_one(odd).await.unwrap();
    let new = NewCopied {
        source: Id::from_key(1),
    };
    let error = new.insert(&t.odm).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("text"), "{error}");
    let in_transaction = t.odm.transaction(async |tx| new.insert(&tx).await);
    assert_eq!(in_transaction.await.unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(counted(&t, "ins_copies").await, 0);
    // This report does not contain the document, so the call stores the value of the source unchanged.
    new.insert(&t.odm).reporting().await.unwrap();
    let stored = stored(&t, "ins_copies").await;
    assert_eq!(stored.get("text"), Some(&Bson::Int32(5)));
}

#[tokio::test]
async fn a_copy_of_a_type_without_an_empty_value_is_an_error_with_a_remedy() {
    let t = Harness::long_declared("ins_no_blank").await;
    let new = NewSized {
        source: Id::from_key(1),
    };
    let error = new.insert(&t.odm).await.unwrap_err().to_string();
    assert!(error.contains("`Sized.size` is a copy"), "{error}");
    assert!(error.contains("`#[serde(default)]`"), "{error}");
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_unread")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player>,
    name: String,
    #[serde(skip_deserializing)]
    level: i64,
}

#[derive(Debug, Insertable)]
#[insertable(of = "Player")]
struct NewPlayer {
    name: String,
}

#[tokio::test]
async fn a_call_does_not_set_a_field_that_serde_does_not_read() {
    let t = Harness::long_declared("ins_unread").await;
    let new = NewPlayer { name: "a".into() };
    let set = new.insert(&t.odm).set(Player::fields().level, 7);
    let message = set.await.unwrap_err().to_string();
    assert!(
        message.contains("serde does not read `Player.level`"),
        "{message}"
    );
    assert_eq!(t.recorder().names(), [""; 0]);
}
