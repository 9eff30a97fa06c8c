//! Finds the other side of a two-way reference. All code that needs the other side at run time uses this search.

use crate::{
    graph::KeyForm,
    model::shape::{ModelShape, ReferenceShape, StoredField, walk},
    value::path::join,
};

/// The two fields of a two-way reference.
#[derive(Clone, Debug)]
pub(crate) struct Inverse {
    /// The field that has the option `inverse`.
    pub(crate) field: StoredField,
    /// The field in the target model that refers back.
    pub(crate) back: StoredField,
}

impl Inverse {
    /// Returns the two fields if `inverse` names a field of the target model that refers back to `model`.
    pub(super) fn find(
        model: &ModelShape,
        reference: &ReferenceShape,
        field: StoredField,
    ) -> Option<Self> {
        let name = reference.inverse?;
        let mut fields = walk((reference.target)().fields).into_iter();
        let back = fields.find(|back| {
            let returned = back.shape.reference.as_ref();
            // Models are compared by name and not by address, because the compiler may create several copies of one
            // constant.
            back.shape.name == name && returned.is_some_and(|it| (it.target)().name == model.name)
        })?;
        Some(Self { field, back })
    }

    /// Returns the form in which the field in the target model stores its keys.
    pub(crate) const fn form(&self) -> KeyForm {
        if self.back.shape.array {
            KeyForm::Array
        } else {
            KeyForm::Single
        }
    }

    /// Returns the stored path of the keys in the target model.
    pub(crate) fn path_of_keys(&self) -> String {
        let returned = self.back.shape.reference.as_ref();
        let inner = returned.map_or_else(String::new, |it| (it.inner)());
        join(&self.back.path, &inner)
    }
}
