//! Patches, which are structs that contain only the fields that a request can change.
//!
//! The library sends a patch as the operators `$set` and `$unset`. The patch of an embedded struct updates single
//! fields of that struct, so each of its paths begins with the path of the struct. If a stored document lacked the
//! struct, this update would store only a part of the struct. So the write changes only documents that contain the
//! struct, and fails if a document matches the filter but lacks the struct.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::Update;
use crate::{
    containers::for_pointers,
    error::{Error, PatchProblem, Result, Violation},
    model::{derive_traits::HasFields, shape::ModelShape, validation::by_stored_names},
    query::field::{Changeable, FieldOf, operand_mistakes::Never},
    value::{path::join, presence::Presence},
};

/// The changes that an HTTP request such as `PATCH /tasks/7` makes to a document.
///
/// Derive this trait for a struct. Each field of the struct is a [`Presence`], and has the name of a field in the
/// model:
///
/// | in the request | in the struct | change |
/// |---|---|---|
/// | the field is missing | `Presence::Missing` | the field keeps its value |
/// | null | `Presence::Null` | an `Option` is set to `None`; an error for any other field |
/// | a value | `Presence::Value` | the field is set to the value |
///
/// Add a patch to a write with [`UpdateOperators::patch`](crate::UpdateOperators::patch). An update that consists only
/// of an empty patch sends nothing.
///
/// To change single fields of an embedded struct, derive `Patch` for a second struct that contains these fields. In the
/// outer patch, mark the field of this type with `#[embed]`.
///
/// The option `validate` in `#[patch(of = "Task", validate)]` checks the patch against its `garde` rules. The rules of
/// a field are checked only if the field has a value, as for an `Option`. If a patch violates a rule, the write fails
/// with [`Error::Validation`](crate::Error::Validation) before it sends anything. The option requires the feature
/// `garde`.
///
/// # Limits
///
/// A patch does not compile if it contains a field that an update cannot change: the `_id`, a copy, a summary, or a
/// field that the library maintains. Each field, or the whole struct, must have `#[serde(default)]`.
///
/// Serde ignores unknown fields in a request. To reject them, add `#[serde(deny_unknown_fields)]`.
///
/// # Examples
///
/// ```
/// use mongo_odm::{Update, prelude::*};
///
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "tasks")]
/// struct Task {
///     #[serde(rename = "_id")]
///     id: Id<Task>,
///     title: String,
///     due: Option<DateTime>,
///     #[embed]
///     place: Place,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Embedded)]
/// struct Place {
///     city: String,
///     room: Option<i32>,
/// }
///
/// #[derive(Debug, Default, Deserialize, Patch)]
/// #[patch(of = "Task")]
/// #[serde(default, deny_unknown_fields)]
/// struct TaskPatch {
///     title: Presence<String>,
///     due: Presence<DateTime>,
///     #[embed]
///     place: Presence<PlacePatch>,
/// }
///
/// #[derive(Debug, Default, Deserialize, Patch)]
/// #[patch(of = "Place")]
/// #[serde(default)]
/// struct PlacePatch {
///     room: Presence<i32>,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let patch: TaskPatch = serde_json::from_str(r#"{ "due": null, "place": { "room": 7 } }"#)?;
/// // { $set: { due: null, "place.room": 7 } }
/// let update = Update::<Task>::new().patch(patch);
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a patch",
    label = "not a patch",
    note = "add `#[derive(Patch)]` and `#[patch(of = \"Model\")]` to `{Self}`"
)]
pub trait Patch: Sized {
    /// The model or embedded struct that the patch changes.
    type Of: HasFields;

    /// Returns the changes.
    #[doc(hidden)]
    fn __odm_changes(self) -> PatchChanges<Self::Of>;
}

/// The changes of one patch.
#[doc(hidden)]
#[derive(Debug)]
pub struct PatchChanges<M> {
    of: &'static str,
    update: Update<M>,
}

impl<M: HasFields> Default for PatchChanges<M> {
    fn default() -> Self {
        Self {
            of: M::__ODM_NAME,
            update: Update::new(),
        }
    }
}

impl<M: HasFields> PatchChanges<M> {
    /// Rejects the patch if it violates a rule.
    pub fn check(&mut self, violations: Vec<Violation>) {
        if !violations.is_empty() {
            self.update.fail(Error::Validation {
                model: self.of,
                violations: by_stored_names(violations, M::__ODM_FIELDS, false),
            });
        }
    }

    fn refuse_null(&mut self, path: String) {
        self.update.fail(Error::InvalidPatch {
            of: self.of,
            field: path,
            problem: PatchProblem::Null,
        });
    }
}

/// A type that a field of a patch can have if the field of the model has the type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not patch this field of the model",
    label = "expected a `Presence` of the field's type",
    note = "for a `String` or an `Option<String>` in the model, write `Presence<String>`; for single fields of an embedded \
            struct, write `#[embed]` and the `Presence` of its patch"
)]
pub trait Change<T> {
    /// Returns the change of the field: none, a value, or null for a field that cannot be null.
    #[doc(hidden)]
    fn requested(self) -> Presence<T>;
}

#[diagnostic::do_not_recommend]
impl<T> Change<T> for Presence<T> {
    fn requested(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> Change<Option<T>> for Presence<T> {
    fn requested(self) -> Presence<Option<T>> {
        match self {
            Self::Missing => Presence::Missing,
            Self::Null => Presence::Value(None),
            Self::Value(value) => Presence::Value(Some(value)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T> Change<Self> for Presence<T> {
    fn requested(self) -> Presence<Self> {
        match self {
            Self::Missing => Presence::Missing,
            present => Presence::Value(present),
        }
    }
}

/// A field type that contains at most one embedded struct of type `T`.
#[diagnostic::on_unimplemented(
    message = "the patch is for `{T}`, and the field has the type `{Self}`",
    label = "not a field of type `{T}`",
    note = "only a single embedded struct has a patch of its own; replace an array as a whole: `Presence<Vec<..>>` without `#[embed]`"
)]
pub trait EmbedsOne<T>: Sized {
    /// Returns the null value of the field, or `None` if the field cannot be null.
    #[doc(hidden)]
    fn null() -> Option<Self> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T> EmbedsOne<T> for T {}

// Without this impl, the compiler would infer that the patch belongs to the whole array.
#[diagnostic::do_not_recommend]
impl<T> EmbedsOne<T> for Vec<T> where for<'a> Never<'a>: PatchOfElements<T> {}

#[doc(hidden)]
pub trait PatchOfElements<T> {}

macro_rules! embeds_nullable {
    ($value:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T> EmbedsOne<T> for Option<$value> {
            fn null() -> Option<Self> {
                Some(None)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T> EmbedsOne<T> for Presence<$value> {
            fn null() -> Option<Self> {
                Some(Self::Null)
            }
        }
    };
}
embeds_nullable!(T);

macro_rules! embeds_behind {
    ($pointer:ty) => {
        #[diagnostic::do_not_recommend]
        impl<T> EmbedsOne<T> for $pointer {}

        embeds_nullable!($pointer);
    };
}
embeds_behind!(Box<T>);
for_pointers!(embeds_behind);

/// A type for a field of a patch that changes an embedded struct. The field contains the struct's own patch, or is
/// missing or null.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the patch of an embedded struct",
    label = "expected a `Presence` of a patch",
    note = "write `Presence<PlacePatch>` with a struct that derives `Patch`; without `#[embed]`, the field replaces the whole struct"
)]
pub trait EmbeddedChange {
    /// The embedded struct.
    type Of;

    #[doc(hidden)]
    fn requested(self) -> Presence<Parts>;
}

#[diagnostic::do_not_recommend]
impl<P: Patch> EmbeddedChange for Presence<P> {
    type Of = P::Of;

    fn requested(self) -> Presence<Parts> {
        self.map(|patch| patch.__odm_changes().update.parts())
    }
}

/// A function that adds the change of one field to the changes of a patch.
type AddChange<M, C> = Box<dyn FnOnce(&mut PatchChanges<M>, C)>;

/// Returns the function that adds the requested change of a field to the changes of a patch.
#[doc(hidden)]
pub fn patch_field<M, F, C>(field: F) -> AddChange<M, C>
where
    M: HasFields,
    F: FieldOf<M> + Changeable<M> + 'static,
    C: Change<F::Value>,
{
    Box::new(move |changes, change| match change.requested() {
        Presence::Missing => {}
        Presence::Value(value) => changes.update.put(field, &value),
        Presence::Null => changes.refuse_null(field.path()),
    })
}

/// Returns the function that adds the patch of an embedded struct to the patch of the struct that contains it.
#[doc(hidden)]
pub fn patch_embedded<M, F, C>(field: F) -> AddChange<M, C>
where
    M: HasFields,
    F: FieldOf<M> + Changeable<M> + 'static,
    C: EmbeddedChange,
    F::Value: EmbedsOne<C::Of>,
{
    Box::new(move |changes, change| match change.requested() {
        Presence::Missing => {}
        Presence::Null => match F::Value::null() {
            Some(null) => changes.update.put(field, &null),
            None => changes.refuse_null(field.path()),
        },
        Presence::Value((operators, parents)) => {
            let path = field.path();
            let operators = operators.map_err(|error| error.within_patch(changes.of, &path));
            changes.update.extend_at(&path, (operators, parents));
        }
    })
}

/// The operators of an update, and the paths of the structs that the document must contain.
#[doc(hidden)]
type Parts = (Result<UpdateModifications>, Vec<String>);

impl<M: ?Sized> Update<M> {
    /// Adds the changes of a patch, which may be empty.
    pub(super) fn add_patch(&mut self, changes: PatchChanges<M>)
    where
        M: Sized,
    {
        self.may_be_empty = true;
        self.extend_at("", changes.update.parts());
    }

    fn parts(self) -> Parts {
        (self.modifications, self.parents)
    }

    /// Adds the operators for the struct at a path. An empty path means the whole document.
    fn extend_at(&mut self, path: &str, (operators, parents): Parts) {
        let operators = match operators {
            Ok(UpdateModifications::Document(operators)) => operators,
            // A patch never produces a pipeline.
            Ok(_) => return,
            Err(error) => return self.fail(error),
        };
        if operators.is_empty() {
            return;
        }
        if !path.is_empty() {
            self.parents.push(path.to_owned());
        }
        self.parents
            .extend(parents.iter().map(|parent| join(path, parent)));
        for (operator, fields) in operators {
            let Bson::Document(fields) = fields else {
                continue;
            };
            for (field, value) in fields {
                let path = join(path, &field);
                match operator.as_str() {
                    "$set" => self.forget("$unset", &path),
                    "$unset" => self.forget("$set", &path),
                    _ => {}
                }
                self.add(&operator, path, Ok(value));
            }
        }
    }
}

impl Error {
    /// Adds the path of the embedded struct to an error about its fields.
    fn within_patch(mut self, outer: &'static str, path: &str) -> Self {
        match &mut self {
            Self::InvalidPatch { of, field, .. } => (*of, *field) = (outer, join(path, field)),
            Self::Validation { model, violations } => {
                *model = outer;
                for violation in violations {
                    violation.path = join(path, &violation.path);
                }
            }
            _ => {}
        }
        self
    }
}

/// Returns the condition that a document contains the struct at a path.
pub(crate) fn has_struct(path: &str) -> Document {
    doc! { path: { "$type": "object" } }
}

/// Returns the error for a document that lacks the struct at a path.
pub(crate) fn without_struct(model: &'static ModelShape, path: &str) -> Error {
    Error::InvalidPatch {
        of: model.name,
        field: path.to_owned(),
        problem: PatchProblem::NoStruct,
    }
}
