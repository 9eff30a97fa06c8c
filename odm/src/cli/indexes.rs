//! `odm indexes`.

use serde_json::json;

use super::{
    arguments::Indexes,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};
use crate::{
    index::{IndexName, IndexSpec},
    odm::Odm,
};

/// Shows the difference, or makes it go away.
pub(super) async fn run(odm: &Odm, options: Indexes) -> Result<Output, Failure> {
    if !options.apply {
        return show(odm, options.drop).await;
    }
    let _progress = Progress::of("creating indexes");
    let mut sync = odm.sync_indexes();
    if options.drop {
        sync = sync.drop_undeclared();
    }
    if options.replace {
        sync = sync.replace_conflicting();
    }
    let report = sync.await?;
    let names = |names: &[IndexName]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    Ok(Output {
        text: report.to_string(),
        json: json!({
            "created": names(&report.created),
            "dropped": names(&report.dropped),
            "present": names(&report.present),
            "undeclared": names(&report.undeclared),
        }),
        exit: Exit::Fine,
    })
}

async fn show(odm: &Odm, drop: bool) -> Result<Output, Failure> {
    let diff = odm.index_diff().await?;
    let would_drop = drop && !diff.undeclared.is_empty();
    let mut text = diff.to_string();
    if !diff.is_in_sync() || would_drop {
        let flags = if drop { "--apply --drop" } else { "--apply" };
        text = format!(
            "{text}
nothing was changed; `odm indexes {flags}` does it"
        );
    }
    let specs = |specs: &[IndexSpec]| {
        let specs = specs.iter();
        specs.map(|it| json!({ "collection": it.collection, "name": it.name, "create": it.to_string() })).collect::<Vec<_>>()
    };
    let conflicts = diff.conflicts.iter().map(|it| {
        json!({ "collection": it.wanted.collection, "wanted": it.wanted.name, "existing": it.existing.name, "differs": it.differs })
    });
    Ok(Output {
        json: json!({
            "missing": specs(&diff.missing),
            "present": specs(&diff.present),
            "undeclared": specs(&diff.undeclared),
            "conflicts": conflicts.collect::<Vec<_>>(),
        }),
        text,
        exit: Exit::of(!diff.is_in_sync() || would_drop),
    })
}
