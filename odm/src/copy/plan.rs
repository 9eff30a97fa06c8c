//! What follows a write, as statements for a plan.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::{
    graph::Tie,
    images::Images,
    own::OwnCopies,
    resolve::projection,
    statement::CopyUpdate,
    tuple::{Source, Tuple},
};
use crate::{
    action::id_in_filter,
    error::Result,
    odm::{Exec, Odm},
    path::{covers, without_positions},
    statement::{Plan, Statement},
};

/// The name that a source has in a plan; what only the server tells is written in terms of it.
const SOURCE: &str = "source";

/// Shows an update of sources with what follows it.
pub(crate) fn of_update(
    images: &Images,
    own: &OwnCopies,
    collection: &str,
    filter: &Document,
    update: &UpdateModifications,
    write: Statement,
) -> Plan {
    let mut plan = Plan::default();
    if images.is_empty() {
        plan.statements.push(write);
    } else {
        let before = Statement::new(collection, "findOne")
            .argument(filter.clone())
            .argument(images.projection())
            .note("in one transaction, as everything that follows");
        plan.statements.push(before);
        plan.statements.push(write.assigned_to(SOURCE));
    }
    plan.statements
        .extend(own.ties.iter().map(|tie| look_up(tie)));
    if !images.is_empty() {
        plan.statements.push(job(collection));
        let known = Known { filter, update };
        let follow = images.ties.iter().filter_map(|tie| known.copies(tie));
        plan.statements.extend(follow);
    }
    plan
}

/// Shows an insert of documents with copies.
pub(crate) fn of_insert(own: &OwnCopies, write: Statement) -> Plan {
    let mut plan = Plan::default();
    plan.statements
        .extend(own.ties.iter().map(|tie| look_up(tie)));
    plan.statements.push(write);
    let again = own.ties.iter().map(|tie| {
        look_up(tie)
            .note("after the commit: a source that has changed meanwhile is copied once more")
    });
    plan.statements.extend(again);
    plan
}

/// Reads the sources of copies that a write brings along.
fn look_up(tie: &Tie) -> Statement {
    let keys = code(&format!("keys of {}", tie.key_path()));
    Statement::new(tie.source.collection, "find")
        .argument(doc! { tie.source_key.as_str(): { "$in": [keys] } })
        .argument(projection(tie.source_paths()))
        .note(format!("the values of {}", tie.name))
}

fn job(collection: &str) -> Statement {
    let id = doc! { "source": collection, "key": code("source._id") };
    Statement::new("_odm_jobs", "updateOne")
        .argument(doc! { "_id": id })
        .argument(doc! { "$set": { "phase": "settle", "version": code("ObjectId()") } })
        .options(doc! { "upsert": true })
}

/// A value that is known when the statement runs.
fn code(text: &str) -> Bson {
    Bson::JavaScriptCode(text.to_owned())
}

/// What an update tells about its source before it runs.
struct Known<'u> {
    filter: &'u Document,
    update: &'u UpdateModifications,
}

impl Known<'_> {
    /// Shows the update of the copies of one tie.
    fn copies(&self, tie: &Tie) -> Option<Statement> {
        let values = tie
            .fields
            .iter()
            .map(|copied| Some(self.value(&copied.from)));
        let tuple = Tuple(values.collect());
        let update = CopyUpdate::new(tie, &[self.key(tie)], Source::Is(&tuple))?;
        let index = if tie.key_path() == "_id" {
            doc! { "_id": 1 }
        } else {
            doc! { tie.key_path(): 1, "_id": 1 }
        };
        let statement = update.statement();
        Some(
            statement
                .note(format!(
                    "{}, by the index {}",
                    tie.name,
                    crate::shell::document(&index)
                ))
                .of_copies(update),
        )
    }

    fn key(&self, tie: &Tie) -> Bson {
        let id = tie.by_id().then(|| id_in_filter(self.filter)).flatten();
        id.cloned()
            .unwrap_or_else(|| code(&format!("{SOURCE}.{}", tie.source_key)))
    }

    /// Returns the value that the update puts into a field, or the name of it.
    fn value(&self, path: &str) -> Bson {
        let operators = match self.update {
            UpdateModifications::Document(operators) => Some(operators),
            _ => None,
        };
        let only_set = operators.filter(|operators| {
            let fields = operators.iter().filter(|(operator, _)| *operator != "$set");
            let mut fields = fields.filter_map(|(_, fields)| fields.as_document());
            !fields.any(|fields| {
                fields
                    .keys()
                    .any(|key| covers(&without_positions(key), path))
            })
        });
        let set = only_set.and_then(|operators| operators.get_document("$set").ok()?.get(path));
        set.cloned()
            .unwrap_or_else(|| code(&format!("{SOURCE}.{path}")))
    }
}

impl Plan {
    /// Asks the server how many documents hold the copies that the plan would write, and says so in
    /// the plan: one aggregation for each statement that writes copies, by its index.
    ///
    /// The number is known where the plan names the source by its id.
    ///
    /// # Errors
    ///
    /// What the server reports.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "hosts")]
    /// # struct Host { #[serde(rename = "_id")] id: Id<Host>, ipaddr: String }
    /// # async fn example(odm: Odm, id: Id<Host>) -> mongo_odm::Result<()> {
    /// let rename = Host::update(&odm, id).set(Host::fields().ipaddr, "10.0.0.1");
    /// println!("{}", rename.plan()?.estimate(&odm).await?);
    /// # Ok(()) }
    /// ```
    pub async fn estimate(mut self, odm: &Odm) -> Result<Self> {
        let exec = Exec::Odm(odm.clone());
        for statement in &mut self.statements {
            let Some(update) = statement.copies.clone() else {
                continue;
            };
            if has_code(&Bson::Document(update.filter.clone())) {
                continue;
            }
            let copies = super::write::count(&update, u64::MAX, &exec).await?;
            let note = format!("{copies} documents of `{}` now", update.collection);
            statement.notes.push(note);
        }
        Ok(self)
    }
}

fn has_code(value: &Bson) -> bool {
    match value {
        Bson::JavaScriptCode(_) => true,
        Bson::Document(document) => document.values().any(has_code),
        Bson::Array(items) => items.iter().any(has_code),
        _ => false,
    }
}
