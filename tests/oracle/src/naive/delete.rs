//! Deletes, with the rules of references.

use std::collections::BTreeSet;

use mongo_odm::bson::{Bson, Document};

use super::{Doing, Refusal};
use crate::{
    declaration::{Declaration, Field, Form, Reference, Rule, What},
    derive::source_key,
    world::{each_struct, key, keys, references},
};

type Gone = BTreeSet<(usize, i64)>;

impl Doing<'_> {
    pub(super) fn delete(&mut self, ids: Vec<i64>) -> Result<(), Refusal> {
        let asked = ids.into_iter().map(|id| (self.model, id));
        let mut gone: Gone = asked.filter(|it| self.world.0.contains_key(it)).collect();
        loop {
            let more: Gone = self.referring(self.all, &gone, Rule::Cascade);
            let before = gone.len();
            gone.extend(more);
            if gone.len() == before {
                break;
            }
        }
        if !self
            .referring(self.own, &gone, Rule::Restrict)
            .is_subset(&gone)
        {
            return Err(Refusal::Restricted);
        }
        for (model, id) in &gone {
            let old = self.world.0.remove(&(*model, *id)).unwrap_or_default();
            self.mirror(*model, *id, &old, &Document::new());
            self.end_links((*model, *id));
        }
        self.end_references(&gone);
        Ok(())
    }

    /// Lists the documents that refer to some that go, by references with a rule of a declaration.
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

    /// Removes references and copies with rules that do so.
    fn end_references(&mut self, gone: &Gone) {
        for ((model, _), document) in &mut self.world.0 {
            let fields = &self.all.model(*model).fields;
            each_struct(fields, document, &mut |fields, part| {
                for field in fields {
                    end(self.all, gone, field, part);
                }
            });
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

/// Returns the reference of a field in an array, if its element goes with the target.
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
