//! Declarations with which deleted documents would become inconsistent.

use mongo_odm::{Error, prelude::*};

use crate::models::*;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_albums")]
struct Album {
    #[serde(rename = "_id")]
    id: Id<Album, i64>,
    #[index(unique)]
    code: String,
    name: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// A model that does not keep its deleted documents.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_photos")]
struct Photo {
    #[serde(rename = "_id")]
    id: Id<Photo, i64>,
    #[parent_ref(on_delete = "cascade")]
    album: Id<Album, i64>,
}

/// A model whose copy uses a key that a deleted album and a new album can share.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_links")]
struct Link {
    #[serde(rename = "_id")]
    id: Id<Link, i64>,
    #[refs(one, to = "Album.code")]
    album: String,
    #[denorm(from = Album.name, via = album)]
    name: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_frames")]
struct Frame {
    #[serde(rename = "_id")]
    id: Id<Frame, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// A model of the same documents that marks deleted documents in another field.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_frames")]
struct OldFrame {
    #[serde(rename = "_id")]
    id: Id<OldFrame, i64>,
    #[deleted_at]
    removed_at: Option<DateTime>,
}

#[tokio::test]
async fn a_cascade_to_children_that_are_not_kept_and_a_copy_by_a_shared_key_are_rejected() {
    let problems: Vec<String> = mongo_odm::check_models()
        .unwrap_err()
        .to_string()
        .lines()
        .map(str::to_owned)
        .collect();
    let all = problems.join("\n");
    assert!(
        all.contains("`Photo`") && all.contains("#[deleted_at]"),
        "{all}"
    );
    assert!(all.contains("refer to the `_id`"), "{all}");
    let marks = "have the fields `deleted_at` and `removed_at` with `#[deleted_at]`";
    assert!(
        all.contains("`Frame` and `OldFrame`") && all.contains(marks),
        "{all}"
    );

    let t = board("life_mistakes").await;
    let refused = Album::delete(&t.odm, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
}
