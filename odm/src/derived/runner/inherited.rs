//! Jobs of earlier versions of the library: one for each source (`_id: {source, key}`).
//!
//! When such a job is due, it is replaced by one job for each relation of its source. Its cursor is removed in the same
//! transaction, so that a runner of the earlier version writes nothing more.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{DeleteCommand, FindCommand},
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        outbox::{JobEntry, Phase, cursors, jobs, record_all},
        values::{Images, keys_of},
    },
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::DocumentSet,
    value::key::JoinKey,
};

/// Puts jobs for all relations of its source in the place of such a job, in one transaction.
///
/// Its cursor goes as well, so that a runner of the earlier version writes nothing more for it. Names of
/// extended references that nobody declares are logged and forgotten.
pub(super) async fn take_over(id: &Bson, odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let read = |name| id.as_document().and_then(|id| id.get(name)).cloned();
    let (Some(Bson::String(source)), Some(key)) = (read("source"), read("key")) else {
        tracing::warn!(job = %id, "a document in `_odm_jobs` is no job; it is left alone");
        return Ok(());
    };
    let whole = DocumentSet::whole(&source);
    let images = Images::of(whole).with(exec.foreign(whole).await?);
    let state = (id.clone(), source, key, images);
    exec.together(state, |(id, source, key, images), exec| async move {
        let by_id = doc! { "_id": id };
        let job = exec
            .documents(FindCommand::new(jobs(), by_id.clone()).first())
            .await?;
        let Some(job) = job.first() else {
            return Ok(());
        };
        let place = Place::whole(source.clone());
        let here = images
            .by_ids(&place, std::slice::from_ref(&key), &exec)
            .await?
            .pop();
        let inherited = Inherited {
            job,
            source: &source,
            key: JoinKey::from(key),
            here: here.as_ref(),
        };
        inherited.warn_of_unknown(&images);
        record_all(&inherited.entries(&images), &exec).await?;
        exec.send(DeleteCommand::one(cursors(), by_id.clone()))
            .await?;
        exec.send(DeleteCommand::one(jobs(), by_id)).await?;
        Ok(())
    })
    .await
}

struct Inherited<'j> {
    job: &'j Document,
    source: &'j str,
    key: JoinKey,
    /// The source as it is, if it is there.
    here: Option<&'j Document>,
}

impl Inherited<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.job.get_array("ties").into_iter().flatten();
        names.filter_map(Bson::as_str)
    }

    /// Lists the jobs: for all extended references, and for the rules that are named if the source is gone.
    fn entries(&self, images: &Images) -> Vec<JobEntry> {
        let is_named = |name: &str| self.here.is_none() && self.names().any(|it| it == name);
        let references = images.references.iter();
        let references =
            references.filter(|reference| !reference.is_rule() || is_named(&reference.name));
        let mut entries = Vec::new();
        for reference in references {
            let keys = self.keys(
                &reference.name,
                reference.by_id(),
                keys_of(reference, self.here),
            );
            entries.extend(
                keys.iter()
                    .map(|key| JobEntry::of_reference(reference, key, Phase::Run)),
            );
        }
        let rules = graph().rules(DocumentSet::whole(self.source));
        for rule in rules.filter(|rule| rule.acts() && is_named(&rule.name)) {
            let keys = self.keys(&rule.name, rule.target_key == "_id", Vec::new());
            entries.extend(
                keys.iter()
                    .map(|key| JobEntry::of_rule(rule, key, Phase::Run)),
            );
        }
        entries
    }

    /// Lists the keys of the source, and those that it had.
    fn keys(&self, name: &str, by_id: bool, mut keys: Vec<JoinKey>) -> Vec<JoinKey> {
        if by_id {
            return vec![self.key.clone()];
        }
        let lost = self.job.get_array("keys").into_iter().flatten();
        let lost = lost.filter_map(Bson::as_document);
        let lost = lost.filter(|it| it.get_str("tie").is_ok_and(|reference| reference == name));
        keys.extend(lost.filter_map(|it| it.get("key").cloned().map(JoinKey::from)));
        keys
    }

    fn warn_of_unknown(&self, images: &Images) {
        let rules: Vec<&str> = graph()
            .rules(DocumentSet::whole(self.source))
            .map(|rule| rule.name.as_str())
            .collect();
        for name in self.names() {
            let of_reference = |reference: &&'static ExtendedReference| {
                ExtendedReference::field_of(name).0
                    == ExtendedReference::field_of(&reference.name).0
            };
            if !rules.contains(&name) && !images.references.iter().any(of_reference) {
                tracing::warn!(reference = name, job = ?self.key, "a job of an earlier version names copies that nobody declares");
            }
        }
    }
}
