//! The operators of an update that changes one document into another.

use mongodb::bson::{Bson, Document};

use super::set_or_unset::set_or_unset;
use crate::{
    error::{Error, Result},
    model::shape::{FieldShape, ModelShape, walk},
    value::{
        key::is_same_key,
        path::{covers, join},
    },
};

/// Returns the operators that set or remove the fields in which `after` differs from `before`. The operators do not
/// contain fields that the library sets. They contain a field of the shard key only if its values are different keys.
///
/// # Errors
///
/// [`Error::Invalid`] if the name of a changed field is empty, contains a dot, or begins with `$`.
pub(crate) fn difference(
    model: &'static ModelShape,
    before: &Document,
    after: &Document,
) -> Result<Document> {
    let fields = walk(model.fields).into_iter();
    let derived = fields.filter(|field| is_derived(field.shape));
    let comparison = Comparison {
        model,
        derived: derived.map(|field| field.path).collect(),
        key: model.shard_key_paths().collect(),
    };
    let mut changes = Vec::new();
    comparison.compare("", before, after, &mut changes)?;
    Ok(set_or_unset(changes))
}

/// A comparison of two documents of one model.
struct Comparison {
    model: &'static ModelShape,
    /// The paths of the fields that the library sets.
    derived: Vec<String>,
    /// The paths of the shard key.
    key: Vec<String>,
}

impl Comparison {
    /// Adds the fields of a struct that differ, with their new values. `above` is the path of the struct. If a field
    /// contains a part of the shard key, its own fields are compared, because an update must not set the key.
    fn compare(
        &self,
        above: &str,
        before: &Document,
        after: &Document,
        changes: &mut Vec<(String, Option<Bson>)>,
    ) -> Result<()> {
        let removed = before.keys().filter(|name| !after.contains_key(*name));
        for name in after.keys().chain(removed) {
            let (old, new) = (before.get(name), after.get(name));
            let path = join(above, name);
            if self.is_unchanged(&path, old, new) {
                continue;
            }
            self.check_name(name)?;
            match (old, new) {
                (Some(Bson::Document(old)), Some(Bson::Document(new)))
                    if self.contains_key(&path) =>
                {
                    self.compare(&path, old, new, changes)?;
                }
                _ => changes.push((path, new.cloned())),
            }
        }
        Ok(())
    }

    /// Whether the values are equal, the library sets the field, or both values are the same part of the shard key.
    fn is_unchanged(&self, path: &str, old: Option<&Bson>, new: Option<&Bson>) -> bool {
        if matches!((old, new), (Some(old), Some(new)) if is_same(old, new)) {
            return true;
        }
        let [old, new] = [old, new].map(|value| value.unwrap_or(&Bson::Null));
        let is_key = self.key.iter().any(|key| key == path);
        is_key && is_same_key(old, new) || self.derived.iter().any(|derived| derived == path)
    }

    /// Whether the field is a struct that contains a part of the shard key.
    fn contains_key(&self, path: &str) -> bool {
        self.key.iter().any(|key| key != path && covers(path, key))
    }

    fn check_name(&self, name: &str) -> Result<()> {
        // The server also rejects a replacement with such a name, unless the only problem is a dot in the name.
        let remedy = if name.is_empty() || name.starts_with('$') {
            "rename the field"
        } else if name.contains('.') {
            "use `save`"
        } else {
            return Ok(());
        };
        let message = format!(
            "an update of `{}` cannot set the changed field `{name}`, because its name is empty, begins with `$`, or contains \
             a dot; {remedy}",
            self.model.name
        );
        Err(Error::invalid(message).in_model(self.model))
    }
}

/// Whether the library sets the field and ignores the value in the struct.
fn is_derived(field: &FieldShape) -> bool {
    field.is_synchronized() || field.maintained.is_some()
}

/// Whether two values are equal. All NaN values are equal. The order of the fields in a document is ignored, because
/// the order of a `HashMap` is random.
fn is_same(left: &Bson, right: &Bson) -> bool {
    match (left, right) {
        (Bson::Double(left), Bson::Double(right)) => {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        }
        (Bson::Document(left), Bson::Document(right)) => {
            let is_in_right = |(name, value): (&String, &Bson)| {
                right.get(name).is_some_and(|other| is_same(value, other))
            };
            left.len() == right.len() && left.iter().all(is_in_right)
        }
        (Bson::Array(left), Bson::Array(right)) => {
            let mut pairs = left.iter().zip(right);
            left.len() == right.len() && pairs.all(|(left, right)| is_same(left, right))
        }
        (left, right) => left == right,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn all_nan_values_and_all_orders_of_fields_are_the_same() {
        let before: Bson = doc! { "a": [1.0, f64::NAN], "b": { "c": f64::NAN } }.into();
        let reordered = doc! { "b": { "c": -f64::NAN }, "a": [1.0, f64::NAN] };
        assert!(is_same(&before, &reordered.into()));
        for other in [
            doc! { "a": [f64::NAN, 1.0], "b": { "c": f64::NAN } },
            doc! { "a": [1.0], "b": { "c": f64::NAN } },
            doc! { "a": [1.0, f64::NAN], "b": { "d": f64::NAN } },
            doc! { "a": [1.0, f64::NAN], "b": { "c": 1 } },
        ] {
            assert!(!is_same(&before, &other.into()));
        }
    }
}
