//! The handle to a database, and the submodules that run its statements.

mod actor_and_tenant;
mod backoff;
mod causal;
mod clock;
mod cursor;
mod deployment;
mod detached_task;
mod exec;
mod executor;
mod habits;
mod handle_options;
mod observed_statement;
mod outside_transaction;
mod read_limit;
mod routed_statements;
mod settings;
mod statement_retry;
mod trace;
mod trace_links;
mod transaction;
mod tx;
mod unindexed_filter;
mod warned_line;

use std::{
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use mongodb::{Client, Database, bson::doc, error::ErrorKind, options::ClientOptions};

pub use clock::Clock;
pub(crate) use cursor::{Batch, Batches, Found, each_document};
pub(crate) use deployment::Deployment;
pub(crate) use detached_task::{for_all_calls, in_caller_context, join_task};
pub(crate) use exec::{Exec, Write};
pub use executor::Executor;
pub(crate) use handle_options::Tenant;
pub use observed_statement::{Observed, SentStatement};
pub(crate) use read_limit::ReadLimit;
pub(crate) use routed_statements::{Routed, RoutedStatements};
pub use settings::{Settings, Settle};
pub(crate) use statement_retry::ask_before_write;
pub(crate) use trace::{
    traced, traced_call, traced_call_stream, traced_relation, traced_relation_stream, traced_stream,
};
pub use trace_links::TraceLinks;
pub use transaction::{TransactionBody, TransactionOutcome, TransactionRun};
pub use tx::Tx;
pub(crate) use tx::{AfterCommit, Commit};
pub(crate) use unindexed_filter::Unindexed;
pub(crate) use warned_line::{Line, is_first};

use crate::error::{Error, Result};
use handle_options::{Databases, HandleOptions, with_name};

/// The future that a builder turns into when it is awaited.
pub(crate) type Running<T> = BoxFuture<'static, Result<T>>;

/// Implements `IntoFuture` for a builder, written as `[generics] Builder => Output, |builder| future`.
macro_rules! into_future {
    ([$($generics:tt)*] $builder:ty => $output:ty, |$it:ident| $future:expr) => {
        impl<$($generics)*> IntoFuture for $builder {
            type Output = $crate::error::Result<$output>;
            type IntoFuture = $crate::client::odm::Running<$output>;

            fn into_future(self) -> Self::IntoFuture {
                let $it = self;
                $future
            }
        }
    };
}

pub(crate) use into_future;

/// The handle to a database. Clones are cheap and share settings, counters and background tasks.
///
/// Every call accepts `&odm`, or `&tx` inside a transaction. A program needs only one handle per database. Clone the
/// handle for tasks and request handlers.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/part_models.txt")]
/// # async fn example() -> mongo_odm::Result<()> {
/// let odm = Odm::connect("mongodb://localhost:27017/shop").await?;
/// odm.sync_indexes().await?;
/// let parts = Part::find(&odm).limit(10).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Odm {
    inner: Arc<Inner>,
    /// The options of this handle, or `None` if it has none. The options are not part of `inner`, because background
    /// tasks end when their `inner` is dropped, and a handle with options may exist only during one request.
    options: Option<Arc<HandleOptions>>,
    /// Whether this handle was returned by `tx.odm()` and is intended for statements outside of the transaction.
    is_meant_outside: bool,
}

/// How long [`Odm::connect`] waits for a server, unless the connection string sets a different limit.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the error for a connection string that cannot be parsed, with an example of a correct string.
fn unusable(error: mongodb::error::Error) -> Error {
    match error.kind.as_ref() {
        ErrorKind::InvalidArgument { message, .. } => Error::invalid(format!(
            "the connection string cannot be read: {message}; it looks like `mongodb://localhost:27017/shop`"
        )),
        _ => error.into(),
    }
}

/// Waits until a server answers.
///
/// The server selection timeout is an option of the whole client, and later statements need a longer timeout than
/// `connect`. So `connect` uses a separate client that has the shorter timeout, and drops this client afterwards.
async fn ping(mut options: ClientOptions, database: &Database) -> Result<()> {
    let started = Instant::now();
    let command = doc! { "ping": 1 };
    let pinged = if options.server_selection_timeout.is_some() {
        database.run_command(command).await
    } else {
        options.server_selection_timeout = Some(CONNECT_TIMEOUT);
        let client = Client::with_options(options).map_err(unusable)?;
        let pinged = client.database(database.name()).run_command(command).await;
        client.shutdown().immediate(true).await;
        pinged
    };
    let mut error = match pinged {
        Ok(_) => return Ok(()),
        Err(error) => Error::from(error),
    };
    if let Error::Unreachable { waited, .. } = &mut error {
        *waited = Some(started.elapsed());
    }
    Err(error)
}

#[derive(Clone, Debug)]
struct Inner {
    databases: Databases,
    settings: Settings,
    deployment: Arc<Deployment>,
}

/// A weak handle. Background tasks use a weak handle so that they end when the last clone of the handle is dropped.
#[derive(Clone, Debug)]
pub(crate) struct WeakOdm(Weak<Inner>);

impl WeakOdm {
    pub(crate) fn upgrade(&self) -> Option<Odm> {
        self.0.upgrade().map(Odm::of)
    }

    /// Whether both references belong to the same handle.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Odm {
    /// Connects to the database that a connection string specifies: `mongodb://host:27017/shop`.
    ///
    /// The call waits at most 5 s for a server, unless you set `serverSelectionTimeoutMS` in the connection string:
    /// `mongodb://host:27017/shop?serverSelectionTimeoutMS=500`. The limit of 5 s applies only to `connect`. Later
    /// statements wait for up to 30 s, the driver's default, so that they outlast the election of a new primary. To
    /// connect without a round trip, call [`Odm::new`] with the driver's database handle.
    ///
    /// # Sends
    ///
    /// One `ping`. If the connection string does not contain `serverSelectionTimeoutMS`, the `ping` uses a separate
    /// connection, which is closed afterwards.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the string cannot be parsed or does not contain a database. [`Error::Unreachable`] if a
    /// host name in the string cannot be resolved, or if no server answers in time. The call also returns
    /// authentication errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example() -> mongo_odm::Result<()> {
    /// let odm = mongo_odm::Odm::connect("mongodb://localhost:27017/shop?replicaSet=rs0").await?;
    /// # Ok(()) }
    /// ```
    pub async fn connect(uri: impl AsRef<str>) -> Result<Self> {
        let uri = uri.as_ref();
        if cfg!(not(feature = "dns-resolver")) && uri.starts_with("mongodb+srv://") {
            return Err(Error::invalid(
                "`mongodb+srv://` needs the feature `dns-resolver` of `mongo-odm`; add it, or list the hosts: \
                 `mongodb://host1:27017,host2:27017/shop?tls=true`"
                    .to_owned(),
            ));
        }
        let options = ClientOptions::parse(uri).await.map_err(unusable)?;
        let client = Client::with_options(options.clone()).map_err(unusable)?;
        let database = client.default_database().ok_or_else(|| {
            Error::invalid(
                "the connection string names no database; add it after the hosts: \
                 `mongodb://localhost:27017/shop`"
                    .to_owned(),
            )
        })?;
        ping(options, &database).await?;
        Ok(Self::new(database))
    }

    /// Creates a handle from the driver's database handle. The new handle uses the read and write concerns of the
    /// driver's handle. Sends nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), mongo_odm::mongodb::error::Error> {
    /// use mongo_odm::{Odm, mongodb::Client};
    ///
    /// let client = Client::with_uri_str("mongodb://localhost:27017").await?;
    /// let odm = Odm::new(client.database("shop"));
    /// # Ok(()) }
    /// ```
    pub fn new(database: Database) -> Self {
        Self::of(Arc::new(Inner {
            databases: Databases::of(database),
            settings: Settings::default(),
            deployment: Arc::default(),
        }))
    }

    const fn of(inner: Arc<Inner>) -> Self {
        Self {
            inner,
            options: None,
            is_meant_outside: false,
        }
    }

    /// Returns a handle to the same database, but with different settings. Both handles share the counters and the
    /// known facts about the server.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{Odm, Settings};
    /// # fn example(odm: &Odm) -> Odm {
    /// odm.with_settings(Settings::default().max_documents(10_000))
    /// # }
    /// ```
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        let inner = Inner {
            settings,
            ..Inner::clone(&self.inner)
        };
        Self {
            inner: Arc::new(inner),
            ..self.clone()
        }
    }

    /// Returns a handle to a different database on the same servers, for example if each tenant has its own database.
    ///
    /// The new handle has the same settings, actor and concerns as this handle. Jobs, declarations and counters belong
    /// to the database, so keep one handle for each database instead of creating one for each request. References
    /// between two databases are not supported.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks")]
    /// # struct Task { #[serde(rename = "_id")] id: Id<Task> }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let acme = odm.in_database("acme");
    /// acme.sync_indexes().await?;
    /// let tasks = Task::count(&acme).await?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn in_database(&self, name: &str) -> Self {
        let database = with_name(self.database(), name);
        let inner = Inner {
            databases: Databases::of(database),
            settings: self.settings().clone(),
            deployment: Arc::default(),
        };
        Self {
            inner: Arc::new(inner),
            ..self.with_options(HandleOptions::forget_databases)
        }
    }

    /// Returns a handle to the same database. The new handle adds a time limit and a comment to its reads.
    pub(crate) fn with_read_limit(&self, read_limit: ReadLimit) -> Self {
        self.with_options(|options| options.read_limit = Some(read_limit))
    }

    /// Returns the time limit for reads through this handle.
    pub(crate) fn read_limit(&self) -> Option<&ReadLimit> {
        self.options.as_ref()?.read_limit.as_ref()
    }

    /// Returns the driver's handle to the database, for calls that the library does not offer.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::mongodb::bson::doc;
    ///
    /// odm.database().run_command(doc! { "ping": 1 }).await?;
    /// # Ok(()) }
    /// ```
    pub fn database(&self) -> &Database {
        &self.databases().for_reads
    }

    /// Returns the driver's client.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{:?}", odm.client().list_database_names().await?);
    /// # Ok(()) }
    /// ```
    pub fn client(&self) -> &Client {
        self.database().client()
    }

    /// Returns the current time of the clock of this handle ([`Settings::clock`](crate::Settings::clock)).
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(odm: mongo_odm::Odm) {
    /// println!("{}", odm.now());
    /// # }
    /// ```
    pub fn now(&self) -> mongodb::bson::DateTime {
        self.settings().clock.now()
    }

    pub(crate) fn downgrade(&self) -> WeakOdm {
        WeakOdm(Arc::downgrade(&self.inner))
    }

    pub(crate) fn deployment(&self) -> &Arc<Deployment> {
        &self.inner.deployment
    }

    /// Returns the settings of this handle.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn example(odm: &mongo_odm::Odm) {
    /// println!("{:?}", odm.settings().grace);
    /// # }
    /// ```
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }
}
