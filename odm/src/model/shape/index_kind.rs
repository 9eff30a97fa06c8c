//! The indexes of a model by their kind.

use super::{IndexKind, IndexShape, ModelShape, walk};

impl ModelShape {
    /// Lists the indexes of a kind that the model declares, on its fields or as a whole.
    pub(crate) fn indexes_of_kind(
        &self,
        kind: IndexKind,
    ) -> impl Iterator<Item = &'static IndexShape> {
        let of_fields = walk(self.fields).into_iter();
        let of_fields = of_fields.filter_map(|field| field.shape.index.as_ref());
        self.indexes.iter().chain(of_fields).filter(move |index| {
            index.kind == kind || index.keys.iter().any(|key| key.kind == kind)
        })
    }
}
