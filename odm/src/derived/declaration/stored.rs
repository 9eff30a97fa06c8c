//! Stored declarations, and the extended references that they describe.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use mongodb::bson::{DateTime, Document, doc};
use serde::Deserialize;

use super::lifetime::{CURRENT, is_fresh, is_since};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
    graph::{Copied, DeclaredBy, Derivation, ExtendedReference, StoredReference, graph},
    model::shape::AnyModel,
    value::{codec::decode, path::ElementPath},
};

const SCHEMA: &str = "_odm_schema";

pub(super) fn schema() -> Place {
    Place::whole_collection(SCHEMA).durable()
}

/// A declaration as it is stored in `_odm_schema`.
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
    /// Whether the declaration is still valid.
    pub(super) is_fresh: bool,
    /// The server's time when the declaration was read.
    now: DateTime,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DeclaredField {
    from: String,
    pub(super) to: String,
    /// The paths in the source that determine the value of the field.
    reads: Vec<String>,
    declared_at: DateTime,
    pub(super) is_fresh: bool,
    /// Whether a program that is still running declares the field.
    is_current: bool,
}

/// A copy that programs fill from different source fields, so that they write different values.
#[derive(Clone, Debug)]
pub(crate) struct Contradiction {
    /// The relation and the field of the copy: `products.parts.id <- parts._id (parts.name)`.
    pub(crate) copy: String,
    /// The source fields from which programs fill in the copy.
    pub(crate) froms: Vec<String>,
}

/// Reads declarations that match a filter, including expired ones.
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

impl StoredDeclaration {
    /// Lists the relations of the jobs that this declaration can cause: one relation for all fields together, and one
    /// for each single field.
    pub(super) fn relations(&self) -> Vec<String> {
        let fields = self.fields.iter();
        let fields =
            fields.map(|field| ExtendedReference::name_of_field(&self.relation, &field.to));
        fields.chain([self.relation.clone()]).collect()
    }

    /// Returns those parts of the declaration that this program does not declare itself.
    pub(super) fn foreign(&self) -> Vec<Arc<ExtendedReference>> {
        let relation = &self.relation;
        if self.rule {
            let mut ours = graph().rules_with_jobs();
            let is_ours = ours.any(|it| it.relation == *relation);
            let foreign = (!is_ours).then(|| self.reference(None));
            return foreign.into_iter().collect();
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

    /// Lists the copies for which running programs declare different source fields.
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

    /// Returns the time at which the relation was declared, and the age of the declaration. For an extended reference,
    /// the most recently declared field determines the time. Only fields that this program copies count.
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

    /// Returns the declared extended reference, either with all fields or with only one.
    fn reference(&self, only: Option<&DeclaredField>) -> Arc<ExtendedReference> {
        let named = |reference: &str| match only {
            Some(field) => ExtendedReference::name_of_field(reference, &field.to),
            None => reference.to_owned(),
        };
        let fields = only.map_or(self.fields.as_slice(), std::slice::from_ref);
        let derivation = match (fields, self.in_source) {
            ([], _) => Derivation::DeleteRule,
            // Other programs compute the values of these summaries. This program treats such summaries as plain copies.
            (_, true) => Derivation::ReferrerCopy,
            (_, false) => Derivation::Copy,
        };
        let fields = fields.iter().map(|field| Copied {
            from: field.from.clone(),
            reads: field.reads.clone(),
            to: field.to.clone(),
            ..Copied::default()
        });
        let target = (
            AnyModel::foreign(&self.target),
            ElementPath::root(),
            self.key.clone(),
        );
        let source = (AnyModel::foreign(&self.source), self.source_key.clone());
        Arc::new(ExtendedReference {
            name: named(&self.name),
            relation: named(&self.relation),
            declared_by: DeclaredBy::OtherPrograms,
            ..ExtendedReference::new(derivation, target, source, fields.collect())
        })
    }
}

/// Returns an extended reference without copies that represents a delete rule of this program.
pub(super) fn of_rule(rule: &StoredReference) -> Arc<ExtendedReference> {
    let target = (rule.model.into(), ElementPath::root(), rule.path());
    let source = (rule.target.model.into(), rule.target.path.clone());
    Arc::new(ExtendedReference {
        name: rule.title.clone(),
        relation: rule.relation.clone(),
        declared_by: DeclaredBy::OtherPrograms,
        ..ExtendedReference::new(Derivation::DeleteRule, target, source, Vec::new())
    })
}
