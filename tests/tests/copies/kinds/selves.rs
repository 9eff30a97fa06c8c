//! Kinds of one collection that refer to themselves and to each other.

use std::future::IntoFuture;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_files", kind(form = "folder", default))]
struct Folder {
    #[serde(rename = "_id")]
    id: Id<Folder, String>,
    name: String,
    #[parent_ref(on_delete = "cascade")]
    above: Option<Id<Folder, String>>,
    #[denorm(from = "Folder.name", via = "above")]
    above_name: Option<String>,
    #[rollup(count, of = "Folder", via = "above")]
    #[serde(default)]
    folders: i64,
    #[rollup(count, of = "File", via = "above")]
    #[serde(default)]
    files: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_files", kind(form = "file"))]
struct File {
    #[serde(rename = "_id")]
    id: Id<File, String>,
    name: String,
    #[parent_ref(on_delete = "cascade")]
    above: Option<Id<Folder, String>>,
    #[denorm(from = "Folder.name", via = "above")]
    above_name: Option<String>,
    #[refs(one, on_delete = "nullify")]
    next: Option<Id<File, String>>,
}

fn above(id: &str) -> Option<Id<Folder, String>> {
    (!id.is_empty()).then(|| Id::from_key(id.to_owned()))
}

fn folder(id: &str, parent: &str) -> Folder {
    Folder {
        id: Id::from_key(id.to_owned()),
        name: format!("folder {id}"),
        above: above(parent),
        above_name: above(parent).map(|it| format!("folder {it}")),
        folders: 0,
        files: 0,
    }
}

fn file(id: &str, parent: &str, next: Option<&str>) -> File {
    File {
        id: Id::from_key(id.to_owned()),
        name: format!("file {id}"),
        above: above(parent),
        above_name: above(parent).map(|it| format!("folder {it}")),
        next: next.map(|id| Id::from_key(id.to_owned())),
    }
}

/// Folder `a` contains folder `b` and the files `x` and `y`. Folder `b` was stored before the model had a kind, and
/// contains `z`.
async fn disk(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Folder>();
    sync.await.unwrap();
    t.given(&[folder("a", ""), folder("b", "a")]).await;
    t.given(&[file("x", "a", None), file("y", "a", Some("z"))])
        .await;
    t.given(&[file("z", "b", None)]).await;
    let stored = t.odm.database().collection::<Document>("kind_files");
    let without = doc! { "$unset": { "form": "" } };
    stored
        .update_one(doc! { "_id": "b" }, without)
        .await
        .unwrap();
    settle(&t.odm).await;
    t
}

async fn kept(t: &Harness, id: &str) -> (i64, i64) {
    let one = Folder::get(&t.odm, Id::from_key(id.to_owned()))
        .await
        .unwrap();
    (one.folders, one.files)
}

#[tokio::test]
async fn each_follows_its_own() {
    let t = disk("kinds_selves").await;
    let odm = &t.odm;
    assert_eq!((kept(&t, "a").await, kept(&t, "b").await), ((1, 2), (0, 1)));
    for (way, odm) in both_ways(odm) {
        for id in ["a", "b"] {
            let name = format!("{id} renamed {way}");
            let rename = Folder::update(&odm, Id::<Folder, String>::from_key(id.to_owned()));
            rename.set(Folder::fields().name, &name).await.unwrap();
        }
        settle(&odm).await;
        for (id, of) in [("b", "a"), ("x", "a"), ("y", "a"), ("z", "b")] {
            let stored = raw(&odm, "kind_files", id).await;
            let name = format!("{of} renamed {way}");
            assert_eq!(stored.get_str("above_name").unwrap(), name, "{id}");
        }
    }
    assert!(odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_cascade_goes_through_both() {
    for (way, inline) in [("inline", 1_000), ("job", 0)] {
        let t = disk(&format!("kinds_selves_{way}")).await;
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        // The key is that of a folder, so a delete of this file deletes nothing in the folder.
        let deleted = File::delete(&odm, Id::<File, String>::from_key("b".to_owned()));
        assert_eq!(deleted.await.unwrap().deleted, 0);
        let b = Id::<Folder, String>::from_key("b".to_owned());
        Folder::delete(&odm, &b).await.unwrap();
        settle(&odm).await;
        let left = all(&odm, "kind_files").await;
        let left: Vec<_> = left.iter().map(|it| it.get_str("_id").unwrap()).collect();
        assert_eq!(left, ["a", "x", "y"], "{way}");
        let y = File::get(&odm, Id::from_key("y".to_owned())).await.unwrap();
        assert_eq!(y.next, None, "{way}");
        assert_eq!(kept(&t, "a").await, (0, 2), "{way}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_kinds_are_filled_at_once() {
    let t = disk("kinds_selves_backfill").await;
    let folders: Vec<_> = (0..40).map(|n| folder(&format!("f{n}"), "a")).collect();
    let files: Vec<_> = (0..40).map(|n| file(&format!("g{n}"), "b", None)).collect();
    t.given(&folders).await;
    t.given(&files).await;
    settle(&t.odm).await;
    let stored = t.odm.database().collection::<Document>("kind_files");
    let without = doc! { "$unset": { "above_name": "" } };
    stored
        .update_many(doc! { "above": { "$ne": null } }, without)
        .await
        .unwrap();
    let of_folders = t.odm.backfill::<Folder>().batch_size(7);
    let of_files = t.odm.backfill::<File>().batch_size(5);
    let (folders, files) =
        futures_util::try_join!(of_folders.into_future(), of_files.into_future()).unwrap();
    assert_eq!((folders.looked_at, files.looked_at), (42, 43));
    assert_eq!((folders.resumed, files.resumed), (false, false));
    settle(&t.odm).await;
    assert_eq!(
        (kept(&t, "a").await, kept(&t, "b").await),
        ((41, 2), (0, 41))
    );
    assert!(t.odm.verify().await.unwrap().is_empty());
}
