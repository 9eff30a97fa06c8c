//! Reads, creates and drops indexes on the server. Converts the server's indexes to the form in which models declare
//! indexes.

use mongodb::bson::{Bson, Document};

use super::spec::{IndexOrigin, IndexSpec};
use crate::{
    client::{
        command::{CreateIndexesCommand, ListIndexesCommand},
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
};

/// The indexes of one collection on the server.
#[derive(Debug, Default)]
pub struct OnServer {
    /// All indexes on the collection except the one on `_id`.
    pub indexes: Vec<IndexSpec>,
    /// The default collation of the collection. `None` means the simple collation.
    pub collation: Option<Document>,
    /// Whether the collection is a view. Views cannot have indexes.
    pub is_view: bool,
}

/// Lists the indexes of a collection. Sends one `listIndexes`. The list is empty for a missing collection and for a
/// view.
pub(crate) async fn list(odm: &Odm, collection: &str) -> Result<OnServer> {
    let place = Place::whole_collection(collection.to_owned());
    match Exec::on(odm.clone())
        .documents(ListIndexesCommand::new(place))
        .await
    {
        Ok(found) => Ok(OnServer::read(collection, found)),
        Err(error) => match error.server_code() {
            Some(NAMESPACE_NOT_FOUND) => Ok(OnServer::default()),
            Some(NOT_OF_A_VIEW) => Ok(OnServer {
                is_view: true,
                ..OnServer::default()
            }),
            _ => Err(error),
        },
    }
}

/// Drops an index. Sends one `dropIndexes`. If another program has already dropped the index, this is not an error.
pub(crate) async fn drop(odm: &Odm, index: &IndexSpec) -> Result<()> {
    match Exec::on(odm.clone()).send(index.drop()).await {
        Err(error) if error.server_code() != Some(INDEX_NOT_FOUND) => Err(error),
        _ => Ok(()),
    }
}

/// Creates the given indexes of one collection. Sends one `createIndexes`, which creates either all of them or none.
pub(crate) async fn create(odm: &Odm, indexes: &[IndexSpec]) -> Result<()> {
    let Some(first) = indexes.first() else {
        return Ok(());
    };
    let create = CreateIndexesCommand {
        place: first.place(),
        indexes: indexes.iter().map(IndexSpec::index).collect(),
    };
    Exec::on(odm.clone()).send(create).await
}

pub(super) const NAMESPACE_NOT_FOUND: i32 = 26;
const INDEX_NOT_FOUND: i32 = 27;
const NOT_OF_A_VIEW: i32 = 166;

impl OnServer {
    /// Reads the reply to `listIndexes`. The collection's default collation is that of the index on `_id`.
    pub fn read(collection: &str, listed: Vec<Document>) -> Self {
        let specs = listed
            .into_iter()
            .map(|index| read_index(collection, index));
        let (of_id, indexes): (Vec<_>, _) = specs.partition(IndexSpec::is_of_id);
        let mut of_id = of_id.into_iter();
        let default = of_id.find_map(|mut index| index.options.remove("collation"));
        Self {
            indexes,
            collation: default.and_then(|it| it.as_document().cloned()),
            is_view: false,
        }
    }
}

/// Reads one index from the reply to `listIndexes`.
fn read_index(collection: &str, mut options: Document) -> IndexSpec {
    let keys = document(options.remove("key"));
    let name = options.remove("name");
    let weights = options
        .get_document("weights")
        .ok()
        .cloned()
        .unwrap_or_default();
    remove_defaults(&mut options);
    IndexSpec {
        collection: collection.to_owned(),
        name: name
            .and_then(|name| name.as_str().map(ToOwned::to_owned))
            .unwrap_or_default(),
        keys: declared_keys(keys, &weights),
        options,
        origin: IndexOrigin::Server,
    }
}

fn document(value: Option<Bson>) -> Document {
    value
        .and_then(|value| value.as_document().cloned())
        .unwrap_or_default()
}

/// Restores the declared fields of a text index. The server lists them as `{ _fts: "text", _ftsx: 1 }`.
fn declared_keys(keys: Document, weights: &Document) -> Document {
    let mut declared = Document::new();
    for (path, kind) in keys {
        match path.as_str() {
            "_fts" if kind.as_str() == Some("text") => {
                declared.extend(weights.keys().map(|path| (path.clone(), "text".into())));
            }
            "_ftsx" if !weights.is_empty() => {}
            _ => _ = declared.insert(path, kind),
        }
    }
    declared
}

/// Removes options that have their default value. The server returns options as they were written, for example `1`
/// instead of `true`.
fn remove_defaults(options: &mut Document) {
    for version in [
        "v",
        "ns",
        "background",
        "2dsphereIndexVersion",
        "textIndexVersion",
    ] {
        options.remove(version);
    }
    for flag in ["unique", "sparse"] {
        if options.remove(flag).as_ref().is_some_and(is_true) {
            options.insert(flag, true);
        }
    }
    for (name, default) in [
        ("default_language", "english"),
        ("language_override", "language"),
    ] {
        remove_if(options, name, |value| value.as_str() == Some(default));
    }
    for (name, default) in [("bits", 26.0), ("min", -180.0), ("max", 180.0)] {
        remove_if(options, name, |value| number(value) == Some(default));
    }
    remove_if(options, "weights", |weights| {
        let mut weights = weights.as_document().into_iter().flat_map(Document::values);
        weights.all(|weight| number(weight) == Some(1.0))
    });
    remove_if(options, "collation", |collation| {
        let collation = collation.as_document();
        collation.is_some_and(|it| it.get_str("locale").is_ok_and(|locale| locale == "simple"))
    });
}

fn remove_if(options: &mut Document, name: &str, is_default: impl FnOnce(&Bson) -> bool) {
    if options.get(name).is_some_and(is_default) {
        options.remove(name);
    }
}

fn is_true(flag: &Bson) -> bool {
    flag.as_bool()
        .unwrap_or_else(|| number(flag).is_some_and(|number| number != 0.0))
}

#[allow(
    clippy::cast_precision_loss,
    reason = "only small numbers are asked for"
)]
fn number(value: &Bson) -> Option<f64> {
    match value {
        Bson::Int32(int) => Some(f64::from(*int)),
        Bson::Int64(int) => Some(*int as f64),
        Bson::Double(double) => Some(*double),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn read(index: Document) -> IndexSpec {
        read_index("things", index)
    }

    #[test]
    fn versions_and_defaults_are_left_out() {
        let index = read(doc! {
            "v": 2, "key": { "a": 1.0 }, "name": "a_1", "ns": "shop.things", "background": true,
            "unique": 1, "sparse": false, "expireAfterSeconds": 5_i64,
        });
        assert_eq!(index.name, "a_1");
        assert_eq!(index.keys, doc! { "a": 1.0 });
        assert_eq!(
            index.options,
            doc! { "unique": true, "expireAfterSeconds": 5_i64 }
        );
    }

    #[test]
    fn a_text_index_gets_its_fields_back() {
        let listed = doc! {
            "v": 2, "key": { "t": 1, "_fts": "text", "_ftsx": 1, "y": 1 }, "name": "texts",
            "weights": { "c": 1, "z": 1_i64 }, "default_language": "english",
            "language_override": "language", "textIndexVersion": 3,
        };
        let index = read(listed.clone());
        let keys: Vec<_> = index.keys.keys().collect();
        assert_eq!(keys, ["t", "c", "z", "y"]);
        assert_eq!(index.options, doc! {});

        let mut weighed = listed;
        weighed.insert("weights", doc! { "c": 10, "z": 1 });
        assert_eq!(
            read(weighed).options,
            doc! { "weights": { "c": 10, "z": 1 } }
        );
    }

    #[test]
    fn the_index_on_the_id_tells_the_default_collation() {
        let collation = doc! { "locale": "en", "strength": 2 };
        for name in ["_id_", "clustered_by_name"] {
            let listed = vec![
                doc! { "v": 2, "key": { "_id": 1 }, "name": name, "collation": &collation },
                doc! { "v": 2, "key": { "_id": "hashed" }, "name": "_id_hashed" },
            ];
            let server = OnServer::read("things", listed);
            assert_eq!(server.collation.as_ref(), Some(&collation));
            let names: Vec<_> = server
                .indexes
                .iter()
                .map(|index| index.name.as_str())
                .collect();
            assert_eq!(names, ["_id_hashed"]);
        }
    }
}
