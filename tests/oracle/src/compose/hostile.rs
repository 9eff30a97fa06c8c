//! Documents of a program that does not use the library. Such a document can have any value instead of a key, an array
//! or a number.
//!
//! No document has one of these values as its key, so no data is derived from these documents.

use mongo_odm::bson::{Binary, Bson, DateTime, Document, doc, oid::ObjectId, spec::BinarySubtype};

use super::Compose;
use crate::{declaration::What, program::Step};

impl Compose<'_> {
    /// Inserts a document without the library. Its id is a string, so that the programs and the oracle ignore the
    /// document.
    pub(super) fn hostile(&mut self) -> Step {
        let model = self.random.below(self.all.models.len());
        let number = self.random.below(1_000_000);
        let mut document = doc! { "_id": format!("hostile {number}") };
        let declared = self.all.model(model);
        if let Some(kind) = &declared.kind {
            document.insert("kind", kind);
        }
        for field in &declared.fields {
            let value = match field.what {
                // Codes must be unique.
                What::Code => Some(format!("code {number}").into()),
                _ => self.random.percent(80).then(|| self.anything(2)),
            };
            if let Some(value) = value {
                document.insert(&field.stored, value);
            }
        }
        Step::Hostile(model, document)
    }

    /// Draws a value of any type. `depth` limits the nesting of arrays and documents.
    fn anything(&mut self, depth: usize) -> Bson {
        let deepest = if depth == 0 { 9 } else { 11 };
        match self.random.below(deepest) {
            0 => Bson::Null,
            1 => "text".into(),
            2 => Bson::Double(f64::NAN),
            3 => Bson::Double(-7.5),
            4 => Bson::Int64(i64::MIN),
            5 => Bson::Boolean(true),
            6 => ObjectId::from_bytes([7; 12]).into(),
            7 => DateTime::MIN.into(),
            8 => Bson::Binary(Binary {
                subtype: BinarySubtype::Generic,
                bytes: vec![0; 3],
            }),
            9 => (0..self.random.below(3))
                .map(|_| self.anything(depth - 1))
                .collect::<Vec<_>>()
                .into(),
            _ => self.anything_named(depth - 1).into(),
        }
    }

    /// Draws a document with field names of the model, so that the model's paths exist in it.
    fn anything_named(&mut self, depth: usize) -> Document {
        let all = self.all;
        let model = all.model(self.random.below(all.models.len()));
        let names = model.fields.iter().map(|field| field.stored.clone());
        let some: Vec<String> = names.filter(|_| self.random.percent(20)).collect();
        some.into_iter()
            .map(|name| (name, self.anything(depth)))
            .collect()
    }
}
