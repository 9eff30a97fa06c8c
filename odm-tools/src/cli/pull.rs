//! The command `odm pull`, which writes models for an existing database.

use std::{fs::OpenOptions, io::Write, path::Path};

use mongo_odm::Odm;
use serde_json::{Value, json};

use super::{
    arguments::Pull,
    collections,
    failure::{Exit, Failure},
    output::{Output, json_of},
    progress::Progress,
    sampled::{self, partial},
};
use crate::{
    OdmTools,
    pull::write_models,
    survey::{Survey, TargetSurvey},
};

/// Writes models for an existing database to standard output or to a file.
pub(super) async fn run(odm: &Odm, options: Pull) -> Result<Output, Failure> {
    collections::known(odm, &options.collection).await?;
    let progress = Progress::of("reading samples");
    let mut survey = odm.survey().sample(options.sample).keep_documents();
    for collection in options.collection {
        survey = survey.only(collection);
    }
    let survey = survey.on_progress(progress.reached()).await?;
    drop(progress);
    let code = write_models(&survey);
    let mut json = summary(&survey);
    let text = match &options.out {
        None => {
            if let Some(json) = json.as_object_mut() {
                json.insert("code".to_owned(), code.clone().into());
            }
            code
        }
        Some(file) => {
            write(file, &code, options.force)?;
            told(&survey, file)
        }
    };
    Ok(Output {
        text,
        json,
        exit: Exit::Fine,
    })
}

fn write(file: &Path, code: &str, force: bool) -> Result<(), Failure> {
    let mut how = OpenOptions::new();
    how.write(true)
        .create_new(!force)
        .create(true)
        .truncate(true);
    let written = how
        .open(file)
        .and_then(|mut file| file.write_all(code.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            let message = format!(
                "`{}` already exists; `--force` overwrites it",
                file.display()
            );
            Failure::new(Exit::Usage, message)
        }
        _ => Failure::new(
            Exit::Failed,
            format!("`{}` cannot be written: {error}", file.display()),
        ),
    })
}

fn told(survey: &Survey, file: &Path) -> String {
    let mut lines = vec![format!(
        "wrote models of {} collections to `{}`",
        survey.collections.len(),
        file.display()
    )];
    lines.extend(partial(&survey.collections));
    lines.extend(survey.references.iter().map(ToString::to_string));
    let undecided = survey.undecided.iter();
    lines.extend(undecided.map(|it| format!("undecided: {it}")));
    lines.extend(survey.copies.iter().map(|it| format!("no reference: {it}")));
    lines.extend(survey.notes.iter().map(|note| format!("note: {note}")));
    for collection in &survey.collections {
        lines.extend(
            collection
                .notes
                .iter()
                .map(|note| format!("note on `{}`: {note}", collection.name)),
        );
    }
    lines.join("\n")
}

fn summary(survey: &Survey) -> Value {
    let references = survey.references.iter().map(|it| {
        json!({
            "collection": it.collection, "path": it.path, "target": it.target, "key": it.key, "asked": it.asked,
            "found": it.found, "dangling": it.dangling.iter().map(json_of).collect::<Vec<_>>(),
            "rivals": targets(&it.rivals),
        })
    });
    let undecided = survey.undecided.iter().map(|it| {
        json!({
            "collection": it.collection, "path": it.path, "asked": it.asked, "candidates": targets(&it.candidates),
            "divided": it.is_divided,
        })
    });
    let copies = survey.copies.iter().map(|it| {
        json!({
            "collection": it.collection, "path": it.path, "keys": it.keys, "target": it.target, "from": it.from,
        })
    });
    json!({
        "database": survey.database,
        "collections": survey.collections.iter().map(sampled::json).collect::<Vec<_>>(),
        "references": references.collect::<Vec<_>>(),
        "undecided": undecided.collect::<Vec<_>>(),
        "copies": copies.collect::<Vec<_>>(),
        "notes": survey.notes,
    })
}

fn targets(all: &[TargetSurvey]) -> Value {
    let all = all.iter();
    all.map(|it| json!({ "target": it.target, "key": it.key, "found": it.found }))
        .collect()
}
