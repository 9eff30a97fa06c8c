//! Deletes documents, and applies delete rules.

use std::collections::BTreeSet;

use mongo_odm::bson::{Bson, Document};

use super::{
    Doing, Refusal,
    life::{DELETE, is_deleted, touch_by_rule},
};
use crate::{
    declaration::{Declaration, Field, Form, Maintained, Model, Reference, Rule, What},
    derive::source_key,
    world::{each_struct, key, keys, references},
};

type Gone = BTreeSet<(usize, i64)>;

impl Doing<'_> {
    pub(super) fn delete(&mut self, mut ids: Vec<i64>) -> Result<(), Refusal> {
        ids.retain(|id| self.visible(*id).is_some());
        let model = self.all.model(self.model);
        if model.maintained(Maintained::DeletedAt).is_none() {
            return self.purge(ids);
        }
        let asked = ids.into_iter().map(|id| (self.model, id)).collect();
        let gone = self.cascade(asked, |model, document| !is_deleted(model, document));
        self.check_restricted(&gone)?;
        self.mark(gone);
        Ok(())
    }

    /// Restores a document, and the documents that the same delete has marked by a cascade.
    pub(super) fn restore(&mut self, id: i64) {
        let is_of_tenant = |it: &&Document| self.is_of_tenant(it);
        let stored = self.world.get(self.model, id).filter(is_of_tenant);
        let model = self.all.model(self.model);
        let Some(stored) = stored.filter(|it| is_deleted(model, it)) else {
            return;
        };
        let delete = stored.get(DELETE).cloned();
        let back = self.cascade([(self.model, id)].into(), |model, document| {
            is_deleted(model, document) && document.get(DELETE) == delete.as_ref()
        });
        self.unmark(back);
    }

    /// Adds the documents that refer to the given ones with `cascade`, at any distance.
    fn cascade(&self, mut gone: Gone, goes: impl Fn(&Model, &Document) -> bool) -> Gone {
        loop {
            let mut more: Gone = self.referring(self.all, &gone, Rule::Cascade);
            more.retain(|at| goes(self.all.model(at.0), &self.world.0[at]));
            let before = gone.len();
            gone.extend(more);
            if gone.len() == before {
                return gone;
            }
        }
    }

    fn check_restricted(&self, gone: &Gone) -> Result<(), Refusal> {
        let mut referring = self.referring(self.own, gone, Rule::Restrict);
        referring.retain(|at| !is_deleted(self.all.model(at.0), &self.world.0[at]));
        if referring.is_subset(gone) {
            Ok(())
        } else {
            Err(Refusal::Restricted)
        }
    }

    /// Removes documents from the database, whether they are marked as deleted or not.
    pub(super) fn purge(&mut self, ids: Vec<i64>) -> Result<(), Refusal> {
        let is_seen = |id: &i64| {
            let document = self.world.get(self.model, *id);
            document.is_some_and(|it| self.is_of_tenant(it))
        };
        let asked = ids.into_iter().filter(is_seen);
        let asked = asked.map(|id| (self.model, id)).collect();
        let gone = self.cascade(asked, |_, _| true);
        self.check_restricted(&gone)?;
        for (model, id) in &gone {
            let old = self.world.0.remove(&(*model, *id)).unwrap_or_default();
            self.mirror(*model, *id, &old, &Document::new());
            self.end_links((*model, *id));
        }
        self.end_references(&gone);
        Ok(())
    }

    /// Lists the documents that refer to the given ones by a reference that has the given rule in a declaration.
    fn referring(&self, of: &Declaration, gone: &Gone, rule: Rule) -> Gone {
        let refers = |((model, _), document): &(&(usize, i64), &Document)| {
            let model = of.model(*model);
            let mut references = references(model).filter(|(_, it)| it.rule == rule);
            references.any(|(field, it)| {
                keys(field, document)
                    .iter()
                    .any(|key| gone.contains(&(it.to, *key)))
            })
        };
        self.world
            .0
            .iter()
            .filter(refers)
            .map(|(at, _)| *at)
            .collect()
    }

    /// Removes references and copies whose rule is `nullify` or `pull`.
    fn end_references(&mut self, gone: &Gone) {
        for ((model, _), document) in &mut self.world.0 {
            let model = self.all.model(*model);
            let before = document.clone();
            for is_copy in [false, true] {
                each_struct(&model.fields, document, &mut |fields, part| {
                    let ended = fields
                        .iter()
                        .filter(|it| matches!(it.what, What::Copy(_)) == is_copy);
                    for field in ended {
                        end(self.all, gone, field, part);
                    }
                });
                if !is_copy && *document != before {
                    touch_by_rule(model, document);
                }
            }
        }
    }
}

fn end(all: &Declaration, gone: &Gone, field: &Field, part: &mut Document) {
    let is_gone = |to: usize, key: Option<i64>| key.is_some_and(|key| gone.contains(&(to, key)));
    match &field.what {
        What::Key(it)
            if it.rule == Rule::Nullify && is_gone(it.to, key(part.get(&field.stored))) =>
        {
            part.insert(&field.stored, Bson::Null);
        }
        What::Keys(it) if it.rule == Rule::Pull => {
            retain(part, &field.stored, |value| {
                !is_gone(it.to, key(Some(value)))
            });
        }
        What::Embed(embed) if embed.form == Form::Many => {
            for (inner, it) in embed.fields.iter().filter_map(|it| pulled(it)) {
                retain(part, &field.stored, |value| {
                    let line = value.as_document();
                    !line.is_some_and(|line| is_gone(it.to, key(line.get(&inner.stored))))
                });
            }
        }
        What::Copy(copy) if copy.nullify && is_gone(copy.model, source_key(all, copy, part)) => {
            part.insert(&field.stored, Bson::Null);
        }
        _ => {}
    }
}

/// Returns the reference in a field of an array element, if the delete rule removes the element with its target.
fn pulled(field: &Field) -> Option<(&Field, &Reference)> {
    field
        .reference()
        .filter(|it| it.rule == Rule::Pull)
        .map(|it| (field, it))
}

fn retain(part: &mut Document, stored: &str, keep: impl Fn(&Bson) -> bool) {
    if let Ok(all) = part.get_array_mut(stored) {
        all.retain(keep);
    }
}
