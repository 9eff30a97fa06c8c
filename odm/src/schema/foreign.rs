//! Reads what other programs declare.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
};

use mongodb::bson::doc;
use serde::Deserialize;

use super::{FRESH, SCHEMA, schema};
use crate::{
    codec::decode,
    command::Find,
    copy::{Copied, ExtendedReference, Rule, graph},
    error::Result,
    odm::{Exec, Odm},
    path::ElementPath,
    shape::ModelShape,
};

/// A declaration as it is stored.
#[derive(Clone, Debug, Deserialize)]
struct Stored {
    #[serde(rename = "_id")]
    name: String,
    #[serde(default)]
    rule: bool,
    source: String,
    source_key: String,
    #[serde(default)]
    in_source: bool,
    target: String,
    key: String,
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Clone, Debug, Deserialize)]
struct Field {
    from: String,
    to: String,
}

/// Reads all declarations that count, and returns what of them this program does not declare.
pub(super) async fn read(odm: &Odm) -> Result<Vec<&'static ExtendedReference>> {
    let exec = Exec::on(odm.clone());
    let is_fresh = |date: &str| doc! { "$gt": [date, { "$subtract": ["$$NOW", FRESH] }] };
    let fields = doc! { "$filter": { "input": "$fields", "cond": is_fresh("$$this.seen_at") } };
    let projection = doc! {
        "rule": 1, "source": 1, "source_key": 1, "in_source": 1, "target": 1, "key": 1,
        "fields": fields,
    };
    let find = Find::new(schema(), doc! { "$expr": is_fresh("$seen_at") }).select(projection);
    let found = exec.raw_documents(find);
    let mut foreign = Vec::new();
    for stored in found.await? {
        match decode::<Stored>(SCHEMA, &stored) {
            Ok(stored) => foreign.extend(stored.foreign()),
            Err(error) => tracing::warn!(%error, "a declaration in `_odm_schema` cannot be read"),
        }
    }
    Ok(foreign)
}

impl Stored {
    /// Compares a declaration with those of this program, by what they say and not by their names: two
    /// programs may call their structs differently.
    fn foreign(&self) -> Vec<&'static ExtendedReference> {
        if self.rule {
            let mut rules = graph().rules(&self.source);
            let is_ours = rules
                .any(|rule| rule.owner.collection == self.target && rule.key_path() == self.key);
            return if is_ours {
                Vec::new()
            } else {
                vec![self.reference(None)]
            };
        }
        let ours = graph().from(&self.source).find(|reference| {
            reference.target.collection == self.target
                && reference.source_key == self.source_key
                && reference.key_path() == self.key
        });
        let Some(ours) = ours else {
            return vec![self.reference(None)];
        };
        let is_ours = |field: &&Field| ours.copy_paths().any(|path| path == field.to);
        let others = self.fields.iter().filter(|field| !is_ours(field));
        others.map(|field| self.reference(Some(field))).collect()
    }

    fn relation(&self) -> String {
        let (source, target) = (
            (self.source.as_str(), self.source_key.as_str()),
            (self.target.as_str(), self.key.as_str()),
        );
        if self.rule {
            Rule::relation(target, source)
        } else {
            ExtendedReference::relation(target, source)
        }
    }

    /// Returns the extended reference, or that part of it which copies one field.
    fn reference(&self, only: Option<&Field>) -> &'static ExtendedReference {
        let named = |reference: &str| match only {
            Some(field) => ExtendedReference::name_of_field(reference, &field.to),
            None => reference.to_owned(),
        };
        let name = named(&self.name);
        let fields = only.map_or(self.fields.as_slice(), std::slice::from_ref);
        kept(&format!("{name} {self:?}"), || {
            let fields = fields.iter().map(|field| Copied {
                from: field.from.clone(),
                to: field.to.clone(),
                optional: false,
                empties: false,
            });
            ExtendedReference {
                name,
                relation: named(&self.relation()),
                source: shape(&self.source),
                source_key: self.source_key.clone(),
                keys_in_source: self.in_source,
                target: shape(&self.target),
                place: ElementPath::root(),
                key: self.key.clone(),
                fields: fields.collect(),
                has_followers: false,
                foreign: true,
            }
        })
    }
}

/// Keeps an extended reference as long as the program runs, as those of its own models: each declaration once.
fn kept(declaration: &str, make: impl FnOnce() -> ExtendedReference) -> &'static ExtendedReference {
    static KEPT: OnceLock<Mutex<HashMap<String, &'static ExtendedReference>>> = OnceLock::new();
    let kept = KEPT.get_or_init(Mutex::default).lock();
    let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
    if let Some(reference) = kept.get(declaration) {
        return reference;
    }
    let reference: &'static ExtendedReference = Box::leak(Box::new(make()));
    kept.insert(declaration.to_owned(), reference);
    reference
}

fn shape(collection: &str) -> &'static ModelShape {
    let name: &'static str = Box::leak(collection.to_owned().into_boxed_str());
    Box::leak(Box::new(ModelShape::new(name, name, &[])))
}
