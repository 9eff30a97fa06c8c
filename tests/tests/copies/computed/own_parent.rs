//! Summaries of documents that refer to themselves, or that are written together with their children.

use std::time::Duration;

use mongo_odm::Settings;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: Id<Folder, i64>,
    #[parent_ref]
    parent: Option<Id<Folder, i64>>,
    size: i64,
    #[rollup(count, of = "Folder", via = "parent")]
    count: u64,
    #[rollup(sum, of = "Folder", via = "parent", field = "size")]
    total: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_shortcuts")]
struct Shortcut {
    #[serde(rename = "_id")]
    id: Id<Shortcut, i64>,
    #[parent_ref]
    folder: Id<Folder, i64>,
    #[denorm(from = "Folder.size", via = "folder")]
    size: Option<i64>,
    #[denorm(from = "Folder.count", via = "folder")]
    count: Option<u64>,
}

async fn folders(test: &str) -> Harness {
    let mut t = Harness::new(test).await;
    t.odm =
        Odm::new(t.odm.database().clone()).with_settings(Settings::default().grace(Duration::ZERO));
    let sync = t.odm.sync_indexes().only::<Folder>().only::<Shortcut>();
    sync.await.unwrap();
    t
}

fn folder(id: i64, parent: Option<i64>) -> Folder {
    Folder {
        id: Id::from_key(id),
        parent: parent.map(Id::from_key),
        size: id,
        count: 0,
        total: 0,
    }
}

/// Asserts the count and the total of a folder after all jobs, and that `verify` has no findings.
async fn assert_holds(t: &Harness, id: i64, sizes: &[i64]) {
    t.odm.run_pending_jobs().await.unwrap();
    let folder = Folder::get(&t.odm, Id::from_key(id)).await.unwrap();
    assert_eq!(
        (folder.count, folder.total),
        (sizes.len() as u64, sizes.iter().sum()),
        "{folder:?}"
    );
    let drift = t.odm.verify().only::<Folder>().await.unwrap();
    assert!(drift.items.is_empty(), "{drift}");
}

fn upsert(t: &Harness, id: i64, parent: i64) -> mongo_odm::action::Upsert<Folder> {
    let fields = Folder::fields();
    Folder::upsert(&t.odm, doc! { "_id": id })
        .set(fields.parent, Id::from_key(parent))
        .set(fields.size, id)
}

#[tokio::test]
async fn an_upserted_document_that_is_its_own_child_counts_itself_once() {
    let t = folders("own_upsert").await;
    upsert(&t, 1, 1).await.unwrap();
    assert_holds(&t, 1, &[1]).await;
    upsert(&t, 2, 2).deferred().await.unwrap();
    assert_holds(&t, 2, &[2]).await;
    upsert(&t, 1, 2).await.unwrap();
    assert_holds(&t, 1, &[]).await;
    assert_holds(&t, 2, &[2, 1]).await;
}

#[tokio::test]
async fn a_document_that_a_pipeline_makes_its_own_child_counts_itself_once() {
    let t = folders("own_pipeline").await;
    Folder::insert_many(&t.odm, &[folder(1, None), folder(2, None), folder(3, None)])
        .await
        .unwrap();
    let itself = || vec![doc! { "$set": { "parent": "$_id" } }];
    Folder::update(&t.odm, Id::from_key(1))
        .modifications(itself())
        .await
        .unwrap();
    assert_holds(&t, 1, &[1]).await;
    Folder::find_one_and_update(&t.odm, doc! { "_id": 2 })
        .modifications(itself())
        .await
        .unwrap();
    assert_holds(&t, 2, &[2]).await;
    let to_third = vec![doc! { "$set": { "parent": 3_i64 } }];
    Folder::update_many(&t.odm, doc! {})
        .modifications(to_third)
        .await
        .unwrap();
    assert_holds(&t, 1, &[]).await;
    assert_holds(&t, 2, &[]).await;
    assert_holds(&t, 3, &[1, 2, 3]).await;
}

#[tokio::test]
async fn copies_of_the_count_of_a_document_that_refers_to_itself_contain_it() {
    let t = folders("own_copied").await;
    let shortcut = |id| Shortcut {
        id: Id::from_key(id),
        folder: Id::from_key(id),
        size: None,
        count: None,
    };
    // The copies are stored before their source.
    let shortcuts: Vec<Shortcut> = (1..=3).map(shortcut).collect();
    Shortcut::insert_many(&t.odm, &shortcuts).await.unwrap();
    let stored = async |id| {
        let it = Shortcut::get(&t.odm, Id::from_key(id)).await.unwrap();
        (it.size, it.count)
    };
    folder(1, Some(1)).insert(&t.odm).await.unwrap();
    assert_eq!(stored(1).await, (Some(1), Some(1)));
    upsert(&t, 2, 2).await.unwrap();
    assert_eq!(stored(2).await, (Some(2), Some(1)));
    // One write changes a copied field, and the count.
    folder(3, None).insert(&t.odm).await.unwrap();
    let fields = Folder::fields();
    Folder::update(&t.odm, Id::from_key(3))
        .set(fields.parent, Id::from_key(3))
        .set(fields.size, 30)
        .await
        .unwrap();
    assert_eq!(stored(3).await, (Some(30), Some(1)));
    assert_holds(&t, 1, &[1]).await;
    assert_holds(&t, 3, &[30]).await;
}
