//! Stores the declarations of this program in `_odm_schema`.

use mongodb::bson::{Document, doc};

use super::{
    lifetime::is_fresh,
    stored::{of_rule, schema},
};
use crate::{
    client::{
        command::UpdateCommand,
        odm::{Exec, Odm},
    },
    error::Result,
    graph::{Content, ExtendedReference, KeyOwner, graph},
};

/// Stores one document for each extended reference and each delete rule of this program. Sends one `update` for all
/// these documents.
pub(super) async fn declare(odm: &Odm) -> Result<()> {
    let graph = graph();
    let references = graph.references.iter().map(|it| of_reference(it));
    let rules = graph.rules_with_jobs();
    let rules = rules.map(|rule| of_reference(&of_rule(rule)));
    let by = program(odm);
    let updates = references.chain(rules).map(|it| it.update(&by));
    let updates: Vec<UpdateCommand> = updates.collect();
    Exec::on(odm.clone()).send_all(&updates).await?;
    Ok(())
}

fn program(odm: &Odm) -> String {
    let settings = odm.settings();
    settings.program.clone().unwrap_or_else(|| {
        let path = std::env::current_exe().ok();
        let name = path.as_ref().and_then(|path| path.file_name());
        name.map_or_else(
            || "unknown".to_owned(),
            |name| name.to_string_lossy().into(),
        )
    })
}

struct DeclaredRelations {
    relation: String,
    /// The name of the relation in this program.
    name: String,
    /// The parts of the declaration that are identical in all programs.
    place: Document,
    fields: Vec<Document>,
}

fn of_reference(reference: &ExtendedReference) -> DeclaredRelations {
    let in_source = match reference.key_owner() {
        KeyOwner::Source => true,
        KeyOwner::Target => false,
    };
    let is_rule = match reference.content() {
        Content::Absent => true,
        Content::Derived | Content::Mirrored => false,
    };
    let fields = reference.fields.iter().zip(reference.copy_paths());
    DeclaredRelations {
        relation: reference.relation.clone(),
        name: reference.name.clone(),
        place: doc! {
            "rule": is_rule, "source": reference.source.documents().to_string(), "source_key": &reference.source_key,
            "in_source": in_source, "target": reference.target.documents().to_string(), "key": reference.key_path(),
        },
        fields: fields
            .map(|(copied, to)| doc! { "from": &copied.from, "to": to, "reads": &copied.reads })
            .collect(),
    }
}

impl DeclaredRelations {
    /// Returns the update that merges this declaration into the stored declarations of other programs.
    fn update(self, by: &str) -> UpdateCommand {
        // If another program fills the copy from a different field, both declarations are kept, so that every program
        // can detect the contradiction.
        let this = doc! { "from": "$$this.from", "to": "$$this.to" };
        let ends = self.fields.iter().map(|field| {
            let end = |name| field.get(name).cloned();
            doc! { "from": end("from"), "to": end("to") }
        });
        let others = doc! { "$filter": {
            "input": { "$ifNull": ["$fields", []] },
            "cond": { "$not": { "$in": [this, { "$literal": ends.collect::<Vec<_>>() }] } },
        } };
        let own = doc! { "$map": {
            "input": { "$literal": self.fields },
            "in": { "$mergeObjects": ["$$this", { "seen_at": "$$NOW", "declared_at": since() }] },
        } };
        let by = doc! { "$setUnion": [{ "$ifNull": ["$by", []] }, { "$literal": [by] }] };
        let since = doc! { "$ifNull": ["$declared_at", "$$NOW"] };
        let mut set = doc! {
            "fields": { "$concatArrays": [others, own] }, "by": by, "seen_at": "$$NOW",
            "declared_at": { "$cond": [is_fresh("$seen_at"), since, "$$NOW"] },
            "name": { "$literal": self.name },
        };
        for (field, value) in self.place {
            set.insert(field, doc! { "$literal": value });
        }
        let by_id = doc! { "_id": self.relation };
        UpdateCommand::one(schema(), by_id, vec![doc! { "$set": set }]).upsert()
    }
}

/// Returns a pipeline expression for the start of the period during which the field `$$this` has been declared without
/// interruption.
fn since() -> Document {
    let is_same =
        |name: &str| doc! { "$eq": [format!("$$known.{name}"), format!("$$this.{name}")] };
    let known = doc! { "$filter": {
        "input": { "$ifNull": ["$fields", []] },
        "as": "known",
        "cond": { "$and": [is_same("to"), is_same("from"), is_fresh("$$known.seen_at")] },
    } };
    doc! { "$ifNull": [{ "$first": { "$map": { "input": known, "as": "known", "in": "$$known.declared_at" } } }, "$$NOW"] }
}
