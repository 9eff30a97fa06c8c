//! Loads the targets of polymorphic references in one call. The targets are documents of several models.
//!
//! Each model that occurs in the references has its own load. This load works as if a single owner stored all
//! references to the model (see `slots` in `LoadMany`). The library then takes the results from one queue per load, in
//! the order of the references.

use std::collections::VecDeque;

use futures_util::future::try_join_all;
use mongodb::options::FindOptions;

use super::{
    load::{Form, Load},
    owner_keys::OwnerKeys,
    slot::Slot,
};
use crate::{
    client::{
        odm::{Exec, Executor, Running, traced_relation},
        plan::Plan,
    },
    error::Result,
    model::{
        derive_traits::{Described, HasFields},
        reference::PolymorphicTo,
    },
    value::decode::Decode,
};

/// A polymorphic reference whose targets are loaded as one enum: `#[embedded(loaded = "SubjectDocument")]`. The derive
/// macro `Embedded` implements this trait.
pub trait LoadsAll: HasFields + Sized + 'static {
    /// The enum of documents.
    type Loaded: Send + 'static;

    /// The target models.
    #[doc(hidden)]
    const __ODM_TARGETS: &'static [LoadTarget<Self>];
}

/// A polymorphic reference that can refer to documents of the model `M`. The derive macro `Embedded` implements this
/// trait.
pub trait LoadsTo<M: Described>: LoadsAll + PolymorphicTo<M> {
    /// Returns the enum variant for the referenced document, or `None` if this reference refers to a different model.
    fn variant(&self) -> Option<fn(M) -> Self::Loaded>;
}

/// One of the target models of a polymorphic reference, described without the model as a type parameter.
#[derive(Debug)]
pub struct LoadTarget<R: LoadsAll> {
    leads: fn(&R) -> bool,
    load: fn(&[&R], Exec) -> AnyLoad<R::Loaded>,
}

impl<R: LoadsAll> LoadTarget<R> {
    /// Describes the target model `M`.
    pub const fn of<M: Described>() -> Self
    where
        R: LoadsTo<M>,
    {
        Self {
            leads: |reference| reference.variant().is_some(),
            load: |references, exec| Box::new(DocumentsOf::<M, R::Loaded>::of(references, exec)),
        }
    }
}

/// A load of the documents of one target model.
type AnyLoad<L> = Box<dyn TargetLoad<L>>;

/// A load that reads documents of one model and returns them as variants of an enum.
trait TargetLoad<L>: Send {
    fn load(&mut self) -> &mut Load;
    fn plan(self: Box<Self>) -> Result<Plan>;
    fn run(self: Box<Self>) -> Running<Vec<Slot<L>>>;
}

struct DocumentsOf<M, L> {
    load: Load,
    /// The enum variant for each reference.
    variants: Vec<fn(M) -> L>,
}

impl<M: Described, L: Send + 'static> DocumentsOf<M, L> {
    /// Prepares a load that works as if a single owner stored all of the references. If several references refer to the
    /// same document, the document is decoded once for each reference. So its type does not have to implement `Clone`.
    fn of<R: LoadsTo<M, Loaded = L>>(references: &[&R], exec: Exec) -> Self {
        let keys = OwnerKeys::read(R::each_key_to, references.iter().copied());
        let target = (M::SHAPE, <R as PolymorphicTo<M>>::target_path());
        let mut load = Load::new(Form::Many, R::__ODM_NAME, target, keys, exec);
        load.to_one = true;
        let variants = references
            .iter()
            .filter_map(|reference| reference.variant());
        Self {
            load,
            variants: variants.collect(),
        }
    }
}

impl<M: Described, L: Send + 'static> TargetLoad<L> for DocumentsOf<M, L> {
    fn load(&mut self) -> &mut Load {
        &mut self.load
    }

    fn plan(self: Box<Self>) -> Result<Plan> {
        let (_, target) = self.load.request.relation_and_model();
        self.load.plan().map_err(|error| error.in_model(target))
    }

    fn run(self: Box<Self>) -> Running<Vec<Slot<L>>> {
        let Self { load, variants } = *self;
        let about = load.request.relation_and_model();
        traced_relation(about, "load_all", async move {
            let slots = load
                .ready()?
                .slots(Decode::with_reader(M::__odm_read_document))
                .await?;
            let slots = slots.into_iter().zip(variants);
            Ok(slots.map(|(slot, variant)| slot.map(variant)).collect())
        })
    }
}

/// Loads the targets of polymorphic references: `Subject::load_all(&note.about, &odm)`.
///
/// Awaiting the builder returns one [`Slot`] for each reference, in the order of the references. A slot contains the
/// document, a key for which no document exists, or null. For a variant without a key, the slot is [`Slot::NoModel`].
///
/// # Sends
///
/// One `find` for each model that occurs in the references. Each `find` contains the distinct keys for its model. These
/// statements are sent at the same time, or one after the other in a transaction. Null references are left out. If
/// there are 2,000 keys or more for one model, the library splits them into several statements, as in a
/// [`Join`](super::Join).
///
/// # Index
///
/// In each target model, the call uses an index on the field whose values are compared with the keys. `_id` always has
/// an index, and [`sync_indexes`](crate::Odm::sync_indexes) creates the indexes on other fields.
///
/// # Guarantees
///
/// The statements can read the data at different moments. In a transaction, they read the same snapshot.
///
/// # Errors
///
/// - [`Error::Decode`](crate::Error::Decode) if a document does not match its struct; the error contains the
///   collection, the `_id` and the path
/// - [`Error::Missing`](crate::Error::Missing) if a document is missing and you called
///   [`require_all`](Self::require_all)
/// - [`Error::Ambiguous`](crate::Error::Ambiguous) if several documents have the same key, which is possible if the key
///   is not an `_id`
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// #[derive(Debug, Serialize, Deserialize, Embedded)]
/// #[serde(tag = "kind", content = "id")]
/// #[embedded(loaded = "SubjectDocument")]
/// enum Subject {
///     Product(Id<Product>),
///     Part(Id<Part>),
/// }
///
/// #[derive(Debug, Serialize)]
/// enum SubjectDocument {
///     Product(Product),
///     Part(Part),
/// }
///
/// # async fn example(odm: Odm, subjects: Vec<Subject>) -> mongo_odm::Result<()> {
/// for slot in Subject::load_all(&subjects, &odm).await? {
///     println!("{:?}", slot.found());
/// }
/// # Ok(()) }
/// ```
#[must_use = "a load is sent when it is awaited"]
pub struct LoadAll<L> {
    /// For each reference, the index of its load in `loads`, or `None` if the reference does not refer to a model.
    places: Vec<Option<usize>>,
    loads: Vec<AnyLoad<L>>,
}

impl<L: Send + 'static> LoadAll<L> {
    /// Prepares one load for each model that occurs in the references. The derive emits the method `Subject::load_all`,
    /// which calls this function.
    #[doc(hidden)]
    #[track_caller]
    pub fn of<'a, R: LoadsAll<Loaded = L>>(
        references: impl IntoIterator<Item = &'a R>,
        odm: &(impl Executor + ?Sized),
    ) -> Self {
        let references: Vec<&R> = references.into_iter().collect();
        let mut places = vec![None; references.len()];
        let mut loads = Vec::new();
        for target in R::__ODM_TARGETS {
            let mut leading = Vec::new();
            for (reference, place) in references.iter().zip(&mut places) {
                if (target.leads)(reference) {
                    *place = Some(loads.len());
                    leading.push(*reference);
                }
            }
            if !leading.is_empty() {
                loads.push((target.load)(&leading, odm.exec()));
            }
        }
        Self { places, loads }
    }

    /// Makes the call fail with [`Error::Missing`](crate::Error::Missing) if a document is missing. The error contains
    /// only the missing keys of one model.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/subject_models.txt")]
    /// # async fn example(odm: Odm, subjects: Vec<Subject>) -> mongo_odm::Result<()> {
    /// let loaded = Subject::load_all(&subjects, &odm)
    ///     .require_all()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn require_all(mut self) -> Self {
        for target in &mut self.loads {
            target.load().require_all = true;
        }
        self
    }

    /// Changes options of the driver's `find` for the statements of all models. The call rejects the same options as
    /// [`RelationQuery::options`](super::RelationQuery::options).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/subject_models.txt")]
    /// # async fn example(odm: Odm, subjects: Vec<Subject>) -> mongo_odm::Result<()> {
    /// let loaded = Subject::load_all(&subjects, &odm)
    ///     .options(|options| options.comment = Some("subjects".into()))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn options(mut self, change: impl Fn(&mut FindOptions)) -> Self {
        for target in &mut self.loads {
            change(&mut target.load().request.options);
        }
        self
    }

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let mut all = Plan::default();
        for target in self.loads {
            all.statements.extend(target.plan()?.statements);
        }
        Ok(all)
    }
}

impl<L> std::fmt::Debug for LoadAll<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadAll")
            .field("references", &self.places.len())
            .field("models", &self.loads.len())
            .finish()
    }
}

impl<L: Send + 'static> IntoFuture for LoadAll<L> {
    type Output = Result<Vec<Slot<L>>>;
    type IntoFuture = Running<Vec<Slot<L>>>;

    fn into_future(self) -> Self::IntoFuture {
        let loads = self.loads.into_iter().map(TargetLoad::run);
        let loaded = try_join_all(loads.collect::<Vec<_>>());
        let places = self.places;
        Box::pin(async move { Ok(in_order(&places, loaded.await?)) })
    }
}

/// Combines the slots of all loads in the order of the references. `places` contains the index of each reference's
/// load.
fn in_order<L>(places: &[Option<usize>], loaded: Vec<Vec<Slot<L>>>) -> Vec<Slot<L>> {
    let mut loaded: Vec<VecDeque<_>> = loaded.into_iter().map(VecDeque::from).collect();
    let mut next = |load: usize| loaded.get_mut(load).and_then(VecDeque::pop_front);
    let slots = places.iter().map(|place| match place {
        Some(load) => next(*load).unwrap_or(Slot::Null),
        None => Slot::NoModel,
    });
    slots.collect()
}
