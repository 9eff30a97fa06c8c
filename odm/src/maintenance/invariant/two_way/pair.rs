//! Describes two-way references by their two sides.

use std::sync::Arc;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{FindCommand, simple},
        place::Place,
    },
    graph::{Copied, ExtendedReference, StoredReference, graph},
    maintenance::invariant::finding::RepairingJob,
    model::shape::{ModelShape, ReferenceShape, StoredField},
    value::{
        key::JoinKey,
        path::{covers, join, projection},
    },
};

/// A pair of references that refer to each other, such as `Person.tasks <-> Task.owner`.
#[derive(Clone, Debug)]
pub(in crate::maintenance::invariant) struct TwoWay {
    pub(in crate::maintenance::invariant) name: String,
    /// The left side. If only one side stores an array, it is the left one.
    pub(in crate::maintenance::invariant) left: Side,
    pub(in crate::maintenance::invariant) right: Side,
}

/// Which side of a pair contains the reference that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::maintenance::invariant) enum Direction {
    /// A reference on the left side, to a document on the right side.
    LeftNamesRight,
    /// A reference on the right side, to a document on the left side.
    RightNamesLeft,
}

impl Direction {
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::LeftNamesRight => Self::RightNamesLeft,
            Self::RightNamesLeft => Self::LeftNamesRight,
        }
    }
}

/// The form in which a side of a pair stores keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::maintenance::invariant) enum SideForm {
    /// A document contains at most one key.
    Single,
    /// The keys are the elements of a top-level array.
    PlainArray,
    /// The keys are inside structs, and a document can contain several keys.
    InStructs,
}

/// How the two sides of a pair depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::maintenance::invariant) enum PairForm {
    /// The left side is an array that is derived from single references on the right side.
    LeftIsDerived,
    /// Your code can write both sides.
    BothWritable,
}

/// One side of a pair, which stores keys of documents on the other side.
#[derive(Clone, Debug)]
pub(in crate::maintenance::invariant) struct Side {
    pub(in crate::maintenance::invariant) model: &'static ModelShape,
    /// The name of the side in reports, such as `Person.tasks`.
    pub(in crate::maintenance::invariant) title: String,
    /// The stored path of the keys.
    pub(in crate::maintenance::invariant) path: String,
    /// The stored path, on the other side, of the field to which the keys refer. Usually `_id`.
    pub(in crate::maintenance::invariant) to: String,
    /// The stored path, on this side, of the field to which the other side's keys refer.
    pub(in crate::maintenance::invariant) value: String,
    pub(in crate::maintenance::invariant) form: SideForm,
}

impl TwoWay {
    /// Lists the pairs that the given models declare. Each pair is listed once.
    pub(in crate::maintenance::invariant) fn all(models: &[&'static ModelShape]) -> Vec<Self> {
        let mut pairs: Vec<Self> = Vec::new();
        for pair in StoredReference::of_each(models).iter().filter_map(Self::of) {
            if pairs.iter().all(|other| other.name != pair.name) {
                pairs.push(pair);
            }
        }
        pairs
    }

    fn of(stored: &StoredReference) -> Option<Self> {
        let inverse = stored.inverse.as_ref()?;
        let reference = inverse.field.shape.reference.as_ref()?;
        let returned = inverse.back.shape.reference.as_ref()?;
        let here = Side::new(stored.model, &inverse.field, reference, returned);
        let there = Side::new((reference.target)(), &inverse.back, returned, reference);
        // The sides are sorted, so that the result does not depend on the order of the models.
        let order = |side: &Side| (side.form == SideForm::Single, side.title.clone());
        let (left, right) = if order(&here) <= order(&there) {
            (here, there)
        } else {
            (there, here)
        };
        Some(Self {
            name: format!("{} <-> {}", left.title, right.title),
            left,
            right,
        })
    }

    /// Returns the name of the pair as seen from its right side.
    pub(in crate::maintenance::invariant) fn reversed(&self) -> String {
        format!("{} <-> {}", self.right.title, self.left.title)
    }

    /// Returns the side that contains the reference, and the side to which the reference refers.
    pub(in crate::maintenance::invariant) const fn sides(
        &self,
        direction: Direction,
    ) -> (&Side, &Side) {
        match direction {
            Direction::LeftNamesRight => (&self.left, &self.right),
            Direction::RightNamesLeft => (&self.right, &self.left),
        }
    }

    /// Returns the extended reference that computes the array on the other side from the keys on this side. Returns
    /// `None` if the other side is not an array.
    pub(super) fn array_reference(&self, direction: Direction) -> Option<Arc<ExtendedReference>> {
        let (here, there) = self.sides(direction);
        let mut within = graph().copied_into(there.model.documents());
        let found = within.find(|reference| {
            let is_array = |copied: &Copied| {
                copied.fold.key_of_elements().is_some() && covers(&copied.to, &there.path)
            };
            reference.source_key == here.path && reference.fields.iter().any(is_array)
        });
        found.cloned()
    }

    /// Returns the job that corrects a reference without a counterpart. The job is identified by an extended reference
    /// and the key of the document that contains the array.
    pub(in crate::maintenance::invariant) fn repairing_job(
        &self,
        direction: Direction,
        id: &Bson,
        key: &Bson,
    ) -> Option<RepairingJob> {
        let (from, key) = match direction {
            Direction::LeftNamesRight if self.form() == PairForm::LeftIsDerived => {
                (Direction::RightNamesLeft, id)
            }
            direction => (direction, key),
        };
        Some(RepairingJob {
            reference: Some(self.array_reference(from)?),
            key: Some(JoinKey::from(key.clone())),
            ..RepairingJob::default()
        })
    }

    /// Returns how the two sides depend on each other.
    pub(in crate::maintenance::invariant) const fn form(&self) -> PairForm {
        match (self.left.form, self.right.form) {
            (SideForm::PlainArray | SideForm::InStructs, SideForm::Single) => {
                PairForm::LeftIsDerived
            }
            (SideForm::Single, _) | (_, SideForm::PlainArray | SideForm::InStructs) => {
                PairForm::BothWritable
            }
        }
    }

    /// Lists the directions in which the pair is checked. If the reference is its own inverse, both sides are the same
    /// array, so there is only one direction.
    pub(in crate::maintenance::invariant) fn directions(&self) -> Vec<Direction> {
        if self.left.title == self.right.title {
            return vec![Direction::LeftNamesRight];
        }
        vec![Direction::LeftNamesRight, Direction::RightNamesLeft]
    }
}

impl Side {
    fn new(
        model: &'static ModelShape,
        field: &StoredField,
        reference: &ReferenceShape,
        returned: &ReferenceShape,
    ) -> Self {
        let inner = (reference.inner)();
        Self {
            model,
            title: format!("{}.{}", model.name, field.path),
            path: join(&field.path, &inner),
            to: reference.target_path(),
            value: returned.target_path(),
            form: match (field.shape.array, field.arrays_above) {
                (false, 0) => SideForm::Single,
                (true, 0) if inner.is_empty() => SideForm::PlainArray,
                _ => SideForm::InStructs,
            },
        }
    }

    /// Returns the tenant of a document, if the model has a tenant.
    pub(in crate::maintenance::invariant) fn tenant_of(
        &self,
        document: &Document,
    ) -> Option<JoinKey> {
        let tenant = document.get(self.model.tenant()?)?;
        Some(JoinKey::from(tenant.clone()))
    }

    /// Returns a query that reads the keys on this side. Single references are sorted by key. References to the same
    /// document are then consecutive, so the document is read only once.
    pub(in crate::maintenance::invariant) fn query(&self, filter: Document) -> FindCommand {
        // The index on `_id` uses the collation of its collection, so a query with a different collation could not use
        // this index.
        let collation = (!filter.contains_key("_id")).then(simple);
        let is_whole = filter.is_empty();
        // Findings contain the positions of keys in arrays. So when documents are read again, the projection includes
        // the whole array. A projection of a path inside an array would not preserve these positions.
        let path = match self.path.split_once('.') {
            Some((top, _)) if self.form != SideForm::Single && !is_whole => top,
            _ => self.path.as_str(),
        };
        let paths = [path, &self.value].into_iter().chain(self.model.tenant());
        let mut find = FindCommand::new(Place::of(self.model), filter)
            .select(projection(paths))
            .collation(collation);
        if self.form == SideForm::Single && is_whole {
            find.options.sort = Some(doc! { &self.path: 1 });
            find.options.allow_disk_use = Some(true);
        }
        find
    }
}
