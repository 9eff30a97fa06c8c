//! The actors of documents: which writes keep the stored ones.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_authors")]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i64>,
    name: String,
}

/// A document whose actors are references. A copy depends on one of the references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_drafts")]
struct Draft {
    #[serde(rename = "_id")]
    id: Id<Draft, i64>,
    text: String,
    #[created_by]
    #[refs(one, on_delete = "nullify")]
    author: Option<Id<Author, i64>>,
    #[updated_by]
    #[refs(one, on_delete = "nullify")]
    editor: Option<Id<Author, i64>>,
    #[denorm(from = Author.name, via = editor)]
    editor_name: Option<String>,
    #[deleted_at]
    deleted: Option<DateTime>,
    #[version]
    version: i64,
}

fn draft(number: i64) -> Draft {
    Draft {
        id: id(number),
        text: "a".into(),
        author: None,
        editor: None,
        editor_name: None,
        deleted: None,
        version: 0,
    }
}

async fn opened(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Draft>();
    sync.only::<Folder>().await.unwrap();
    let author = |number, name: &str| Author {
        id: id(number),
        name: name.to_owned(),
    };
    t.given(&[author(1, "Ann"), author(2, "Lars")]).await;
    t
}

#[tokio::test]
async fn a_delete_rule_removes_an_actor() {
    let t = opened("life_actors_nullify").await;
    let odm = &t.odm;
    draft(1).insert(&odm.acting_as(1_i64)).await.unwrap();
    Draft::update(&odm.acting_as(2_i64), id(1))
        .set(Draft::fields().text, "b")
        .await
        .unwrap();
    Author::delete(&odm.acting_as(2_i64), id(1)).await.unwrap();
    let stored = Draft::get(odm, id(1)).await.unwrap();
    let editor = Some(id(2));
    assert_eq!((stored.author, stored.editor), (None, editor));
    assert_eq!(stored.version, 3);
    Author::delete(odm, id(2)).await.unwrap();
    let stored = Draft::get(odm, id(1)).await.unwrap();
    assert_eq!((stored.author, stored.editor), (None, None));
}

#[tokio::test]
async fn a_save_keeps_a_missing_creator() {
    let t = opened("life_actors_null").await;
    draft(1).insert(&t.odm).await.unwrap();
    let ann = t.odm.acting_as(1_i64);
    let mut loaded = Draft::get(&ann, id(1)).await.unwrap();
    loaded.text = "b".into();
    loaded.save(&ann).await.unwrap();
    let stored = Draft::get(&ann, id(1)).await.unwrap();
    assert_eq!((stored.author, stored.editor), (None, Some(id(1))));
    assert_eq!(&*stored.text, "b");
}

#[tokio::test]
async fn a_delete_and_a_restore_store_the_copies_of_their_actor() {
    let t = opened("life_actors_copies").await;
    let (ann, lars) = (t.odm.acting_as(1_i64), t.odm.acting_as(2_i64));
    draft(1).insert(&ann).await.unwrap();
    Draft::delete(&lars, id(1)).await.unwrap();
    let deleted = Draft::find(&ann).only_deleted().await.unwrap();
    let names: Vec<_> = deleted.iter().map(|it| it.editor_name.as_deref()).collect();
    assert_eq!(names, [Some("Lars")]);
    Draft::restore(&ann, id(1)).await.unwrap();
    let stored = Draft::get(&ann, id(1)).await.unwrap();
    let name = stored.editor_name.as_deref();
    assert_eq!((stored.editor, name), (Some(id(1)), Some("Ann")));
    assert_eq!((stored.deleted, stored.version), (None, 3));
}

/// A folder in another folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_actor_folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: Id<Folder, i64>,
    #[parent_ref(on_delete = "cascade")]
    parent: Option<Id<Folder, i64>>,
    #[updated_by]
    editor: Option<String>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[tokio::test]
async fn a_cascade_within_a_model_keeps_the_stored_actors() {
    let t = opened("life_actors_cascade").await;
    let (ann, lars) = (t.odm.acting_as("ann"), t.odm.acting_as("lars"));
    let folder = |number: i64, parent: Option<i64>| Folder {
        id: id(number),
        parent: parent.map(id),
        editor: None,
        deleted: None,
    };
    let tree = [
        folder(1, None),
        folder(2, Some(1)),
        folder(3, Some(2)),
        folder(4, None),
    ];
    Folder::insert_many(&ann, &tree).await.unwrap();
    let editors = async || {
        let all = Folder::find(&t.odm)
            .with_deleted()
            .sort(Folder::fields().id.asc());
        let all = all.await.unwrap().into_iter();
        all.map(|it| it.editor.unwrap()).collect::<Vec<_>>()
    };
    let report = Folder::delete(&lars, id(1)).await.unwrap();
    assert_eq!((report.deleted, report.cascaded[0].deleted), (1, 2));
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 1);
    assert_eq!(editors().await, ["lars", "ann", "ann", "ann"]);
    let tove = t.odm.acting_as("tove");
    let report = Folder::restore(&tove, id(1)).await.unwrap();
    assert_eq!((report.restored, report.cascaded[0].restored), (1, 2));
    assert_eq!(editors().await, ["tove", "ann", "ann", "ann"]);
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 4);
}
