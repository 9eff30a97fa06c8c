//! Rule 1, applied to all databases of a deployment together.

use super::found::{Found, figures};
use crate::advise::{
    rule::Severity, seen::SeenDatabase, subject::Subject, thresholds::Thresholds, words::count,
};

/// Reports deployments whose databases have many collections in total (check K4).
pub(in crate::advise) fn many(seen: &SeenDatabase, t: &Thresholds) -> Vec<Found> {
    let limit = t.many_in_deployment;
    let Some(number) = seen.in_deployment.filter(|number| *number > limit) else {
        return Vec::new();
    };
    let here = seen.collections.len() as u64;
    vec![Found {
        subject: Subject::collection(&seen.name, &[]),
        severity: Severity::Warning,
        figures: figures([("collections", number), ("here", here), ("limit", limit)]),
        example: None,
        evidence: format!(
            "all databases of the server together have {} collections, of which `{}` has {}",
            count(number),
            seen.name,
            count(here)
        ),
        cost_now: format!(
            "each member of the replica set keeps files open for each of {} collections, and examines all of them \
            at each checkpoint and at its start",
            count(number)
        ),
        change: format!(
            "one collection for data that `{}` and the other databases separate by tenant or by date, with the \
            tenant or date in a field and first in the indexes: `#[model(index(keys(tenant = 1, ..)))]`",
            seen.name
        ),
        cost_after: format!("{} collections or less", count(limit)),
        check: "`db.serverStatus().catalogStats.collections`".to_owned(),
    }]
}
