//! `odm verify`.

use serde_json::{Value, json};

use super::{
    arguments::Verify,
    failure::{Exit, Failure},
    output::{Output, json_of, typed_json_of},
    progress::Progress,
};
use crate::{
    odm::Odm,
    verify::{Drift, Drifted, RepairReport},
};

/// Looks for drift, and puts it right if it was told to.
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
    if options.repair {
        return Ok(repaired(&verify.repair().await?));
    }
    Ok(found(&verify.await?))
}

fn found(drift: &Drift) -> Output {
    let mut text = drift.to_string();
    if !drift.is_empty() {
        if drift.len() > Drift::SHOWN {
            text.push_str("\n`--json` has all of them");
        }
        text.push_str("\nnothing was changed; `odm verify --repair` puts right what can be");
    }
    Output {
        text,
        json: json!({
            "checked": drift.checked,
            "pending": drift.pending,
            "findings": drift.items.iter().map(finding).collect::<Vec<_>>(),
        }),
        exit: Exit::of(!drift.is_empty()),
    }
}

fn finding(it: &Drifted) -> Value {
    let value = |value: &Option<_>| value.as_ref().map_or(Value::Null, json_of);
    let (mut stored, mut source) = (value(&it.stored), value(&it.source));
    if stored == source {
        // They differ in their types.
        let typed = |value: &Option<_>| value.as_ref().map_or(Value::Null, typed_json_of);
        (stored, source) = (typed(&it.stored), typed(&it.source));
    }
    json!({
        "relation": it.relation,
        "kind": format!("{:?}", it.kind),
        "collection": it.collection,
        "_id": json_of(&it.id),
        "path": it.path,
        "key": value(&it.key),
        "stored": stored,
        "source": source,
    })
}

fn repaired(report: &RepairReport) -> Output {
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
            "relations": relations.collect::<Vec<_>>(),
        }),
        exit: Exit::of(report.left() > 0 || report.failed() > 0),
    }
}
