//! Streams with pre-images that contain an upsert: the library adds the copies and summaries in further statements.

use mongo_odm::{action::DocumentChange, prelude::*};
use odm_tests::Harness;

use super::next;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_editors")]
struct Editor {
    #[serde(rename = "_id")]
    id: Id<Editor, i64>,
    name: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Cover {
    #[default]
    Soft,
    Hard,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_printers")]
struct Printer {
    #[serde(rename = "_id")]
    id: Id<Printer, i64>,
    city: String,
    cover: Cover,
}

/// A document with required copies from two sources, which are set by two statements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_prints", pre_images)]
struct Print {
    #[serde(rename = "_id")]
    id: Id<Print, i64>,
    #[parent_ref]
    editor: Id<Editor, i64>,
    #[denorm(from = Editor.name, via = editor)]
    editor_name: String,
    #[parent_ref]
    printer: Id<Printer, i64>,
    #[denorm(from = Printer.city, via = printer)]
    city: String,
    #[denorm(from = Printer.cover, via = printer)]
    cover: Cover,
    #[rollup(count, of = "Copy", via = "print")]
    copies: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_copies")]
struct Copy {
    #[serde(rename = "_id")]
    id: Id<Copy, i64>,
    #[parent_ref]
    print: Id<Print, i64>,
}

#[tokio::test]
async fn each_event_of_an_upsert_with_several_sources_can_be_decoded() {
    let t = Harness::new("watch_upserts_sources").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Print>().only::<Printer>();
    sync.only::<Copy>().only::<Editor>().await.unwrap();
    let editor = Editor {
        id: Id::from_key(1),
        name: "Tove".to_owned(),
    };
    editor.insert(odm).await.unwrap();
    let printer = Printer {
        id: Id::from_key(1),
        city: "Turku".to_owned(),
        cover: Cover::Hard,
    };
    printer.insert(odm).await.unwrap();
    let mut prints = Print::watch(odm).with_before().await.unwrap();
    let id: Id<Print, i64> = Id::from_key(1);
    let print = Print::upsert(odm, Print::fields().id.eq(id));
    let print = print.set(Print::fields().editor, Id::from_key(1));
    print
        .set(Print::fields().printer, Id::from_key(1))
        .await
        .unwrap();
    let stored = Print::get(odm, id).await.unwrap();
    assert_eq!((stored.city.as_str(), stored.cover), ("Turku", Cover::Hard));
    Print::delete(odm, id).await.unwrap();
    let mut last = None;
    loop {
        match next(&mut prints).await.change {
            DocumentChange::Deleted { before, .. } => {
                assert_eq!(before.as_ref(), Some(&stored));
                break;
            }
            change => last = change.document().cloned(),
        }
    }
    assert_eq!(last, Some(stored));
}
