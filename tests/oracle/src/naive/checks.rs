//! Rejects writes because of the state that they would result in.

use mongo_odm::bson::Document;

use super::{Doing, Refusal, given, life::is_deleted};
use crate::{
    declaration::{Declaration, Field, Maintained, Missing, What},
    world::{World, each_struct, held, keys, subjects},
};

impl Doing<'_> {
    /// Rejects a new document that lacks a required copy.
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

    /// Rejects an array that exceeds its bound. The children are counted, so the document with the array need not
    /// exist.
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

    /// Rejects newly stored keys whose document does not exist.
    pub(super) fn check_targets(&self, before: &World) -> Result<(), Refusal> {
        for ((model, id), document) in &self.world.0 {
            for field in &self.all.model(*model).fields {
                let of_tenant = self.all.model(*model).maintained(Maintained::Tenant);
                let asked = |it| asked(self.all, of_tenant.is_some(), field, it);
                let old = before.get(*model, *id).map(asked).unwrap_or_default();
                let mut new = asked(document).into_iter().filter(|it| !old.contains(it));
                let is_missing = |(to, key): (usize, i64)| {
                    let (target, model) = (self.world.get(to, key), self.all.model(to));
                    let target = target.filter(|it| !is_deleted(model, it));
                    let tenant = model.maintained(Maintained::Tenant).or(of_tenant);
                    !target.is_some_and(|it| {
                        model.maintained(Maintained::Tenant).is_none()
                            || tenant.is_none_or(|field| it.get(field) == document.get(field))
                    })
                };
                if new.any(is_missing) {
                    return Err(Refusal::NoTarget);
                }
            }
        }
        Ok(())
    }
}

/// Lists the keys in a field whose documents must exist, each with its model.
///
/// A document with a tenant may only refer to documents of the same tenant.
fn asked(
    all: &Declaration,
    has_tenant: bool,
    field: &Field,
    document: &Document,
) -> Vec<(usize, i64)> {
    let is_guarded =
        |to: usize| has_tenant && all.model(to).maintained(Maintained::Tenant).is_some();
    let mut asked = Vec::new();
    if let Some(reference) = held(field).filter(|it| it.exists || is_guarded(it.to)) {
        asked.extend(
            keys(field, document)
                .into_iter()
                .map(|key| (reference.to, key)),
        );
    }
    let subjects = subjects(field, document).into_iter();
    asked.extend(subjects.filter(|(to, _)| asks(field) || is_guarded(*to)));
    asked
}

fn asks(field: &Field) -> bool {
    match &field.what {
        What::About(about) => about.exists,
        What::Embed(embed) => embed.fields.iter().any(asks),
        _ => false,
    }
}

/// Returns whether a field is a copy without which a document cannot be decoded.
pub(crate) fn is_required_copy(field: &Field) -> bool {
    matches!(field.what, What::Copy(_)) && field.missing == Missing::Never
}
