//! The command `odm validators`, which lists missing, outdated and foreign validators, and writes validators.

use mongo_odm::{Odm, Validator, ValidatorChange};
use serde_json::json;

use super::{
    arguments::Validators,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};

/// Shows the differences between the validators and the models, or writes the validators with `--apply`.
pub(super) async fn run(odm: &Odm, options: Validators) -> Result<Output, Failure> {
    if !options.apply {
        return show(odm, options).await;
    }
    let _progress = Progress::of("writing validators");
    let mut sync = odm.sync_validators();
    if options.replace {
        sync = sync.replace_foreign();
    }
    let report = sync.await?;
    Ok(Output {
        text: report.to_string(),
        json: json!({
            "written": report.written,
            "present": report.present,
            "foreign": report.foreign,
            "unsupported": report.unsupported,
        }),
        exit: Exit::of(!report.foreign.is_empty()),
    })
}

/// The beginning of the line about foreign validators in the text of the library. The command replaces the method in
/// this line with its own flags.
const KEPT: &str = "kept without `.replace_foreign()`:";
const KEPT_BY_COMMAND: &str = "kept without `--apply --replace`:";

async fn show(odm: &Odm, options: Validators) -> Result<Output, Failure> {
    let diff = odm.validator_diff().await?;
    let mut text = diff.to_string().replacen(KEPT, KEPT_BY_COMMAND, 1);
    let replace = if options.replace { " --replace" } else { "" };
    let would_replace = options.replace && !diff.foreign.is_empty();
    if !diff.missing.is_empty() || !diff.outdated.is_empty() || would_replace {
        let remedy = format!("run `odm validators --apply{replace}` to apply the changes");
        text = format!("{text}\nnothing was changed; {remedy}");
    }
    let validator = |it: &Validator| json!({ "collection": it.collection, "set": it.to_string() });
    let change = |it: &ValidatorChange| validator(&it.wanted);
    Ok(Output {
        json: json!({
            "missing": diff.missing.iter().map(validator).collect::<Vec<_>>(),
            "outdated": diff.outdated.iter().map(change).collect::<Vec<_>>(),
            "foreign": diff.foreign.iter().map(change).collect::<Vec<_>>(),
            "present": diff.present.iter().map(|it| &it.collection).collect::<Vec<_>>(),
            "unsupported": diff.unsupported,
        }),
        text,
        exit: Exit::of(!diff.is_in_sync()),
    })
}
