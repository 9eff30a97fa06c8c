//! Two-way references that consist of two arrays.

use mongo_odm::bson::{Bson, Document};

use super::Doing;
use crate::{declaration::What, world::keys};

impl Doing<'_> {
    /// Stores a document, and updates the other ends of its two-way arrays.
    pub(super) fn put(&mut self, id: i64, document: &Document) {
        let old = self.world.0.insert((self.model, id), document.clone());
        self.mirror(self.model, id, &old.unwrap_or_default(), document);
    }

    pub(super) fn mirror(&mut self, model: usize, id: i64, old: &Document, new: &Document) {
        for field in &self.all.model(model).fields {
            let What::Keys(reference) = &field.what else {
                continue;
            };
            let Some(inverse) = &reference.inverse else {
                continue;
            };
            let (had, has) = (keys(field, old), keys(field, new));
            let stored = self.all.model(reference.to).field(inverse).stored.clone();
            for other in had.iter().chain(&has) {
                let is_linked = has.contains(other);
                if is_linked != had.contains(other) {
                    self.set_end((reference.to, *other), &stored, id, is_linked);
                }
            }
        }
    }

    /// Adds an id to the array at the other end, or removes it.
    fn set_end(&mut self, at: (usize, i64), stored: &str, id: i64, is_linked: bool) {
        let Some(Ok(ids)) = self.world.0.get_mut(&at).map(|it| it.get_array_mut(stored)) else {
            return;
        };
        let value = Bson::Int64(id);
        if !is_linked {
            ids.retain(|it| *it != value);
        } else if !ids.contains(&value) {
            ids.push(value);
        }
    }

    /// Adds the ids of documents whose arrays already contain a new document's id.
    pub(super) fn complete_links(&mut self, id: i64) {
        for field in self.all.model(self.model).fields.clone() {
            let What::Keys(reference) = &field.what else {
                continue;
            };
            let Some(inverse) = &reference.inverse else {
                continue;
            };
            let inverse = self.all.model(reference.to).field(inverse);
            let named = self
                .world
                .of(reference.to)
                .filter(|(_, it)| keys(inverse, it).contains(&id));
            for other in named.map(|(other, _)| other).collect::<Vec<_>>() {
                self.set_end((self.model, id), &field.stored, other, true);
            }
        }
    }
}
