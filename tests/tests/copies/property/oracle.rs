//! Looks every source up by itself, in plain documents: nothing of the library is used here.

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document, doc},
    mongodb::Database,
};

use super::{
    history::{Kind, Refs},
    model::{COLLECTIONS, LEVELS},
    world::{Row, World},
};

const KINDS: [Kind; 5] = [Kind::Maker, Kind::Item, Kind::Kit, Kind::Shelf, Kind::Note];

/// Everything that is stored, by kind, in the order of ids; hostile documents are apart.
pub(super) struct Stored {
    kinds: [Vec<Document>; 5],
    /// What goes with makers, level by level.
    levels: [Vec<Document>; 3],
    hostile: Vec<Document>,
}

impl Stored {
    pub(super) async fn read(database: &Database) -> Self {
        let mut stored = Self {
            kinds: Default::default(),
            levels: Default::default(),
            hostile: Vec::new(),
        };
        let kinds = stored.kinds.iter_mut().zip(COLLECTIONS);
        for (documents, name) in kinds.chain(stored.levels.iter_mut().zip(LEVELS)) {
            let (hostile, others): (Vec<_>, Vec<_>) =
                all(database, name).await.into_iter().partition(is_hostile);
            stored.hostile.extend(hostile);
            *documents = others;
        }
        stored
    }

    /// Lists the hostile documents that are not as they were stored; a repair adds what makers keep.
    pub(super) fn spoilt(&self, given: &[Document]) -> Vec<String> {
        let has_all = |stored: &Document, it: &Document| {
            let mut fields = it.iter();
            fields.all(|(name, value)| stored.get(name) == Some(value))
        };
        let is_there = |it: &&Document| !self.hostile.iter().any(|stored| has_all(stored, it));
        let spoilt = given.iter().filter(is_there);
        spoilt
            .map(|it| format!("{it} is not there as it was stored"))
            .collect()
    }

    /// Lists what should have gone with its parent.
    pub(super) fn orphans(&self) -> Vec<String> {
        let mut parents = self.of(Kind::Maker);
        let mut orphans = Vec::new();
        for (level, key) in self.levels.iter().zip(KEYS) {
            let ids: Vec<_> = parents.iter().filter_map(|it| it.get("_id")).collect();
            let lost = level
                .iter()
                .filter(|it| !it.get(key).is_some_and(|key| ids.contains(&key)));
            orphans.extend(lost.map(|it| format!("{it} has no parent")));
            parents = level;
        }
        orphans
    }

    /// Whether an office is there with all that belongs to it.
    pub(super) fn has_office(&self, number: i64) -> bool {
        let mut levels = self.levels.iter();
        levels.all(|level| level.iter().any(|it| it.get("_id") == Some(&number.into())))
    }

    fn of(&self, kind: Kind) -> &[Document] {
        self.kinds.get(kind as usize).unwrap()
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
        for maker in self.of(Kind::Maker) {
            found.computed(maker, &self.kept(maker));
        }
        for office in self.levels.first().unwrap() {
            let key = office.get("maker");
            let maker = self.find(Kind::Maker, key);
            found.copy(office, key, maker, &[("maker_count", "count")]);
        }
        let mut sources = (self.of(Kind::Maker), "name");
        for (level, key) in self.levels.iter().zip(KEYS) {
            for document in level {
                let key = document.get(key);
                let source = sources.0.iter().find(|it| it.get("_id") == key);
                found.copy(document, key, source, &[("maker_name", sources.1)]);
            }
            sources = (level, "maker_name");
        }
        for note in self.of(Kind::Note) {
            let source = self.find(Kind::Item, note.get("item"));
            let fields = [("item_name", "name"), ("kit_name", "kit_name")];
            found.copy(note, note.get("item"), source, &fields);
        }
        found.0
    }

    /// Returns what a maker has to keep of its items and offices.
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    fn kept(&self, maker: &Document) -> Document {
        let is_own = |it: &&Document| it.get("maker") == maker.get("_id");
        let mut items: Vec<&Document> = self.of(Kind::Item).iter().filter(is_own).collect();
        let ids: Vec<Bson> = items
            .iter()
            .map(|it| it.get("_id").unwrap().clone())
            .collect();
        // Stable: among equals the `_id` decides; below all numbers is what is none.
        items.sort_by_key(|it| it.get_i64("number").ok());
        let largest = items[items.len().saturating_sub(2)..].iter().map(|item| {
            let kept = ["name", "number"].into_iter();
            let kept = kept.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())));
            kept.collect::<Document>()
        });
        let numbers: Vec<i64> = items
            .iter()
            .filter_map(|it| it.get_i64("number").ok())
            .collect();
        let offices = self.levels.first().unwrap().iter().filter(is_own).count();
        let long = |count: usize| i64::try_from(count).unwrap();
        doc! {
            "items": ids,
            "largest": largest.collect::<Vec<_>>(),
            "count": long(items.len()),
            "sum": numbers.iter().sum::<i64>(),
            "mean": { "sum": numbers.iter().sum::<i64>() as f64, "count": long(numbers.len()) },
            "least": numbers.iter().copied().min(),
            "greatest": numbers.iter().copied().max(),
            "offices": long(offices),
        }
    }
}

/// The references of what goes with makers, level by level.
const KEYS: [&str; 3] = ["maker", "office", "desk"];

async fn all(database: &Database, name: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(name);
    let found = collection
        .find(doc! {})
        .sort(doc! { "_id": 1 })
        .await
        .unwrap();
    found.try_collect().await.unwrap()
}

fn is_hostile(document: &Document) -> bool {
    document.get_i64("_id").is_err()
}

fn elements<'d>(document: &'d Document, array: &str) -> impl Iterator<Item = &'d Document> {
    let items = document.get_array(array).unwrap().iter();
    items.map(|item| item.as_document().unwrap())
}

#[derive(Default)]
struct Found(Vec<String>);

impl Found {
    fn computed(&mut self, maker: &Document, expected: &Document) {
        for (name, right) in expected {
            let mut stored = maker.get(name).cloned();
            if let Some(Bson::Array(ids)) = stored.as_mut().filter(|_| name == "items") {
                ids.sort_by_key(Bson::as_i64);
            }
            if stored.as_ref() != Some(right) {
                self.0.push(format!(
                    "`{name}` of {maker}, where its children say {right}"
                ));
            }
        }
    }

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
