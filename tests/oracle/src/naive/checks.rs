//! What is refused by the state that a write leads to.

use mongo_odm::bson::Document;

use super::{Doing, Refusal, given};
use crate::{
    declaration::{Field, Missing, What},
    world::{World, each_struct, held, keys, subjects},
};

impl Doing<'_> {
    /// Refuses a new document that lacks a copy which every document must have.
    pub(super) fn check_copies(&self, id: i64) -> Result<(), Refusal> {
        let mut document = self.world.get(self.model, id).cloned().unwrap_or_default();
        let mut lacks = false;
        let fields = &self.all.model(self.model).fields;
        each_struct(fields, &mut document, &mut |fields, part| {
            let mut required = fields.iter().filter(|it| is_required_copy(it));
            lacks |= required.any(|it| !part.contains_key(&it.stored));
        });
        if lacks {
            Err(Refusal::Unreadable)
        } else {
            Ok(())
        }
    }

    pub(super) fn check_bounds(&self) -> Result<(), Refusal> {
        for ((model, _), document) in &self.world.0 {
            if given::is_over(&self.all.model(*model).fields, document) {
                return Err(Refusal::Bound);
            }
        }
        Ok(())
    }

    /// Refuses an array over its bound. Its children are counted, so its document need not exist.
    pub(super) fn check_room(&self, owner: i64, field: &Field) -> Result<(), Refusal> {
        let What::Follows(child, max) = &field.what else {
            return Ok(());
        };
        let via = self.all.model(child.model).field(&child.via);
        let all = self.world.of(child.model);
        let length = all.filter(|(_, it)| keys(via, it).contains(&owner)).count();
        if max.is_some_and(|max| length > max) {
            return Err(Refusal::Bound);
        }
        Ok(())
    }

    /// Refuses keys without a document that were not there before.
    pub(super) fn check_targets(&self, before: &World) -> Result<(), Refusal> {
        for ((model, id), document) in &self.world.0 {
            for field in &self.all.model(*model).fields {
                let old = before.get(*model, *id).map(|it| asked(field, it));
                let old = old.unwrap_or_default();
                let mut new = asked(field, document)
                    .into_iter()
                    .filter(|it| !old.contains(it));
                if new.any(|(to, key)| self.world.get(to, key).is_none()) {
                    return Err(Refusal::NoTarget);
                }
            }
        }
        Ok(())
    }
}

/// Lists the keys in a field whose documents must be there, each with its model.
fn asked(field: &Field, document: &Document) -> Vec<(usize, i64)> {
    let mut asked = Vec::new();
    if let Some(reference) = held(field).filter(|it| it.exists) {
        asked.extend(
            keys(field, document)
                .into_iter()
                .map(|key| (reference.to, key)),
        );
    }
    if asks(field) {
        asked.extend(subjects(field, document));
    }
    asked
}

fn asks(field: &Field) -> bool {
    match &field.what {
        What::About(about) => about.exists,
        What::Embed(embed) => embed.fields.iter().any(asks),
        _ => false,
    }
}

/// Returns whether a document cannot be read without a copy.
pub(crate) fn is_required_copy(field: &Field) -> bool {
    matches!(field.what, What::Copy(_)) && field.missing == Missing::Never
}
