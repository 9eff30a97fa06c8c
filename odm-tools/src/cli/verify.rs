//! The command `odm verify`, which finds and repairs differences between the stored data and the
//! declarations.

use mongo_odm::{Drift, Drifted, Odm, RepairReport};
use serde_json::{Value, json};

use super::{
    arguments::{FailOn, Verify},
    failure::{Exit, Failure},
    output::{Output, json_of, typed_json_of},
    progress::Progress,
};

/// Verifies copies, references and bounds, and repairs the findings if `--repair` is set.
pub(super) async fn run(odm: &Odm, options: &Verify) -> Result<Output, Failure> {
    let mut verify = odm.verify();
    if let Some(relation) = &options.relation {
        verify = verify.relation(relation);
    }
    if options.pending {
        verify = verify.include_pending();
    }
    let progress = Progress::of(if options.repair {
        "verifying and repairing"
    } else {
        "verifying"
    });
    let verify = verify.on_progress(progress.reached());
    let fails = |pending: u64| options.fail_on == Some(FailOn::Pending) && pending > 0;
    if options.repair {
        let report = verify.repair().await?;
        return Ok(repaired(&report, fails(report.pending)));
    }
    let drift = verify.await?;
    Ok(found(&drift, fails(drift.pending)))
}

/// Returns the output that lists the findings.
fn found(drift: &Drift, fails: bool) -> Output {
    let mut text = drift.to_string();
    if drift.len() > Drift::SHOWN {
        text.push_str("\n`--json` prints all of them");
    }
    if drift.found() > 0 {
        text.push_str("\nnothing was changed; run `odm verify --repair` to repair them");
    }
    if drift.pending > 0 {
        text.push_str("\njobs will correct the pending ones; `odm jobs` lists the jobs");
    }
    Output {
        text,
        json: json!({
            "checked": drift.checked,
            "pending": drift.pending,
            "findings": drift.items.iter().map(finding).collect::<Vec<_>>(),
        }),
        exit: Exit::of(drift.found() > 0 || fails),
    }
}

fn finding(it: &Drifted) -> Value {
    let value = |value: &Option<_>| value.as_ref().map_or(Value::Null, json_of);
    let (mut stored, mut source) = (value(&it.stored), value(&it.source));
    if stored == source {
        // The types are shown, because two values that are equal as plain JSON may differ only in
        // their types.
        let typed = |value: &Option<_>| value.as_ref().map_or(Value::Null, typed_json_of);
        (stored, source) = (typed(&it.stored), typed(&it.source));
    }
    json!({
        "relation": it.relation,
        "kind": format!("{:?}", it.kind),
        "collection": it.collection,
        "_id": json_of(&it.id),
        "path": it.path,
        "pending": it.pending,
        "key": value(&it.key),
        "stored": stored,
        "source": source,
    })
}

fn repaired(report: &RepairReport, fails: bool) -> Output {
    let relations = report.relations.iter().map(|it| {
        let failed: Vec<Value> = it.failed.iter().map(json_of).collect();
        json!({ "relation": it.relation, "repaired": it.repaired, "left": it.left, "failed": failed, "why": it.why })
    });
    Output {
        text: report.to_string(),
        json: json!({
            "repaired": report.repaired(),
            "left": report.left(),
            "failed": report.failed(),
            "pending": report.pending,
            "relations": relations.collect::<Vec<_>>(),
        }),
        exit: Exit::of(report.left() > 0 || report.failed() > 0 || fails),
    }
}
