//! Rule 5: copy a field only if it is read much more often than it is written.
//!
//! Source: "6 Rules of Thumb", rule 5, which recommends considering the read/write ratio before denormalizing.

use mongo_odm::__tools::mongosh_value;

use super::found::{Found, figures};
use crate::advise::{
    derived::DerivedField,
    rule::Severity,
    seen::{SeenCollection, SeenDatabase},
    subject::Subject,
    thresholds::Thresholds,
    words::{count, seconds, share},
};

/// Reports copies for which the number of written copies is larger than the number of joins that they saved (check R4).
pub(in crate::advise) fn costs_more(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let stats = seen.stats.copies.iter();
    let dear = stats.filter(|it| {
        it.copies_written >= t.enough_calls && it.ratio().is_some_and(|ratio| ratio < 1.0)
    });
    let found = dear.filter_map(|it| {
        // The check skips arrays of two-way references, because `relation()` returns `None` for them. The library
        // updates such an array with each write of the references, whether or not queries read the array.
        let fields = seen.derived.iter().filter(|known| known.relation() == Some(&it.relation));
        let fields: Vec<_> = fields.collect();
        let first = fields.first()?;
        let copies = copies_of(&fields);
        let (saved, written) = (it.joins_avoided(), it.copies_written);
        let (source, target) = (&first.source, &first.model);
        Some(Found {
            subject: subject_of(seen, first),
            severity: Severity::Warning,
            figures: figures([
                ("reads", it.reads),
                ("joins_avoided", saved),
                ("copies_written", written),
                ("fan_outs", it.fan_outs),
            ]),
            example: None,
            evidence: format!(
                "{} `{target}` documents were read with {copies}, which saved {} joins; {} writes of `{source}` \
                wrote {} copies",
                count(it.reads),
                count(saved),
                count(it.fan_outs),
                count(written)
            ),
            cost_now: format!(
                "{} documents were written to save {} joins, and the fan-out needs an index",
                count(written),
                count(saved)
            ),
            change: format!("remove {}, and use {} to read the values", declarations_of(&fields), brought_by(&fields)),
            cost_after: format!(
                "one `find` of `{source}` for each call that reads the values ({} documents so far), and no fan-out",
                count(saved)
            ),
            check: format!("`odm.stats().copies` of `{}`, in a program that runs for a day", it.relation),
        })
    });
    found.collect()
}

/// Lists the attributes that declare the copies, each with its model and field.
fn declarations_of(fields: &[&DerivedField]) -> String {
    let declared = fields.iter();
    let declared = declared.map(|it| format!("`{}` at `{}.{}`", it.attribute(), it.model, it.path));
    declared.collect::<Vec<_>>().join(", ")
}

/// Returns the calls to recommend for reading the values from their sources instead of from copies.
fn brought_by(fields: &[&DerivedField]) -> &'static str {
    if fields.iter().all(|it| it.is_of_documents()) {
        "`join_*` or `load_*`"
    } else {
        "`join_*`, `load_*` or an aggregation"
    }
}

fn copies_of(fields: &[&DerivedField]) -> String {
    let names = fields
        .iter()
        .map(|it| format!("`{}.{}`", it.model, it.path));
    names.collect::<Vec<_>>().join(", ")
}

fn subject_of(seen: &SeenDatabase, field: &DerivedField) -> Subject {
    let model = seen.model(&field.collection, &field.model);
    let models: Vec<_> = model.into_iter().collect();
    Subject::collection(&field.collection, &models).at(field.path.clone())
}

/// The collection that contains the library's jobs.
const JOBS: &str = "_odm_jobs";

/// Reports a job that has been pending for much longer than the grace period (check C1).
pub(in crate::advise) fn late_job(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let Some(jobs) = &seen.jobs else {
        return Vec::new();
    };
    let limit = seen.grace.saturating_mul(t.late_job);
    let Some(age) = jobs
        .oldest
        .max(jobs.oldest_delta)
        .filter(|age| *age > limit)
    else {
        return Vec::new();
    };
    let (waits, most) = (seconds(age), seconds(limit));
    vec![Found {
        subject: Subject::collection(JOBS, &[]),
        severity: Severity::Serious,
        figures: figures([
            ("oldest_seconds", age.as_secs()),
            ("limit_seconds", limit.as_secs()),
            ("due", jobs.due),
            ("put_off", jobs.put_off),
            ("copies_behind", jobs.copies_behind),
        ]),
        example: None,
        evidence: format!(
            "the oldest entry of `{JOBS}` is {waits} old, and the grace period of this handle is {}; {} jobs are \
            due, {} are postponed, {} documents have stale copies",
            seconds(seen.grace),
            count(jobs.due),
            count(jobs.put_off),
            count(jobs.copies_behind)
        ),
        cost_now: format!(
            "{} documents have values that are up to {waits} old",
            count(jobs.copies_behind)
        ),
        change: format!(
            "run `odm.worker()` all the time; `odm.jobs().await?` lists the errors of the postponed jobs in `{JOBS}`"
        ),
        cost_after: format!("copies are stale for less than {most}"),
        check: format!("`odm.jobs().count().await?.oldest` is below {most}"),
    }]
}

/// Reports jobs for relations that no program declares (check C2).
pub(in crate::advise) fn undeclared(seen: &SeenDatabase, _: &Thresholds) -> Vec<Found> {
    let found = seen.undeclared.iter().map(|(relation, jobs)| {
        let collection = relation.split('.').next().unwrap_or(relation);
        Found {
            subject: Subject::collection(collection, &[]).at(relation.clone()),
            severity: Severity::Warning,
            figures: figures([("jobs", *jobs)]),
            example: None,
            evidence: format!("{} jobs have the relation `{relation}`, which no program declares", count(*jobs)),
            cost_now: format!(
                "the copies in `{collection}` of {} sources stay stale, because no program knows how to write them",
                count(*jobs)
            ),
            change: format!(
                "start the program that declares `{relation}` again, or call \
                `odm.forget_declaration(\"{relation}\").await?` if it is no longer used"
            ),
            cost_after: "each job has a program that can run it".to_owned(),
            check: format!("`odm.health().await?.undeclared` does not list `{relation}`"),
        }
    });
    found.collect()
}

/// Reports copies that are stale although no job is pending (check C4). The usual cause is a program that writes
/// without using the library.
pub(in crate::advise) fn bypassed(seen: &SeenCollection, _: &Thresholds) -> Vec<Found> {
    let stale = seen.stale.iter().filter(|it| it.stale > 0);
    let found = stale.map(|it| {
        let subject = seen.at(&it.path);
        let title = subject.title();
        Found {
            severity: Severity::Serious,
            figures: figures([("copies", it.copies), ("stale", it.stale)]),
            example: it.example.as_ref().map(|(id, ..)| id.clone()),
            evidence: format!(
                "{} of {} copies in `{title}` ({}) differ from `{}`, and no job will correct them{} ({})",
                count(it.stale),
                count(it.copies),
                share(it.stale, it.copies),
                it.source,
                it.example.as_ref().map_or_else(String::new, |(_, stored, source)| format!(
                    "; one is {}, but its source is {}",
                    mongosh_value(stored),
                    mongosh_value(source)
                )),
                seen.sample()
            ),
            cost_now: format!("readers of `{title}` get old values of `{}`", it.source),
            change: format!(
                "call `odm.watch_sources()` in a worker, if other programs write `{}` without this library, and \
                 `odm.verify().await?.repair(&odm).await?` once for `{title}`",
                it.source
            ),
            cost_after: format!("one job for each write of `{}` without the library", it.source),
            check: format!("`odm.verify().relation(\"{}\").await?` is empty", it.relation),
            subject,
        }
    });
    found.collect()
}
