//! The options that `acting_as`, `with_read_preference` and similar methods set on a handle.
//!
//! Copies must be filled in from current sources, but a secondary may lag behind. So all statements of a write,
//! including its reads, ignore the read preference of the handle.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use mongodb::{
    Database,
    bson::Bson,
    options::{DatabaseOptions, ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};
use tokio_util::task::TaskTracker;

use super::{Odm, ReadLimit, causal::CausalTime};

/// The options of one handle.
#[derive(Clone, Debug, Default)]
pub(super) struct HandleOptions {
    /// The number of these options. Each handle that is created with options has its own number, and its clones have the
    /// same one.
    number: u64,
    /// The actor that writes store in `#[created_by]` and `#[updated_by]`.
    pub(super) actor: Option<Bson>,
    /// The tenant to which statements on models with a tenant are restricted.
    pub(super) tenant: Tenant,
    /// The time limit for reads through this handle. The handles of applications do not have a limit.
    pub(super) read_limit: Option<ReadLimit>,
    /// The time of the latest statement, if the handle is causally consistent.
    pub(super) causal: Option<Arc<CausalTime>>,
    /// The running transactions of the library, if the owner of this handle waits for them.
    pub(super) transactions: Option<TaskTracker>,
    /// The driver's handles, if this handle has its own concerns or read preference.
    databases: Option<Databases>,
}

/// The tenant of a handle.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Tenant {
    /// The handle has no tenant, so it cannot access models with a tenant.
    #[default]
    Unknown,
    One(Arc<Bson>),
    /// The handle accesses the documents of all tenants.
    All,
}

/// The driver's handles to one database.
#[derive(Clone, Debug)]
pub(super) struct Databases {
    pub(super) for_reads: Database,
    /// The same database, for reads that must find the handle's own writes.
    pub(super) for_writes: Database,
}

impl Databases {
    pub(super) fn of(database: Database) -> Self {
        let mut latest = options_of(&database);
        read_latest(&mut latest.selection_criteria, &mut latest.read_concern);
        let for_writes = with_options(&database, latest);
        Self {
            for_reads: database,
            for_writes,
        }
    }
}

impl HandleOptions {
    /// Removes the driver's handles, because they belong to a single database.
    pub(super) fn forget_databases(&mut self) {
        self.databases = None;
    }
}

/// Changes the options of a read so that it finds everything that the handle has written. A read concern such as
/// `majority` would hide a write with `w: 1`.
fn read_latest(criteria: &mut Option<SelectionCriteria>, concern: &mut Option<ReadConcern>) {
    if criteria.is_some() {
        *criteria = Some(SelectionCriteria::ReadPreference(ReadPreference::Primary));
    }
    if concern.is_some() {
        *concern = Some(ReadConcern::local());
    }
}

/// Returns a handle to a different database with the same concerns and read preference.
pub(super) fn with_name(database: &Database, name: &str) -> Database {
    let options = options_of(database);
    database.client().database_with_options(name, options)
}

fn options_of(database: &Database) -> DatabaseOptions {
    let mut options = DatabaseOptions::default();
    options.read_concern = database.read_concern().cloned();
    options.write_concern = database.write_concern().cloned();
    options.selection_criteria = database.selection_criteria().cloned();
    options
}

fn with_options(database: &Database, options: DatabaseOptions) -> Database {
    database
        .client()
        .database_with_options(database.name(), options)
}

impl Odm {
    /// Returns a handle whose reads use the given read preference. A read preference that you set for a single call
    /// takes precedence.
    ///
    /// Writes ignore the read preference, even when they read the sources of copies. Transactions, jobs, maintenance
    /// calls and [`fresh`](crate::action::Get::fresh) also ignore it. The new handle shares everything else with this
    /// handle.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Limits
    ///
    /// A secondary might not contain the latest writes yet, not even the writes of this handle.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{mongodb::options::ReadPreference, prelude::*};
    ///
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: Id<Part> }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let options = Default::default();
    /// let reports = odm.with_read_preference(ReadPreference::SecondaryPreferred { options });
    /// let parts = Part::count(&reports).await?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_read_preference(&self, preference: ReadPreference) -> Self {
        let criteria = SelectionCriteria::ReadPreference(preference);
        self.with_database(|options| options.selection_criteria = Some(criteria))
    }

    /// Returns a handle whose reads use the given read concern. A read concern that you set for a single call takes
    /// precedence.
    ///
    /// Writes, jobs and maintenance calls ignore this read concern, even when they read documents, such as the document
    /// that `returning` returns. Transactions also ignore it. They read a snapshot of the data that a majority of the
    /// servers has stored. The new handle shares everything else with this handle.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{Odm, mongodb::options::ReadConcern};
    ///
    /// fn durable(odm: &Odm) -> Odm {
    ///     odm.with_read_concern(ReadConcern::majority())
    /// }
    /// ```
    #[must_use]
    pub fn with_read_concern(&self, concern: ReadConcern) -> Self {
        self.with_database(|options| options.read_concern = Some(concern))
    }

    /// Returns a handle whose writes use the given write concern. A write concern that you set for a single call takes
    /// precedence.
    ///
    /// Transactions, and therefore all writes with derived data, always wait for a majority of the servers. The new
    /// handle shares everything else with this handle.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Limits
    ///
    /// Do not use the write concern `w: 0`, because the server then does not report the effect of a write.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{Odm, mongodb::options::WriteConcern};
    ///
    /// fn durable(odm: &Odm) -> Odm {
    ///     odm.with_write_concern(WriteConcern::majority())
    /// }
    /// ```
    #[must_use]
    pub fn with_write_concern(&self, concern: WriteConcern) -> Self {
        self.with_database(|options| options.write_concern = Some(concern))
    }

    fn with_database(&self, change: impl FnOnce(&mut DatabaseOptions)) -> Self {
        let mut options = options_of(self.database());
        change(&mut options);
        let database = with_options(self.database(), options);
        self.with_options(|options| options.databases = Some(Databases::of(database)))
    }

    pub(super) fn with_options(&self, change: impl FnOnce(&mut HandleOptions)) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut options = self.options.as_deref().cloned().unwrap_or_default();
        change(&mut options);
        options.number = NEXT.fetch_add(1, Relaxed);
        Self {
            options: Some(Arc::new(options)),
            ..self.clone()
        }
    }

    /// Returns the number of the handle's options, or 0 if it has none. A service often creates a handle with options for
    /// each request.
    pub(crate) fn options_number(&self) -> u64 {
        self.options.as_ref().map_or(0, |options| options.number)
    }

    /// Whether both handles are derived from the same handle, and have the same options.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let (one, two) = (self.database(), other.database());
        Arc::ptr_eq(&self.inner, &other.inner)
            && self.tenancy() == other.tenancy()
            && self.actor() == other.actor()
            && self.causal_time().map(Arc::as_ptr) == other.causal_time().map(Arc::as_ptr)
            && one.read_concern() == two.read_concern()
            && one.write_concern() == two.write_concern()
            && one.selection_criteria() == two.selection_criteria()
    }

    pub(super) fn databases(&self) -> &Databases {
        let own = self.options.as_ref();
        own.and_then(|options| options.databases.as_ref())
            .unwrap_or(&self.inner.databases)
    }
}
