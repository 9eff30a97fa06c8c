//! The text indexes of a model.

use super::{IndexKind, IndexShape, ModelShape, walk};

impl ModelShape {
    /// Lists the text indexes that the model declares, on its fields or as a whole.
    pub(crate) fn text_indexes(&self) -> impl Iterator<Item = &'static IndexShape> {
        let of_fields = walk(self.fields).into_iter();
        let of_fields = of_fields.filter_map(|field| field.shape.index.as_ref());
        self.indexes.iter().chain(of_fields).filter(|index| {
            index.kind == IndexKind::Text
                || index.keys.iter().any(|key| key.kind == IndexKind::Text)
        })
    }
}
