//! Links between documents of one collection.

use mongo_odm::bson::{Bson, Document, doc};

use super::{Doing, Refusal, life::is_deleted};
use crate::{
    declaration::Maintained,
    program::{Relate, Verb},
    world::{key, targets},
};

impl Doing<'_> {
    pub(super) fn link(&mut self, id: i64, call: &Relate) -> Result<(), Refusal> {
        if call.ids.is_empty() {
            return Ok(());
        }
        if self.visible(id).is_none() {
            return Err(Refusal::Missing);
        }
        let (here, is_linked) = (self.model, call.verb == Verb::Link);
        if is_linked {
            self.check_linked(id, call)?;
        }
        for other in &call.ids {
            self.set_link((here, id), (call.to, *other), is_linked);
            self.set_link((call.to, *other), (here, id), is_linked);
        }
        Ok(())
    }

    /// Rejects new links of a document with a tenant to a model with tenants, unless the target is in the same tenant.
    fn check_linked(&self, id: i64, call: &Relate) -> Result<(), Refusal> {
        let (own, target) = (self.all.model(self.model), self.all.model(call.to));
        let tenants = (
            own.maintained(Maintained::Tenant),
            target.maintained(Maintained::Tenant),
        );
        let ((Some(field), Some(field_of_target)), Some(document)) =
            (tenants, self.world.get(self.model, id))
        else {
            return Ok(());
        };
        let links = own.links();
        let linked = links.map_or_else(Vec::new, |(links, _)| targets(links, document));
        let is_target = |other: i64| {
            let target_document = self.world.get(call.to, other);
            target_document.is_some_and(|it| {
                !is_deleted(target, it) && it.get(field_of_target) == document.get(field)
            })
        };
        let mut new = call.ids.iter().filter(|it| !linked.contains(it));
        if new.any(|other| !is_target(*other)) {
            return Err(Refusal::NoTarget);
        }
        Ok(())
    }

    /// Adds a new document's link to itself, and its links to the documents that already link to it.
    pub(super) fn add_own_link(&mut self, id: i64) {
        let model = self.all.model(self.model);
        if model.links().is_none() {
            return;
        }
        self.set_link((self.model, id), (self.model, id), true);
        let linked = self.world.0.iter().filter(|((other, _), document)| {
            let other = self.all.model(*other);
            let links = other
                .links()
                .filter(|_| other.collection == model.collection);
            links.is_some_and(|(field, _)| targets(field, document).contains(&id))
        });
        for other in linked.map(|(at, _)| *at).collect::<Vec<_>>() {
            self.set_link((self.model, id), other, true);
        }
    }

    /// Removes the links to a document that was deleted.
    pub(super) fn end_links(&mut self, gone: (usize, i64)) {
        let all: Vec<_> = self.world.0.keys().copied().collect();
        let collection = &self.all.model(gone.0).collection;
        for at in all
            .into_iter()
            .filter(|at| self.all.model(at.0).collection == *collection)
        {
            self.set_link(at, gone, false);
        }
    }

    /// Adds or removes one end of a link.
    fn set_link(&mut self, at: (usize, i64), to: (usize, i64), is_linked: bool) {
        let Some((field, is_one_sided)) = self.all.model(at.0).links() else {
            return;
        };
        let kind = self.all.model(to.0).kind.clone();
        let Some(document) = self
            .world
            .0
            .get_mut(&at)
            .filter(|_| !is_one_sided || at == to)
        else {
            return;
        };
        let has = targets(field, document).contains(&to.1);
        let mut links = document
            .get_array(&field.stored)
            .cloned()
            .unwrap_or_default();
        if is_linked && !has {
            links.push(doc! { "target": to.1, "kind": kind }.into());
        } else if !is_linked {
            let leads_there = |link: &Document| key(link.get("target")) == Some(to.1);
            links.retain(|link| !link.as_document().is_some_and(leads_there));
        }
        document.insert(&field.stored, Bson::Array(links));
    }
}
