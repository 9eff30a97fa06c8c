//! Declarations as they are stored, and what of them is of other programs.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use mongodb::bson::{DateTime, Document, doc};
use serde::Deserialize;

use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
    graph::{Copied, ExtendedReference, Rule, fold::Fold, graph},
    model::shape::{DocumentSet, KindShape, ModelShape},
    value::{codec::decode, path::ElementPath},
};

const SCHEMA: &str = "_odm_schema";

/// How long a declaration counts after it was last seen, in milliseconds.
pub(super) const FRESH: i64 = 7 * 24 * 3_600 * 1_000;

/// For how long a declaration is taken for that of a program which runs, in milliseconds: such a program declares once a
/// day.
const CURRENT: i64 = 2 * 24 * 3_600 * 1_000;

pub(super) fn schema() -> Place {
    Place::whole_collection(SCHEMA).durable()
}

/// Returns an expression: whether a date is not too long ago, by the clock of the server.
pub(super) fn is_fresh(date: &str) -> Document {
    is_since(date, FRESH)
}

fn is_since(date: &str, millis: i64) -> Document {
    doc! { "$gt": [date, { "$subtract": ["$$NOW", millis] }] }
}

/// A declaration as it is stored.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredDeclaration {
    #[serde(rename = "_id")]
    pub(super) relation: String,
    pub(super) name: String,
    rule: bool,
    source: String,
    source_key: String,
    in_source: bool,
    target: String,
    key: String,
    pub(super) fields: Vec<DeclaredField>,
    declared_at: DateTime,
    /// Whether it counts.
    is_fresh: bool,
    /// The time of the server.
    now: DateTime,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DeclaredField {
    from: String,
    pub(super) to: String,
    /// The paths in the source that decide about its value.
    reads: Vec<String>,
    declared_at: DateTime,
    is_fresh: bool,
    /// Whether a program with it runs.
    is_current: bool,
}

/// A copy that programs take from different fields of its source: each gives it another value.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction {
    /// `products.parts.id <- parts._id (parts.name)`.
    pub(crate) copy: String,
    /// The paths in the source.
    pub(crate) froms: Vec<String>,
}

/// Finds the declarations that count, each relation once, with those of their fields that do.
pub(super) async fn live(odm: &Odm) -> Result<BTreeMap<String, StoredDeclaration>> {
    let fresh = doc! { "$expr": is_fresh("$seen_at") };
    Ok(self::fresh(find(fresh, odm).await?))
}

/// Finds declarations, also those that count no longer.
pub(super) async fn find(filter: Document, odm: &Odm) -> Result<Vec<StoredDeclaration>> {
    let field = doc! {
        "from": "$$this.from", "to": "$$this.to", "reads": "$$this.reads", "declared_at": "$$this.declared_at",
        "is_fresh": is_fresh("$$this.seen_at"), "is_current": is_since("$$this.seen_at", CURRENT),
    };
    let fields = doc! { "input": { "$ifNull": ["$fields", []] }, "in": field };
    let find = FindCommand::new(schema(), filter).select(doc! {
        "name": 1, "rule": 1, "source": 1, "source_key": 1, "in_source": 1, "target": 1, "key": 1,
        "fields": { "$map": fields }, "declared_at": 1, "is_fresh": is_fresh("$seen_at"), "now": "$$NOW",
    });
    let found = Exec::on(odm.clone()).raw_documents(find.all()).await?;
    let mut all = Vec::new();
    for raw in found {
        match decode::<StoredDeclaration>(SCHEMA, &raw) {
            Ok(stored) => all.push(stored),
            Err(error) => tracing::warn!(%error, "a declaration in `_odm_schema` cannot be read"),
        }
    }
    Ok(all)
}

/// Lists the declarations that count, by their relations, with those of their fields that do.
pub(super) fn fresh(all: Vec<StoredDeclaration>) -> BTreeMap<String, StoredDeclaration> {
    let fresh = all.into_iter().filter(|stored| stored.is_fresh);
    let fresh = fresh.map(|mut stored| {
        stored.fields.retain(|field| field.is_fresh);
        (stored.relation.clone(), stored)
    });
    fresh.collect()
}

impl StoredDeclaration {
    /// Lists the relations that its jobs can have: of all fields, and of each.
    pub(super) fn relations(&self) -> Vec<String> {
        let fields = self.fields.iter();
        let fields =
            fields.map(|field| ExtendedReference::name_of_field(&self.relation, &field.to));
        fields.chain([self.relation.clone()]).collect()
    }

    /// Lists what of it this program does not declare.
    pub(super) fn foreign(&self) -> Vec<&'static ExtendedReference> {
        let relation = &self.relation;
        if self.rule {
            let is_ours = graph()
                .rules(DocumentSet::named(&self.source))
                .any(|it| it.has_jobs() && it.relation == *relation);
            return if is_ours {
                Vec::new()
            } else {
                vec![self.reference(None)]
            };
        }
        let ours: Vec<_> = graph().references_of(relation).collect();
        if ours.is_empty() && !self.fields.is_empty() {
            return vec![self.reference(None)];
        }
        let is_ours = |field: &&DeclaredField| {
            let mut paths = ours.iter().flat_map(|reference| reference.copy_paths());
            paths.any(|path| path == field.to)
        };
        let others = self.fields.iter().filter(|field| !is_ours(field));
        others.map(|field| self.reference(Some(field))).collect()
    }

    /// Lists the copies that programs which run take from different fields of the source.
    pub(super) fn contradictions(&self) -> Vec<Contradiction> {
        let mut froms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for field in self.fields.iter().filter(|field| field.is_current) {
            froms.entry(&field.to).or_default().insert(&field.from);
        }
        let several = froms.into_iter().filter(|(_, froms)| froms.len() > 1);
        let named = several.map(|(to, froms)| Contradiction {
            copy: ExtendedReference::name_of_field(&self.relation, to),
            froms: froms.into_iter().map(ToOwned::to_owned).collect(),
        });
        named.collect()
    }

    /// Returns when the rule, or the last of the fields that this program copies, was declared, and how long ago that
    /// is.
    pub(super) fn since(&self) -> Option<(DateTime, Duration)> {
        let relation = &self.relation;
        let declared_at = if self.rule {
            self.declared_at
        } else {
            let ours = graph().references_of(relation);
            let ours = ours.flat_map(|it| it.fields.iter().zip(it.copy_paths()));
            let ours: Vec<_> = ours.map(|(copied, to)| (copied.from.clone(), to)).collect();
            let is_own =
                |from: &str, to: &str| ours.iter().any(|it| (&*it.0, &*it.1) == (from, to));
            let own = self.fields.iter().filter(|it| is_own(&it.from, &it.to));
            own.map(|field| field.declared_at).max()?
        };
        let now = self.now.timestamp_millis();
        let age = now.saturating_sub(declared_at.timestamp_millis());
        let age = Duration::from_millis(u64::try_from(age).unwrap_or(0));
        Some((declared_at, age))
    }

    /// Returns the extended reference, or that part of it which copies one field.
    fn reference(&self, only: Option<&DeclaredField>) -> &'static ExtendedReference {
        let named = |reference: &str| match only {
            Some(field) => ExtendedReference::name_of_field(reference, &field.to),
            None => reference.to_owned(),
        };
        let fields = only.map_or(self.fields.as_slice(), std::slice::from_ref);
        let copied: Vec<_> = fields.iter().map(|it| (&it.from, &it.to)).collect();
        let (name, relation) = (named(&self.name), named(&self.relation));
        let declaration = format!("{name} {relation} {} {copied:?}", self.in_source);
        intern(&declaration, || {
            let fields = fields.iter().map(|field| Copied {
                from: field.from.clone(),
                reads: field.reads.clone(),
                // Whoever declares it computes it.
                fold: Fold::Copy,
                filter: None,
                to: field.to.clone(),
                optional: false,
                required: false,
                empties: false,
                skips: None,
            });
            ExtendedReference {
                name,
                relation,
                source: shape(&self.source),
                source_key: self.source_key.clone(),
                keys_in_source: self.in_source,
                target: shape(&self.target),
                place: ElementPath::root(),
                key: self.key.clone(),
                fields: fields.collect(),
                links: None,
                has_followers: false,
                foreign: true,
            }
        })
    }
}

/// Returns a rule of this program as an extended reference without copies.
pub(super) fn of_rule(rule: &Rule) -> &'static ExtendedReference {
    intern(&format!("own {}", rule.relation), || ExtendedReference {
        name: rule.name.clone(),
        relation: rule.relation.clone(),
        source: rule.target,
        source_key: rule.target_key.clone(),
        keys_in_source: false,
        target: rule.owner,
        place: ElementPath::root(),
        key: rule.key_path(),
        fields: Vec::new(),
        links: None,
        has_followers: false,
        foreign: true,
    })
}

/// Keeps an extended reference as long as the program runs, as those of its own models: each declaration once.
fn intern(
    declaration: &str,
    make: impl FnOnce() -> ExtendedReference,
) -> &'static ExtendedReference {
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

/// Returns a model of documents that only other programs know.
fn shape(documents: &str) -> &'static ModelShape {
    let name: &'static str = Box::leak(documents.to_owned().into_boxed_str());
    let documents = DocumentSet::named(name);
    let shape = ModelShape::new(name, documents.collection, &[]);
    let kind = documents.kind();
    // Whether it is the default is not declared: rather a job too many than one too few.
    let kind = kind.map(|(field, value)| KindShape::new(field, value).or_missing());
    Box::leak(Box::new(kind.into_iter().fold(shape, ModelShape::kind)))
}
