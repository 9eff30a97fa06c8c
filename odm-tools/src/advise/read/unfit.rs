//! Finds sampled documents that cannot be decoded as their model.

use mongo_odm::__tools::path::without_positions;
use mongodb::bson::RawDocumentBuf;

use crate::{
    advise::seen::{SeenCollection, SeenUnfit},
    survey::{CollectionSurvey, misfits},
};

/// Decodes the sampled documents as their models. Sends nothing.
pub(super) fn read(seen: &mut SeenCollection, found: &CollectionSurvey) {
    let sample = found.sample.iter();
    let sample: Vec<_> = sample
        .filter_map(|it| RawDocumentBuf::try_from(it).ok())
        .collect();
    let unfit = misfits(&found.name, &sample)
        .into_iter()
        .map(|it| SeenUnfit {
            model: it.model,
            path: without_positions(&it.path),
            message: it.message,
            count: it.count,
            documents: it.documents,
            example: it.example,
        });
    seen.unfit = unfit.collect();
}
