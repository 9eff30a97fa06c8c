//! Checks whether an update can make an array longer than its bound.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    options::UpdateModifications,
};

use super::{
    Bound, BoundCheck, bounds, longest, pipeline_paths::written_paths, push_guard::check_push,
};
use crate::{
    error::Result,
    model::shape::ModelShape,
    value::path::{covers, overlap, without_positions},
};

/// Decides how the library enforces the bounds for an update. An update that would exceed a bound in every document
/// is an error.
///
/// The arrays in an upsert's `$setOnInsert` are checked in the document after the update, because the server writes
/// them only if it inserts a document.
pub(crate) fn check_update(
    model: &'static ModelShape,
    update: &UpdateModifications,
    is_upsert: bool,
) -> Result<BoundCheck> {
    let bounds = bounds(model);
    if bounds.is_empty() {
        return Ok(BoundCheck::Safe);
    }
    let operators = match update {
        UpdateModifications::Document(operators) => operators,
        UpdateModifications::Pipeline(stages) => return Ok(check_pipeline(&bounds, stages)),
        _ => return Ok(BoundCheck::AfterImage),
    };
    let mut check = BoundCheck::Safe;
    for (operator, fields) in operators {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields {
            for bound in &bounds {
                let checked = check_operator(model, bound, operator, path, value);
                check = check.and(match operator.as_str() {
                    "$setOnInsert" if is_upsert => checked.unwrap_or(BoundCheck::AfterImage),
                    _ => checked?,
                });
            }
        }
    }
    Ok(check)
}

/// Decides how the library enforces the bounds for a pipeline update.
///
/// The update is safe if it writes neither to a bounded array nor to a field that contains a bounded array.
fn check_pipeline(bounds: &[Bound], stages: &[Document]) -> BoundCheck {
    let is_safe = written_paths(stages).is_some_and(|written| {
        let writes = |bound: &Bound| written.iter().any(|path| covers(path, &bound.path));
        !bounds.iter().any(writes)
    });
    if is_safe {
        BoundCheck::Safe
    } else {
        BoundCheck::AfterImage
    }
}

fn check_operator(
    model: &'static ModelShape,
    bound: &Bound,
    operator: &str,
    path: &str,
    value: &Bson,
) -> Result<BoundCheck> {
    // If the path is `tasks.500` or `tasks.500.done`, the server extends the array to that position.
    if !matches!(operator, "$unset" | "$pull" | "$pullAll" | "$pop")
        && let Some(position) = position_in(path, bound)
        && !bound.allows(position.saturating_add(1))
    {
        return Err(bound.exceeded(model, None, Some(position.saturating_add(1))));
    }
    let plain = without_positions(path);
    let hits = overlap(&plain, &bound.path);
    match operator {
        "$push" if plain == bound.path => check_push(model, bound, path, value),
        // The number of added elements depends on the stored document.
        "$addToSet" if plain == bound.path => Ok(BoundCheck::AfterImage),
        "$set" | "$setOnInsert" | "$max" | "$min" if hits => {
            check_set(model, bound, path, &plain, value)
        }
        "$rename" if value.as_str().is_some_and(|to| covers(to, &bound.path)) => {
            Ok(BoundCheck::AfterImage)
        }
        "$push" | "$addToSet" if covers(&plain, &bound.path) => Ok(BoundCheck::AfterImage),
        _ => Ok(BoundCheck::Safe),
    }
}

/// Checks arrays in the filter of an upsert, because the server copies equality conditions into an inserted
/// document.
pub(crate) fn check_filter(model: &'static ModelShape, filter: &Document) -> Result<()> {
    check_equalities(model, &bounds(model), filter)
}

fn check_equalities(model: &'static ModelShape, bounds: &[Bound], filter: &Document) -> Result<()> {
    for (path, value) in filter {
        if let ("$and", Bson::Array(clauses)) = (path.as_str(), value) {
            for clause in clauses.iter().filter_map(Bson::as_document) {
                check_equalities(model, bounds, clause)?;
            }
        }
        let value = value
            .as_document()
            .and_then(|condition| condition.get("$eq"))
            .unwrap_or(value);
        for bound in bounds {
            check_operator(model, bound, "$setOnInsert", path, value)?;
        }
    }
    Ok(())
}

fn check_set(
    model: &'static ModelShape,
    bound: &Bound,
    path: &str,
    plain: &str,
    value: &Bson,
) -> Result<BoundCheck> {
    if covers(&bound.path, plain) && plain != bound.path {
        return Ok(BoundCheck::Safe);
    }
    // The path refers to one element of the array, and its position was already checked.
    if plain == bound.path && position_in(path, bound).is_some() {
        return Ok(BoundCheck::Safe);
    }
    check_value(model, bound, plain, value)
}

/// Checks the length of an array that the update contains.
fn check_value(
    model: &'static ModelShape,
    bound: &Bound,
    plain: &str,
    value: &Bson,
) -> Result<BoundCheck> {
    let mut wrapped = Document::new();
    wrapped.insert("v", value.clone());
    let Ok(raw) = RawDocumentBuf::try_from(&wrapped) else {
        return Ok(BoundCheck::Safe);
    };
    let below = bound.path.get(plain.len()..).unwrap_or_default();
    let len = longest(&raw, &format!("v{below}"));
    if bound.allows(len) {
        Ok(BoundCheck::Safe)
    } else {
        Err(bound.exceeded(model, None, Some(len)))
    }
}

/// Returns the position of an element of the bounded array, if the path refers to this element or to a field inside
/// it.
fn position_in(path: &str, bound: &Bound) -> Option<usize> {
    let segments: Vec<&str> = path.split('.').collect();
    segments.iter().enumerate().find_map(|(at, segment)| {
        let position = segment.parse().ok()?;
        let above = segments.get(..at)?.join(".");
        (without_positions(&above) == bound.path).then_some(position)
    })
}
