//! Finds collections that contain documents of several kinds. In such a collection, one field contains the kind, and
//! each kind has different fields.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::bson::Document;

use crate::survey::{CollectionSurvey, PathSurvey};

/// Largest number of kinds in a collection.
const KINDS: usize = 8;

/// Smallest number of sampled documents that each kind must have.
const DOCUMENTS: usize = 3;

/// The kinds in a collection, with the sampled documents of each.
#[derive(Debug)]
pub(super) struct Kinds<'s> {
    pub(super) field: &'s str,
    pub(super) documents: BTreeMap<&'s str, Vec<&'s Document>>,
}

/// Returns the kinds in a collection, if the collection contains several.
pub(super) fn kinds(collection: &CollectionSurvey) -> Option<Kinds<'_>> {
    let fields = collection.paths.iter().filter(|path| may_be_kind(path));
    fields
        .filter_map(|path| Kinds::by(path, collection))
        .max_by_key(|kinds| is_named_so(kinds.field))
}

/// Whether a field may contain the kind. All documents must contain a string in this field, and there must be only a
/// few distinct strings.
fn may_be_kind(path: &PathSurvey) -> bool {
    path.steps.len() == 1
        && path.path != "_id"
        && path.missing() == 0
        && path.nulls == 0
        && path.only_type() == Some("string")
        && path.values_are_complete
        && (2..=KINDS).contains(&path.values.len())
        && path
            .name()
            .is_some_and(|name| !name.contains(['.', '$']) && !name.is_empty())
}

/// Whether the name of a field suggests that it contains the kind.
fn is_named_so(field: &str) -> bool {
    let name = field.trim_start_matches('_').to_lowercase();
    let words = ["type", "kind", "class", "discriminator", "entity"];
    name == "t" || words.iter().any(|word| name.ends_with(word))
}

impl<'s> Kinds<'s> {
    fn by(path: &'s PathSurvey, collection: &'s CollectionSurvey) -> Option<Self> {
        let field = path.name()?;
        let mut documents = BTreeMap::<_, Vec<_>>::new();
        for document in &collection.sample {
            let kind = document.get_str(field).ok()?;
            documents.entry(kind).or_default().push(document);
        }
        let kinds = Self { field, documents };
        kinds.differ().then_some(kinds)
    }

    /// Whether the documents of each kind have fields that documents of other kinds lack. If the field that contains
    /// the kind has a typical name, one kind may lack such fields. If the field has any other name, each kind must have
    /// at least two such fields.
    fn differ(&self) -> bool {
        // Without kept documents, nothing shows that the kinds differ.
        let have_enough = self.documents.values().all(|it| it.len() >= DOCUMENTS);
        if self.documents.is_empty() || !have_enough {
            return false;
        }
        let own = self.documents.keys().map(|kind| self.own_fields(kind));
        let own: Vec<usize> = own.collect();
        if is_named_so(self.field) {
            return own.iter().filter(|fields| **fields == 0).count() <= 1;
        }
        own.iter().all(|fields| *fields >= 2)
    }

    /// Counts the fields that are typical of a kind. A typical field occurs in at least 90 % of the kind's documents,
    /// and in less than 5 % of the other documents.
    fn own_fields(&self, kind: &str) -> usize {
        let of_kind = self.documents.get(kind).map_or(&[][..], Vec::as_slice);
        let others = self.documents.iter().filter(|(other, _)| **other != kind);
        let others: Vec<&Document> = others.flat_map(|(_, all)| all.iter().copied()).collect();
        let names: BTreeSet<&String> = of_kind.iter().flat_map(|it| it.keys()).collect();
        let share = |of: &[&Document], name: &str| {
            let having = of.iter().filter(|it| it.contains_key(name)).count();
            having * 100 / of.len().max(1)
        };
        let own = names
            .iter()
            .filter(|name| share(of_kind, name) >= 90 && share(&others, name) < 5);
        own.count()
    }
}
