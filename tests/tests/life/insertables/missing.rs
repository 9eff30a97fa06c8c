//! Insertable structs whose fields can be missing from a request.

use mongo_odm::{
    Presence,
    bson::{Bson, doc},
    prelude::*,
};
use odm_tests::Harness;

use super::models::stored;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_memos")]
struct Memo {
    #[serde(rename = "_id")]
    id: Id<Memo>,
    text: String,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    note: Presence<String>,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Memo")]
struct NewMemo {
    text: String,
    #[serde(default)]
    note: Presence<String>,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Memo", set(note))]
struct NewText {
    text: String,
}

#[tokio::test]
async fn a_missing_value_is_left_out_of_the_document() {
    let t = Harness::long_declared("ins_missing").await;
    for (note, expected) in [
        (Presence::Missing, None),
        (Presence::Null, Some(Bson::Null)),
        (Presence::Value("n".to_owned()), Some("n".into())),
    ] {
        let new = NewMemo {
            text: "t".into(),
            note: note.clone(),
        };
        let memo = new.insert(&t.odm).await.unwrap();
        assert_eq!(memo.note, note);
        let stored = stored(&t, "ins_memos").await;
        assert_eq!(stored.get("note").cloned(), expected);
        let new = NewText { text: "t".into() };
        let set = new.insert(&t.odm).set(Memo::fields().note, note.clone());
        assert_eq!(set.await.unwrap().note, note);
        Memo::delete_many(&t.odm, doc! {})
            .everything()
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_field_that_is_never_set_is_still_refused() {
    let t = Harness::long_declared("ins_never_set").await;
    let new = NewText { text: "t".into() };
    let error = new.insert(&t.odm).await.unwrap_err().to_string();
    assert!(error.contains("has no value for `note`"), "{error}");
}
