//! Finds the other side of a two-way reference.

use crate::model::shape::{ModelShape, ReferenceShape, StoredField, walk};

/// Returns the field that `inverse` names in the target model, if that field refers back to `model`.
pub(crate) fn inverse_of(model: &ModelShape, reference: &ReferenceShape) -> Option<StoredField> {
    let name = reference.inverse?;
    walk((reference.target)().fields).into_iter().find(|back| {
        let returned = back.shape.reference.as_ref();
        // Models are compared by name, because the compiler may create several copies of one constant.
        back.shape.name == name && returned.is_some_and(|it| (it.target)().name == model.name)
    })
}
