//! The command `odm jobs`, which lists, retries or forgets pending jobs.

use std::fmt::Write;

use mongo_odm::{__tools::declares_relation, JobState, Odm, StoredJob};
use serde_json::{Value, json};

use super::{
    arguments::Jobs,
    failure::{Exit, Failure},
    output::{Output, json_of},
};
use crate::numbers::{several, some};

/// Lists, retries or forgets jobs.
pub(super) async fn run(odm: &Odm, options: Jobs) -> Result<Output, Failure> {
    if let Some(relation) = &options.relation {
        known(odm, relation).await?;
    }
    let all = match &options.relation {
        Some(relation) => odm.jobs().relation(relation),
        None => odm.jobs(),
    };
    if options.retry {
        return Ok(counted("made due", all.retry().await?));
    }
    if options.forget {
        return Ok(counted("forgotten", all.forget().await?));
    }
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    // The counts also include the jobs that are not listed.
    let counts = all.clone().count().await?;
    let listed = all.urgent_first().limit(limit).await?;
    let more = counts.total().saturating_sub(listed.len() as u64);
    let mut text = format!(
        "{} due, {} running, {} settling, {} put off, {} of other programs; {}; {} behind",
        counts.due,
        counts.running,
        counts.settling,
        counts.put_off,
        counts.foreign,
        several(counts.deltas, "delta"),
        match counts.copies_behind {
            1 => "1 copy".to_owned(),
            copies => format!("{copies} copies"),
        }
    );
    for job in &listed {
        line(&mut text, job);
    }
    if more > 0 {
        let _ = write!(text, "\n  and {more} more");
    }
    let seconds =
        |age: Option<std::time::Duration>| age.map_or(Value::Null, |it| json!(it.as_secs_f64()));
    Ok(Output {
        text,
        json: json!({
            "due": counts.due, "running": counts.running, "settling": counts.settling, "put_off": counts.put_off,
            "foreign": counts.foreign, "deltas": counts.deltas, "copies_behind": counts.copies_behind,
            "oldest": seconds(counts.oldest), "oldest_delta": seconds(counts.oldest_delta),
            "jobs": listed.iter().map(shown).collect::<Vec<_>>(), "more": more,
        }),
        exit: Exit::of(counts.put_off > 0),
    })
}

/// Rejects a relation that occurs neither in the models nor in the jobs.
async fn known(odm: &Odm, relation: &str) -> Result<(), Failure> {
    if declares_relation(relation) {
        return Ok(());
    }
    let relations = odm.jobs().relations().await?;
    if relations.iter().any(|known| known == relation) {
        return Ok(());
    }
    let there = match relations.as_slice() {
        [] => "there are no jobs".to_owned(),
        some => format!("the jobs have `{}`", some.join("`, `")),
    };
    let message =
        format!("no model declares the relation `{relation}`, and no job has it; {there}");
    Err(Failure::new(Exit::Usage, message))
}

fn counted(what: &str, jobs: u64) -> Output {
    Output {
        text: format!("{} {what}", several(jobs, "job")),
        json: json!({ "jobs": jobs, "what": what }),
        exit: Exit::Fine,
    }
}

const fn state(job: &StoredJob) -> &'static str {
    match job.state {
        JobState::Due => "due",
        JobState::Running => "running",
        JobState::Settling => "settling",
        JobState::PutOff => "put off",
        _ => "of another program",
    }
}

fn line(text: &mut String, job: &StoredJob) {
    let age = job.age.as_secs();
    let _ = write!(
        text,
        "\n  {} {}: {}, {age} s",
        job.relation,
        job.key,
        state(job)
    );
    if !job.failed.is_empty() {
        let failed = several(job.failed.len() as u64, "document");
        let or_more = if job.failed.len() < StoredJob::MOST_FAILED {
            ""
        } else {
            " or more"
        };
        let _ = write!(
            text,
            ", {failed}{or_more} failed (`_id` {})",
            some(&job.failed)
        );
    }
    if let Some(error) = &job.last_error {
        let _ = write!(text, ": {error}");
    }
}

/// Lists the jobs for which an error is stored, postponed jobs first. The returned text is empty if
/// no job has an error.
pub(super) async fn in_trouble(odm: &Odm) -> Result<(String, Value), Failure> {
    const SHOWN: usize = 20;
    let mut jobs = odm.jobs().urgent_first().limit(SHOWN).await?;
    jobs.retain(|job| job.last_error.is_some());
    let mut text = String::new();
    for job in &jobs {
        line(&mut text, job);
    }
    Ok((text, jobs.iter().map(shown).collect()))
}

fn shown(job: &StoredJob) -> Value {
    json!({
        "relation": job.relation, "name": job.name, "key": json_of(&job.key.to_bson()), "state": state(job),
        "age": job.age.as_secs_f64(), "failed": job.failed.iter().map(json_of).collect::<Vec<_>>(),
        "last_error": job.last_error,
    })
}
