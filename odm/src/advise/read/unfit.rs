//! Documents of the sample that do not decode as their model.

use crate::{advise::seen::SeenCollection, survey::CollectionSurvey};

/// Decodes the sample; sends nothing.
#[cfg(feature = "cli")]
pub(super) fn read(seen: &mut SeenCollection, found: &CollectionSurvey) {
    use mongodb::bson::RawDocumentBuf;

    use crate::{advise::seen::SeenUnfit, path::without_positions, survey::misfits};

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

/// Notes that nothing here knows how to decode.
#[cfg(not(feature = "cli"))]
pub(super) fn read(seen: &mut SeenCollection, _: &CollectionSurvey) {
    use crate::advise::seen::Need;

    let why = "the feature `cli` is off, with which models register how they are read";
    super::note(seen, Need::Decoders, why);
}
