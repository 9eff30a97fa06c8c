//! Rejects references to a field that has a codec of its own. The library compares the keys in their own serde form, so
//! it would never find the target.

use super::Problem;
use crate::{
    model::shape::{ModelShape, StoredField, walk},
    query::field::is_native,
};

/// Finds references whose target field has a codec.
pub(in crate::graph) fn find(models: &[&'static ModelShape]) -> Vec<Problem> {
    let references = models.iter().flat_map(|model| {
        walk(model.fields)
            .into_iter()
            .map(move |field| (*model, field))
    });
    let problem = |(model, field): (&'static ModelShape, StoredField)| {
        let reference = field.shape.reference.as_ref()?;
        let target = (reference.target)();
        let path = reference.target_path();
        let key = walk(target.fields)
            .into_iter()
            .find(|key| key.path == path)?;
        // `native` stores the BSON type in which a reference is also stored.
        let codec = key.shape.codec?;
        if is_native(codec) {
            return None;
        }
        Some(Problem {
            collections: vec![model.collection, target.collection],
            message: format!(
                "`{}.{}` refers to `{}.{path}`, whose codec `{codec}` may store the keys in another form, so that no key \
                 would be found; remove the codec, or make the key a newtype with `impl Key`",
                model.name, field.path, target.name
            ),
        })
    };
    references.filter_map(problem).collect()
}
