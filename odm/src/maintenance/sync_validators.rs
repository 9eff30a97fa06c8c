//! Compares the validators on the server with the models, and writes those that differ.

use std::collections::{BTreeMap, BTreeSet};

use mongodb::options::{ValidationAction, ValidationLevel};

use super::validator::{Validator, ValidatorDiff, ValidatorReport, rules, server};
use crate::{
    action::model::Model,
    client::odm::{Odm, into_future, traced_call},
    error::Result,
    model::{
        registry::ModelSelection,
        shape::{DocumentSet, ModelShape},
    },
};

impl Odm {
    /// Returns a builder that compares the validators on the server with those that the models require.
    ///
    /// # Sends
    ///
    /// One `listCollections`. The call changes nothing.
    ///
    /// # Errors
    ///
    /// The errors of [`DiffValidators`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.validator_diff().await?;
    /// if !diff.is_in_sync() {
    ///     println!("{diff}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn validator_diff(&self) -> DiffValidators {
        DiffValidators::new(self.clone())
    }

    /// Returns a builder that writes the validators of the models' collections. With a validator, the server rejects
    /// each write of an invalid document, even from programs that do not use this library.
    ///
    /// # Sends
    ///
    /// One `listCollections`, and one `collMod` for each validator that is missing or differs. If the collection does
    /// not exist, the call sends `create` instead.
    ///
    /// # Errors
    ///
    /// The errors of [`SyncValidators`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.sync_validators().diff().await?);
    /// println!("{}", odm.sync_validators().await?);
    /// # Ok(()) }
    /// ```
    pub fn sync_validators(&self) -> SyncValidators {
        SyncValidators {
            diff: DiffValidators::new(self.clone()),
            replace_foreign: false,
        }
    }
}

/// Builder that compares the validators on the server with the models; returned by
/// [`validator_diff`](Odm::validator_diff).
///
/// # Sends
///
/// One `listCollections`. The call changes nothing.
///
/// # Guarantees
///
/// - A collection without a validator counts as different, because the models require a validator.
/// - A validator counts as foreign if the library did not write it.
/// - The level and the action of a validator are compared only if you set them.
///
/// # Errors
///
/// - [`Error::Invalid`](crate::Error::Invalid) if no model is linked into the program
/// - driver errors
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let diff = odm.validator_diff().only::<Host>().await?;
/// println!("{} validators are missing", diff.missing.len());
/// # Ok(()) }
/// ```
#[must_use = "nothing is compared until it is awaited"]
#[derive(Clone, Debug)]
pub struct DiffValidators {
    odm: Odm,
    only: ModelSelection,
    level: Option<ValidationLevel>,
    action: Option<ValidationAction>,
}

impl DiffValidators {
    fn new(odm: Odm) -> Self {
        Self {
            odm,
            only: ModelSelection::default(),
            level: None,
            action: None,
        }
    }

    /// Compares only the validator of the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The validator describes all models in the collection.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let sync = odm.sync_validators().only::<Book>();
    /// println!("{}", sync.diff().await?);
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.only.add(M::SHAPE);
        self
    }

    async fn run(self) -> Result<ValidatorDiff> {
        let models = self.only.models()?;
        let on_server = server::list(&self.odm).await?;
        let mut diff = ValidatorDiff::default();
        for (collection, models) in by_collection(&models) {
            if self
                .only
                .includes(DocumentSet::whole_collection(collection))
            {
                let options = (self.level.clone(), self.action.clone());
                let on_server = on_server.get(collection);
                diff.add(collection, rules(&models), options, on_server);
            }
        }
        Ok(diff)
    }
}

into_future!([] DiffValidators => ValidatorDiff, |it| traced_call("validator_diff", it.run()));

/// Builder that writes the validators of the models' collections; returned by
/// [`sync_validators`](Odm::sync_validators).
///
/// # Rules
///
/// The validator of a collection is a `$jsonSchema` that the library generates from the collection's models:
///
/// | declaration | rule |
/// |---|---|
/// | type of a field | the BSON types from which the field can be read |
/// | enum of variants without content | the names and aliases of the variants |
/// | `Option`, `Presence` | null is also accepted |
/// | field that serde always writes and requires | the field is required |
/// | `max` | maximum length of the array |
/// | embedded struct | the rules of its fields |
/// | `kind` | the rules apply only to documents of the kind |
/// | several models without kinds | a document must match one of the models |
///
/// These fields are not restricted:
///
/// - fields that no model declares
/// - copies, summaries and recent lists
/// - fields with a codec other than `mongo_odm::with::native`
/// - fields of a type with an unknown stored form, such as an untagged enum
/// - fields of a newtype around an `ObjectId`, a date, or a value with `mongo_odm::with::native`
///
/// To find the BSON type of one of your own types, the library calls its `Deserialize` impl, which requests a type. The
/// impl of such a newtype does not request the BSON type of its value.
///
/// # Sends
///
/// 1. One `listCollections`.
/// 2. One `collMod` for each validator that is missing or differs, one at a time. If the collection does not exist, the
///    call sends `create` instead.
///
/// # Guarantees
///
/// - The validators accept each document that this program or its jobs store.
/// - A validator that the library did not write is not changed, unless you call
///   [`replace_foreign`](Self::replace_foreign).
/// - If all validators are as declared, the call changes nothing.
///
/// # Errors
///
/// - [`Error::Invalid`](crate::Error::Invalid) if no model is linked into the program
/// - driver errors
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::mongodb::options::{ValidationAction, ValidationLevel};
///
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// // First only log invalid documents.
/// let report = odm.sync_validators().action(ValidationAction::Warn).await?;
/// println!("{report}");
/// // Later reject them.
/// let strict = odm.sync_validators().level(ValidationLevel::Strict);
/// strict.action(ValidationAction::Error).await?;
/// # Ok(()) }
/// ```
#[must_use = "no validator is written until it is awaited"]
#[derive(Clone, Debug)]
pub struct SyncValidators {
    diff: DiffValidators,
    replace_foreign: bool,
}

impl SyncValidators {
    /// Writes only the validator of the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The validator describes all models in the collection.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_validators().only::<Book>().await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.diff = self.diff.only::<M>();
        self
    }

    /// Sets which updates the server checks. Without this call, a new validator has the level `moderate`, and an
    /// existing one keeps its level.
    ///
    /// - `moderate`: the server checks inserts, and updates of documents that are valid before the update. So jobs can
    ///   update old documents that are not valid.
    /// - `strict`: the server checks all inserts and updates.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::mongodb::options::ValidationLevel;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_validators().level(ValidationLevel::Strict).await?;
    /// # Ok(()) }
    /// ```
    pub fn level(mut self, level: ValidationLevel) -> Self {
        self.diff.level = Some(level);
        self
    }

    /// Sets whether the server rejects invalid documents, or only logs them. Without this call, a new validator rejects
    /// them, and an existing one keeps its action.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # use mongo_odm::mongodb::options::ValidationAction;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_validators().action(ValidationAction::Warn).await?;
    /// # Ok(()) }
    /// ```
    pub fn action(mut self, action: ValidationAction) -> Self {
        self.diff.action = Some(action);
        self
    }

    /// Replaces validators that the library did not write. The call does not save the old validators.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.sync_validators().replace_foreign().await?;
    /// # Ok(()) }
    /// ```
    pub fn replace_foreign(mut self) -> Self {
        self.replace_foreign = true;
        self
    }

    /// Returns a builder that compares the validators and changes nothing.
    ///
    /// # Examples
    ///
    /// See [`only`](Self::only).
    pub fn diff(self) -> DiffValidators {
        self.diff
    }

    async fn run(self) -> Result<ValidatorReport> {
        let odm = self.diff.odm.clone();
        let diff = self.diff.run().await?;
        let changed = diff.outdated.into_iter().map(|change| change.wanted);
        let foreign = diff.foreign.into_iter().map(|change| change.wanted);
        let mut wanted: Vec<Validator> = diff.missing.into_iter().chain(changed).collect();
        let mut report = ValidatorReport {
            present: diff.present.into_iter().map(|it| it.collection).collect(),
            unsupported: diff.unsupported,
            ..ValidatorReport::default()
        };
        if self.replace_foreign {
            wanted.extend(foreign);
        } else {
            report.foreign = foreign.map(|it| it.collection).collect();
        }
        wanted.sort_by(|left, right| left.collection.cmp(&right.collection));
        for validator in wanted {
            server::write(&odm, &validator).await?;
            report.written.push(validator.collection);
        }
        Ok(report)
    }
}

into_future!([] SyncValidators => ValidatorReport, |it| traced_call("sync_validators", it.run()));

/// Groups models by their collection.
fn by_collection(
    models: &[&'static ModelShape],
) -> BTreeMap<&'static str, Vec<&'static ModelShape>> {
    let names: BTreeSet<_> = models.iter().map(|model| model.collection).collect();
    let of_collection = |name: &str| {
        let models = models.iter().copied();
        let mut here: Vec<_> = models.filter(|it| it.collection == name).collect();
        // The order must not depend on the order in which the models are linked.
        here.sort_by_key(|model| (model.kind.map(|kind| kind.value), model.name));
        here
    };
    names
        .into_iter()
        .map(|name| (name, of_collection(name)))
        .collect()
}
