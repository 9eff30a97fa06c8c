//! An index that finds extended references by their source or target. The index makes the search fast enough for
//! counters that every read updates.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use super::graph;
use crate::model::shape::{DocumentSet, ModelShape};

/// The positions of extended references in the graph, indexed by target and by source.
#[derive(Debug, Default)]
pub(crate) struct ReferenceIndex {
    /// The positions, indexed by the documents that contain the copies.
    targets: HashMap<DocumentSet<'static>, Vec<usize>>,
    /// The positions, indexed by the source documents.
    sources: HashMap<DocumentSet<'static>, FromSource>,
    models: HashSet<&'static str>,
}

/// The extended references that share a source.
#[derive(Debug, Default)]
struct FromSource {
    all: Vec<usize>,
    /// The positions, indexed by the name of the model that contains the copies.
    targets: HashMap<&'static str, Vec<usize>>,
}

/// Returns the index for all linked models.
pub(crate) fn reference_index() -> &'static ReferenceIndex {
    static INDEX: OnceLock<ReferenceIndex> = OnceLock::new();
    let ends = || {
        graph()
            .references
            .iter()
            .map(|reference| (reference.target.shape(), reference.source.shape()))
    };
    INDEX.get_or_init(|| ReferenceIndex::new(ends()))
}

impl ReferenceIndex {
    /// Builds the index. Each item represents one extended reference: the model that stores the copies, and the source
    /// model.
    fn new(references: impl Iterator<Item = (&'static ModelShape, &'static ModelShape)>) -> Self {
        let mut index = Self::default();
        for (reference, (target, source)) in references.enumerate() {
            let from = index.sources.entry(source.documents()).or_default();
            from.all.push(reference);
            from.targets.entry(target.name).or_default().push(reference);
            let within = index.targets.entry(target.documents()).or_default();
            within.push(reference);
            index.models.extend([target.name, source.name]);
        }
        index
    }

    /// Returns the positions of the extended references that store copies in the given documents.
    pub(crate) fn copied_into(&self, documents: DocumentSet<'static>) -> &[usize] {
        self.targets.get(&documents).map_or(&[], Vec::as_slice)
    }

    /// Returns the positions of the extended references that copy from a source into documents of the reference's
    /// owner. If the owner is not a model, it is a struct that any model may contain, so all extended references of the
    /// source are returned.
    pub(crate) fn between(&self, owner: &str, source: DocumentSet<'static>) -> &[usize] {
        let from = self.sources.get(&source);
        let references = from.and_then(|from| {
            if self.models.contains(owner) {
                from.targets.get(owner)
            } else {
                Some(&from.all)
            }
        });
        references.map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static HOST: ModelShape = ModelShape::new("Host", "hosts", &[]);
    static LOG: ModelShape = ModelShape::new("LogMsg", "logmsg", &[]);
    static OTHER: ModelShape = ModelShape::new("Other", "others", &[]);
    static MORE: ModelShape = ModelShape::new("More", "more", &[]);

    #[test]
    fn a_read_or_a_join_looks_at_no_reference_between_other_models() {
        let unrelated = (0..500).flat_map(|_| [(&MORE, &OTHER), (&MORE, &HOST)]);
        let index = ReferenceIndex::new(unrelated.chain([(&LOG, &HOST)]));
        assert_eq!(
            index.copied_into(DocumentSet::whole_collection("logmsg")),
            [1_000]
        );
        assert_eq!(
            index.between("LogMsg", DocumentSet::whole_collection("hosts")),
            [1_000]
        );
        assert_eq!(
            index.copied_into(DocumentSet::whole_collection("hosts")),
            [0; 0],
            "a source is no copy"
        );
        assert_eq!(
            index.between("LogMsg", DocumentSet::whole_collection("others")),
            [0; 0]
        );
        assert_eq!(
            index.between("Host", DocumentSet::whole_collection("logmsg")),
            [0; 0]
        );
    }

    #[test]
    fn a_struct_inside_a_model_may_hold_the_reference_of_any_reference_of_the_source() {
        let index =
            ReferenceIndex::new([(&LOG, &HOST), (&MORE, &HOST), (&MORE, &OTHER)].into_iter());
        assert_eq!(
            index.between("Line", DocumentSet::whole_collection("hosts")),
            [0, 1]
        );
        assert_eq!(
            index.between("Line", DocumentSet::whole_collection("parts")),
            [0; 0]
        );
    }
}
