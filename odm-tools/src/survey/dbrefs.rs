//! Reads `DBRef`s, which are keys that contain the name of their target collection.

use super::report::{CollectionSurvey, PathStep, PathSurvey};

/// Returns the names of the collections in the `DBRef`s at a path that ends with `$id`. The result is empty if a
/// `DBRef` refers to a different database. Returns `None` for other paths.
pub(super) fn collections<'s>(
    path: &PathSurvey,
    of: &'s CollectionSurvey,
    database: &str,
) -> Option<Vec<&'s str>> {
    let (last, above) = path.steps.split_last()?;
    if *last != PathStep::Field("$id".to_owned()) {
        return None;
    }
    let beside = |name: &str| {
        let field = PathStep::Field(name.to_owned());
        let mut paths = of.paths.iter();
        let found = paths.find(|it| it.steps.split_last() == Some((&field, above)));
        let values = found.map(|it| it.values.iter());
        values.map(|values| values.filter_map(|(value, _)| value.as_str()).collect())
    };
    let named: Vec<&str> = beside("$ref")?;
    let databases: Vec<&str> = beside("$db").unwrap_or_default();
    let is_elsewhere = databases.iter().any(|it| *it != database);
    Some(if is_elsewhere { Vec::new() } else { named })
}
