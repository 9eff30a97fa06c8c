//! The two sides of references that refer to each other.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{FindCommand, simple},
        place::Place,
    },
    graph::{Copied, ExtendedReference, graph},
    model::shape::{ModelShape, ReferenceShape, StoredField, walk},
    value::{
        key::JoinKey,
        path::{covers, join, projection},
    },
};

/// Two references that refer to each other: `Person.tasks <-> Task.owner`.
#[derive(Clone, Debug)]
pub(super) struct TwoWay {
    pub(super) name: String,
    /// The side with the array, if only one side has an array.
    pub(super) left: Side,
    pub(super) right: Side,
}

/// The side that refers to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The array refers to a document that does not refer back.
    LeftNamesRight,
    /// A document refers to an owner whose array does not contain it.
    RightNamesLeft,
}

/// One side: the path at which its documents store the keys of the other side.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) model: &'static ModelShape,
    /// The name of the side: `Person.tasks`.
    pub(super) title: String,
    /// The stored path of the keys.
    pub(super) path: String,
    /// The path on the other side that the keys are compared with, usually `_id`.
    pub(super) to: String,
    /// The path on this side that the keys of the other side are compared with.
    pub(super) value: String,
    /// Whether a document can have several keys.
    pub(super) is_array: bool,
    /// Whether the keys are the elements of a top-level array.
    pub(super) is_plain: bool,
    pub(super) max: Option<u32>,
}

impl TwoWay {
    /// Lists each pair of some models once.
    pub(super) fn all(models: &[&'static ModelShape]) -> Vec<Self> {
        let mut pairs: Vec<Self> = Vec::new();
        for model in models {
            for field in walk(model.fields) {
                let pair = Self::of(model, &field);
                if let Some(pair) = pair
                    && pairs.iter().all(|other| other.name != pair.name)
                {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    fn of(model: &'static ModelShape, field: &StoredField) -> Option<Self> {
        let reference = field.shape.reference.as_ref()?;
        let name = reference.inverse?;
        let target = (reference.target)();
        let back = walk(target.fields).into_iter().find(|back| {
            let reference = back.shape.reference.as_ref();
            let target = reference.map(|reference| (reference.target)().name);
            back.shape.name == name && target == Some(model.name)
        })?;
        let returned = back.shape.reference.as_ref()?;
        let here = Side::new(model, field, reference, returned);
        let there = Side::new(target, &back, returned, reference);
        // The pair is the same from either side, whatever the order of the models.
        let order = |side: &Side| (!side.is_array, side.title.clone());
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

    /// Returns the name of the pair from its right side.
    pub(super) fn reversed(&self) -> String {
        format!("{} <-> {}", self.right.title, self.left.title)
    }

    /// Returns the side that refers, and the side that it refers to.
    pub(super) const fn sides(&self, direction: Direction) -> (&Side, &Side) {
        match direction {
            Direction::LeftNamesRight => (&self.left, &self.right),
            Direction::RightNamesLeft => (&self.right, &self.left),
        }
    }

    /// Returns the extended reference that writes the keys of one side to the array on the other side, if there is one.
    fn array_reference(&self, direction: Direction) -> Option<&'static ExtendedReference> {
        let (here, there) = self.sides(direction);
        let mut within = graph().copied_into(there.model.documents());
        within.find(|reference| {
            let is_array = |copied: &Copied| {
                copied.fold.key_of_elements().is_some() && covers(&copied.to, &there.path)
            };
            reference.source_key == here.path && reference.fields.iter().any(is_array)
        })
    }

    /// Returns the job that corrects a reference to a key without a reference back. The job consists of an extended
    /// reference and the key of the document with the array.
    pub(super) fn repairing_job(
        &self,
        direction: Direction,
        id: &Bson,
        key: &Bson,
    ) -> Option<(&'static ExtendedReference, JoinKey)> {
        let (from, key) = match direction {
            Direction::LeftNamesRight if self.is_derived() => (Direction::RightNamesLeft, id),
            direction => (direction, key),
        };
        Some((self.array_reference(from)?, JoinKey::from(key.clone())))
    }

    /// Whether the array is derived from the references on the other side.
    pub(super) const fn is_derived(&self) -> bool {
        self.left.is_array && !self.right.is_array
    }

    /// Whether both sides are the same array, which refers to documents of its own model.
    pub(super) fn is_own_inverse(&self) -> bool {
        self.left.title == self.right.title
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
            is_array: field.shape.array || field.arrays_above > 0,
            is_plain: field.shape.array && field.arrays_above == 0 && inner.is_empty(),
            max: field.shape.max,
        }
    }

    /// Returns a query for the keys of documents. Single references are sorted by their keys, so that references to the
    /// same document are consecutive and the document is read once.
    pub(super) fn query(&self, filter: Document) -> FindCommand {
        // The index on `_id` has the collation of its collection.
        let collation = (!filter.contains_key("_id")).then(simple);
        let is_whole = filter.is_empty();
        // Findings in documents that are read again contain the positions of the keys, which a projection of a path in
        // an array would not preserve.
        let path = match self.path.split_once('.') {
            Some((top, _)) if self.is_array && !is_whole => top,
            _ => self.path.as_str(),
        };
        let mut find = FindCommand::new(Place::of(self.model), filter)
            .select(projection([path, &self.value]))
            .collation(collation);
        if !self.is_array && is_whole {
            find.options.sort = Some(doc! { &self.path: 1 });
            find.options.allow_disk_use = Some(true);
        }
        find
    }
}
