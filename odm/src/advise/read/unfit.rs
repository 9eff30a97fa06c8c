//! Documents of the sample that do not decode as their model.

use crate::{
    advise::seen::{SeenCollection, SeenUnfit},
    path::without_positions,
    survey::{CollectionSurvey, misfits},
};

/// Decodes the sample; sends nothing.
pub(super) fn read(seen: &mut SeenCollection, found: &CollectionSurvey) {
    let unfit = misfits(found).into_iter().map(|it| SeenUnfit {
        model: it.model,
        path: without_positions(&it.path),
        message: it.message,
        count: it.count,
        documents: it.documents,
        example: it.example,
    });
    seen.unfit = unfit.collect();
}
