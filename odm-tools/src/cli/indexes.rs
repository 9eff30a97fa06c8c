//! The command `odm indexes`, which lists missing, conflicting and undeclared indexes, and creates or drops indexes.

use std::fmt::Write;

use mongo_odm::{IndexDiff, IndexName, IndexSpec, Odm};
use serde_json::json;

use super::{
    arguments::Indexes,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};

/// Shows the differences between the indexes and their declarations, or removes these differences with `--apply`.
pub(super) async fn run(odm: &Odm, options: Indexes) -> Result<Output, Failure> {
    if !options.apply {
        return show(odm, options).await;
    }
    let _progress = Progress::of("creating indexes");
    let mut sync = odm.sync_indexes();
    if options.drop {
        sync = sync.drop_undeclared();
    }
    if options.replace {
        sync = sync.replace_conflicting();
    } else {
        refuse_conflicts(&odm.index_diff().await?)?;
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
            "on_views": names(&report.on_views),
            "pre_images": report.pre_images,
        }),
        exit: Exit::of(!report.on_views.is_empty()),
    })
}

/// Fails if indexes conflict with their declarations. The message mentions the command's flags, not the library's
/// methods.
fn refuse_conflicts(diff: &IndexDiff) -> Result<(), Failure> {
    let conflicts = diff.conflicts.iter();
    let conflicts: Vec<_> = conflicts.map(ToString::to_string).collect();
    if conflicts.is_empty() {
        return Ok(());
    }
    let message = format!(
        "indexes differ from their declaration; nothing was changed:\n{}\nchange the declaration, or run `odm \
        indexes --apply --replace` to drop and create these indexes",
        conflicts.join("\n")
    );
    Err(Failure::new(Exit::Findings, message))
}

/// Returns a message that lists the flags for removing the shown differences.
fn remedy(diff: &IndexDiff, options: Indexes) -> String {
    let drop = if options.drop { " --drop" } else { "" };
    if diff.conflicts.is_empty() {
        return format!(
            "nothing was changed; run `odm indexes --apply{drop}` to apply the changes"
        );
    }
    let all = format!("`odm indexes --apply{drop} --replace`");
    if options.replace {
        return format!("nothing was changed; run {all} to apply the changes");
    }
    // Without `--replace`, a conflict stops the whole command.
    format!(
        "nothing was changed; change the declarations of the conflicting indexes, or run {all} to drop and create them"
    )
}

/// The beginning of the line about undeclared indexes, as the library writes it and as the command writes it.
const KEPT: &str = "kept without `.drop_undeclared()`:";
const KEPT_BY_COMMAND: &str = "kept without `--apply --drop`:";

async fn show(odm: &Odm, options: Indexes) -> Result<Output, Failure> {
    let diff = odm.index_diff().await?;
    let would_drop = options.drop && !diff.undeclared.is_empty();
    // The library's text mentions a method, which is replaced by the corresponding flag of the command.
    let mut text = diff.to_string().replacen(KEPT, KEPT_BY_COMMAND, 1);
    let would_create = !diff.missing.is_empty() || !diff.pre_images.is_empty();
    if would_create || !diff.conflicts.is_empty() || would_drop {
        let _ = write!(text, "\n{}", remedy(&diff, options));
    }
    let specs = |specs: &[IndexSpec]| {
        let specs = specs.iter();
        specs.map(|it| json!({ "collection": it.collection, "name": it.name, "create": it.to_string() })).collect::<Vec<_>>()
    };
    let conflicts = diff.conflicts.iter().map(|it| {
        json!({ "collection": it.wanted.collection, "wanted": it.wanted.name, "existing": it.existing.name, "differs": it.differs })
    });
    let on_views = diff.on_views.iter().map(
        |it| json!({ "collection": it.collection, "name": it.name, "why": it.why_not_of_a_view() }),
    );
    Ok(Output {
        json: json!({
            "missing": specs(&diff.missing),
            "present": specs(&diff.present),
            "undeclared": specs(&diff.undeclared),
            "conflicts": conflicts.collect::<Vec<_>>(),
            "on_views": on_views.collect::<Vec<_>>(),
            "pre_images": diff.pre_images,
        }),
        text,
        exit: Exit::of(!diff.is_in_sync() || would_drop),
    })
}
