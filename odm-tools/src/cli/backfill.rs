//! The command `odm backfill`, which fills in copies that were declared after their documents were stored.

use std::fmt::Write;

use mongo_odm::{
    __tools::{Filling, Reads, linked_models},
    Odm, WalkProgress,
    shape::ModelShape,
};
use serde_json::{Value, json};

use super::{
    arguments::Backfill,
    failure::{Exit, Failure},
    output::{Output, json_of},
    progress::Progress,
};
use crate::progress::Estimates;

/// Fills in the copies in the documents of all selected models, one model after the other. Without `--apply`, lists the
/// models that have copies.
pub(super) async fn run(odm: &Odm, options: &Backfill) -> Result<Output, Failure> {
    let (models, others) = chosen(options)?;
    let mut text = String::new();
    for name in others {
        let _ = writeln!(text, "`{name}` has no copies to fill");
    }
    if !options.apply {
        return Ok(shown(text, &models, &options.models));
    }
    let (reads, mut estimates) = (Reads::new(odm), Estimates::default());
    let (mut reports, mut has_failed) = (Vec::new(), false);
    for model in models {
        let progress = Progress::of(model.name);
        let (of, reached) = (
            estimates.of(&reads, model.collection).await?,
            progress.reached(),
        );
        let filling = Filling::all(model, options.restart, move |report| {
            let documents = report.looked_at;
            reached(WalkProgress::new(documents, of));
        });
        let report = filling.run(odm).await?;
        drop(progress);
        let _ = writeln!(text, "{}: {report}", model.name);
        has_failed |= !report.failed.is_empty();
        let failed: Vec<Value> = report.failed.iter().map(json_of).collect();
        reports.push(json!({
            "model": model.name, "looked_at": report.looked_at, "changed": report.changed, "failed": failed,
            "resumed": report.resumed,
        }));
    }
    if text.is_empty() {
        text.push_str("no model has copies to fill");
    }
    Ok(Output {
        text,
        json: json!({ "models": reports }),
        exit: Exit::of(has_failed),
    })
}

/// Returns the selected models that have copies, and the names of selected models without copies.
fn chosen(options: &Backfill) -> Result<(Vec<&'static ModelShape>, Vec<&str>), Failure> {
    let all = linked_models()?;
    for name in &options.models {
        if all.iter().all(|model| model.name != name) {
            let known: Vec<&str> = all.iter().map(|model| model.name).collect();
            let message = format!(
                "there is no model `{name}`; the models are {}",
                known.join(", ")
            );
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let is_named = |model: &&ModelShape| {
        options.models.is_empty() || options.models.iter().any(|name| name == model.name)
    };
    let filled: Vec<_> = all
        .into_iter()
        .filter(|model| is_named(model) && Filling::has_any(model))
        .collect();
    let named = options.models.iter().map(String::as_str);
    let others = named.filter(|name| filled.iter().all(|model| model.name != *name));
    let others = others.collect();
    Ok((filled, others))
}

fn shown(mut text: String, models: &[&'static ModelShape], named: &[String]) -> Output {
    let found: Vec<&str> = models.iter().map(|model| model.name).collect();
    if !found.is_empty() {
        let mut command: Vec<&str> = vec!["odm backfill"];
        command.extend(named.iter().map(String::as_str));
        let _ = write!(
            text,
            "models with copies: {}\nnothing was changed; `{} --apply` fills them",
            found.join(", "),
            command.join(" ")
        );
    } else if text.is_empty() {
        text.push_str("no model has copies to fill");
    }
    Output {
        text,
        json: json!({ "models": found, "applied": false }),
        exit: Exit::Fine,
    }
}
