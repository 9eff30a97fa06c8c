//! Conditions that must be true at any time, even if jobs are pending.

use mongo_odm::bson::Bson;

use crate::{
    adapter::Report,
    declaration::{By, Declaration, Missing, What},
    world::World,
};

/// Checks that a report says whether work is left.
///
/// # Errors
///
/// If the report and its token disagree about whether work is left.
pub fn report(report: &Report) -> Result<(), Vec<String>> {
    let is_empty = report.token.as_ref().is_none_or(mongo_odm::Token::is_empty);
    if report.is_eventual != is_empty {
        return Ok(());
    }
    Err(vec![format!(
        "the token is {:?}, and the report says {}",
        report.token, report.text
    )])
}

/// Checks the stored values that readers can see while work is pending.
///
/// # Errors
///
/// If a count is negative, or if a field is null although serde does not store a null in it.
pub fn at_each_moment(all: &Declaration, stored: &World) -> Result<(), Vec<String>> {
    let mut found = Vec::new();
    for ((model, id), document) in &stored.0 {
        let model = all.model(*model);
        for field in &model.fields {
            let place = || format!("{} {id}.{}", model.name, field.stored);
            match (&field.what, document.get(&field.stored)) {
                (What::Fold(fold), Some(Bson::Int64(count)))
                    if fold.by == By::Count && *count < 0 =>
                {
                    found.push(format!("{} is {count}", place()));
                }
                // A restore stores null, which every program reads as `None`.
                (What::Maintained(_), _) => {}
                (_, Some(Bson::Null)) if field.missing == Missing::Skipped => {
                    found.push(format!("{} is null, which serde would leave out", place()));
                }
                _ => {}
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}
