//! Looks every source up by itself, in plain documents: nothing of the library is used here.

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document, doc},
    mongodb::Database,
};

use super::{
    history::{Kind, Refs},
    model::COLLECTIONS,
    world::{Row, World},
};

const KINDS: [Kind; 5] = [Kind::Maker, Kind::Item, Kind::Kit, Kind::Shelf, Kind::Note];

/// Everything that is stored, by kind, in the order of ids.
pub(super) struct Stored([Vec<Document>; 5]);

impl Stored {
    pub(super) async fn read(database: &Database) -> Self {
        let mut all: [Vec<Document>; 5] = Default::default();
        for (documents, name) in all.iter_mut().zip(COLLECTIONS) {
            let collection = database.collection::<Document>(name);
            let found = collection
                .find(doc! {})
                .sort(doc! { "_id": 1 })
                .await
                .unwrap();
            *documents = found.try_collect().await.unwrap();
        }
        Self(all)
    }

    fn of(&self, kind: Kind) -> &[Document] {
        self.0.get(kind as usize).unwrap()
    }

    fn find(&self, kind: Kind, id: Option<&Bson>) -> Option<&Document> {
        let mut all = self.of(kind).iter();
        all.find(|document| document.get("_id") == id)
    }

    /// Returns the documents without their copies.
    pub(super) fn world(&self) -> World {
        let mut world = World::default();
        for kind in KINDS {
            for document in self.of(kind) {
                let id = document.get_i64("_id").unwrap();
                world.0.insert((kind, id), row(kind, document));
            }
        }
        world
    }

    /// Lists the copies that differ from what their source holds.
    pub(super) fn stale(&self) -> Vec<String> {
        let mut found = Found::default();
        for item in self.of(Kind::Item) {
            let maker = item.get("maker");
            let source = self.find(Kind::Maker, maker);
            found.copy(item, maker, source, &[("maker_name", "name")]);
            // The first in the order of ids that holds the item.
            let holds =
                |kit: &&Document| elements(kit, "lines").any(|l| l.get("item") == item.get("_id"));
            match self.of(Kind::Kit).iter().find(holds) {
                Some(kit) => {
                    let fields = [("kit_name", "name"), ("kit_number", "number")];
                    found.copy(item, item.get("_id"), Some(kit), &fields);
                }
                None => found.copy(item, None, None, &[("kit_name", ""), ("kit_number", "")]),
            }
        }
        for line in self
            .of(Kind::Kit)
            .iter()
            .flat_map(|kit| elements(kit, "lines"))
        {
            let source = self.find(Kind::Item, line.get("item"));
            let fields = [("name", "name"), ("maker_name", "maker_name")];
            found.copy(line, line.get("item"), source, &fields);
        }
        let rows = self
            .of(Kind::Shelf)
            .iter()
            .flat_map(|shelf| elements(shelf, "rows"));
        for slot in rows.flat_map(|row| elements(row, "slots")) {
            let source = self.find(Kind::Kit, slot.get("kit"));
            let fields = [("kit_name", "name"), ("kit_number", "number")];
            found.copy(slot, slot.get("kit"), source, &fields);
        }
        for note in self.of(Kind::Note) {
            let source = self.find(Kind::Item, note.get("item"));
            let fields = [("item_name", "name"), ("kit_name", "kit_name")];
            found.copy(note, note.get("item"), source, &fields);
        }
        found.0
    }
}

fn elements<'d>(document: &'d Document, array: &str) -> impl Iterator<Item = &'d Document> {
    let items = document.get_array(array).unwrap().iter();
    items.map(|item| item.as_document().unwrap())
}

#[derive(Default)]
struct Found(Vec<String>);

impl Found {
    fn copy(
        &mut self,
        copy: &Document,
        key: Option<&Bson>,
        source: Option<&Document>,
        fields: &[(&str, &str)],
    ) {
        let has_key = key.is_some_and(|key| *key != Bson::Null);
        for (to, from) in fields {
            let stored = copy.get(to);
            let right = match source {
                Some(source) => stored == source.get(from),
                // The copies of a source that is gone keep what they hold.
                None if has_key => true,
                None => stored.is_none_or(|stored| *stored == Bson::Null),
            };
            if !right {
                self.0
                    .push(format!("`{to}` of {copy}, where the source is {source:?}"));
            }
        }
    }
}

fn row(kind: Kind, document: &Document) -> Row {
    let keys = |elements: Vec<&Document>, field: &str| -> Refs {
        elements
            .iter()
            .map(|it| it.get(field).and_then(Bson::as_i64))
            .collect()
    };
    let refs = match kind {
        Kind::Maker => Vec::new(),
        Kind::Item => keys(vec![document], "maker"),
        Kind::Note => keys(vec![document], "item"),
        Kind::Kit => keys(elements(document, "lines").collect(), "item"),
        Kind::Shelf => {
            let rows = elements(document, "rows");
            keys(rows.flat_map(|row| elements(row, "slots")).collect(), "kit")
        }
    };
    Row {
        name: document.get_str("name").unwrap_or_default().to_owned(),
        number: document.get_i64("number").unwrap_or_default(),
        refs,
    }
}
