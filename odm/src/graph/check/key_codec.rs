//! Rejects references to a field that has a codec of its own. The library compares keys in the serde form of the key's
//! type. So it would never find a target whose codec stores the key differently.

use super::Problem;
use crate::{
    graph::stored_reference::{StoredReference, Target},
    model::shape::{ModelShape, walk},
    query::field::is_native,
};

/// Finds references whose target field has a codec.
pub(in crate::graph) fn find(models: &[&'static ModelShape]) -> Vec<Problem> {
    let references = StoredReference::of_each(models);
    let targets = references
        .iter()
        .flat_map(|reference| reference.targets().map(move |target| (reference, target)));
    let problem = |(reference, target): (&StoredReference, &Target)| {
        let key = walk(target.model.fields)
            .into_iter()
            .find(|key| key.path == target.path)?;
        // The codec `native` stores keys in the same BSON type as a reference does.
        let codec = key.shape.codec?;
        if is_native(codec) {
            return None;
        }
        Some(Problem {
            collections: vec![reference.model.collection, target.model.collection],
            message: format!(
                "`{}` refers to `{}.{}`, whose codec `{codec}` may store the keys in another form, so that no key would be \
                 found; remove the codec, or make the key a newtype with `impl Key`",
                reference.title, target.model.name, target.path
            ),
        })
    };
    targets.filter_map(problem).collect()
}
