//! Documents of somebody who does not know the library: references and arrays that are anything else.

use mongo_odm::{
    bson::{Bson, Document, Regex},
    mongodb::Database,
    prelude::*,
};
use proptest::prelude::*;

/// A collection, a reference in it, and a value that is no key of anything.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hostile {
    place: Place,
    value: Bson,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Maker,
    /// Instead of the lines of a kit.
    Lines,
    /// A line of a kit.
    Line,
    Item,
    /// Instead of the kit in a slot of a shelf.
    Slot,
    Note,
    Office,
    Desk,
}

pub(super) fn documents() -> impl Strategy<Value = Hostile> {
    let places = [
        Place::Maker,
        Place::Lines,
        Place::Line,
        Place::Item,
        Place::Slot,
        Place::Note,
        Place::Office,
        Place::Desk,
    ];
    let places = prop::sample::select(places.to_vec());
    let values = prop::sample::select(values());
    (places, values).prop_map(|(place, value)| Hostile { place, value })
}

/// What the server would obey as a pattern or an operator, or take apart, and what has another type.
fn values() -> Vec<Bson> {
    vec![
        pattern("."),
        pattern("^n"),
        doc! { "$gt": "" }.into(),
        doc! { "$gte": 0_i64 }.into(),
        doc! { "$in": [0_i64, 1_i64] }.into(),
        doc! { "a.b": 1 }.into(),
        doc! { "a": Bson::Undefined }.into(),
        Bson::Undefined,
        Bson::Null,
        Bson::MinKey,
        "$$ROOT".into(),
        "0".into(),
        true.into(),
        vec![Bson::from(vec![0_i64, 1]), Bson::from("x")].into(),
    ]
}

fn pattern(pattern: &str) -> Bson {
    Bson::RegularExpression(Regex {
        pattern: pattern.try_into().unwrap(),
        options: "".try_into().unwrap(),
    })
}

impl Hostile {
    /// Stores it under an id that no program of the library gives; returns what is stored.
    pub(super) async fn store(&self, database: &Database, number: usize) -> Document {
        let (collection, fields) = self.document();
        let mut document = doc! { "_id": format!("hostile {number}") };
        document.extend(fields);
        let stored = database.collection::<Document>(collection);
        stored.insert_one(&document).await.unwrap();
        document
    }

    fn document(&self) -> (&'static str, Document) {
        let (value, copy) = (self.value.clone(), "?");
        match self.place {
            Place::Maker => ("prop_makers", doc! { "name": value }),
            Place::Lines => ("prop_kits", doc! { "name": copy, "lines": value }),
            Place::Line => {
                let line = doc! { "item": value, "name": copy, "maker_name": copy };
                ("prop_kits", doc! { "name": copy, "lines": [line] })
            }
            Place::Item => ("prop_items", doc! { "maker": value, "maker_name": copy }),
            Place::Slot => {
                let slot = doc! { "kit": value, "kit_name": copy };
                ("prop_shelves", doc! { "rows": [{ "slots": [slot] }] })
            }
            Place::Note => ("prop_notes", doc! { "item": value, "item_name": copy }),
            Place::Office => ("prop_offices", doc! { "maker": value, "maker_name": copy }),
            Place::Desk => ("prop_desks", doc! { "office": value, "maker_name": copy }),
        }
    }
}
