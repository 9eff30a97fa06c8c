//! Provides a separate database for each test.

mod name;
mod sweep;

use std::{sync::Arc, thread};

use mongodb::{Client, Collection, Database, bson::Document, options::ClientOptions};

use crate::{Error, Recorder, Server, uri};

/// A separate database for a test, and a client that records its commands.
///
/// When this value is dropped, the database is also dropped on the server. Dropping blocks for some
/// milliseconds. [`close`](Self::close) does the same and returns errors. If the thread is
/// panicking, the database is kept, and its connection string is printed. A test that fails by
/// returning an error does not panic, so unwrap the error or [`keep`](Self::keep) the database.
///
/// Create the value inside the test that uses it, because its client belongs to the runtime of that
/// test.
#[derive(Debug)]
pub struct TestDb {
    server: Arc<Server>,
    database: Database,
    recorder: Recorder,
    uri: String,
    fate: Fate,
}

/// What happens to the database when the value is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Drop,
    Keep,
    Dropped,
}

impl TestDb {
    /// Creates a database on the [shared server](Server::shared) for a test. `test` becomes a part
    /// of the database's name.
    ///
    /// Nothing is sent to an existing server, because the server creates a database at the first
    /// write.
    ///
    /// # Errors
    ///
    /// The same as for [`Server::shared`].
    pub async fn new(test: &str) -> Result<Self, Error> {
        Self::builder(test).open().await
    }

    /// Returns a builder for a database, with which you can change the settings.
    pub fn builder(test: &str) -> TestDbBuilder {
        TestDbBuilder {
            test: test.into(),
            server: None,
            keep: false,
            configure: None,
        }
    }

    /// Returns the database as a value of the driver.
    #[must_use]
    pub fn database(&self) -> Database {
        self.database.clone()
    }

    /// Returns a collection of plain documents.
    #[must_use]
    pub fn collection(&self, name: &str) -> Collection<Document> {
        self.database.collection(name)
    }

    /// Returns the client. All its commands are recorded.
    #[must_use]
    pub fn client(&self) -> Client {
        self.database.client().clone()
    }

    /// Returns the name of the database. The name has at most 63 bytes.
    #[must_use]
    pub fn name(&self) -> &str {
        self.database.name()
    }

    /// Returns the connection string for other clients and programs. The string contains the name
    /// of the database.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the server on which the database is.
    #[must_use]
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    /// Returns the recorder with the commands that [`client`](Self::client) has sent.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Keeps the database on the server, even if the test succeeds.
    pub fn keep(&mut self) {
        self.fate = Fate::Keep;
    }

    /// Drops the database on the server, unless it is to be kept.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] if the server does not drop the database.
    pub async fn close(mut self) -> Result<(), Error> {
        if self.fate == Fate::Drop {
            self.database.drop().await?;
            self.fate = Fate::Dropped;
        }
        Ok(())
    }

    fn say_kept(&self) {
        eprintln!(
            "the database {} is kept: {}",
            self.name(),
            uri::without_password(&self.uri)
        );
        if !self.server.outlives_us() {
            eprintln!(
                "  its server stops with this process; ODM_KEEP_SERVER=1 leaves it running, \
                 MONGODB_URI=... uses one of yours"
            );
        }
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        match self.fate {
            Fate::Dropped => {}
            Fate::Keep => self.say_kept(),
            Fate::Drop if thread::panicking() => self.say_kept(),
            Fate::Drop => {
                if let Err(error) = sweep::drop_database(&self.uri, self.name()) {
                    eprintln!("the database {} was not dropped: {error}", self.name());
                }
            }
        }
    }
}

type Configure = Box<dyn FnOnce(&mut ClientOptions) + Send>;

/// A builder for a database, created by [`TestDb::builder`].
#[must_use = "nothing is made before `open`"]
pub struct TestDbBuilder {
    test: String,
    server: Option<Arc<Server>>,
    keep: bool,
    configure: Option<Configure>,
}

impl TestDbBuilder {
    /// Uses the given server instead of the shared one. The `TestDb` keeps this server alive.
    pub fn server(mut self, server: Arc<Server>) -> Self {
        self.server = Some(server);
        self
    }

    /// Keeps the database on the server, even if the test succeeds.
    pub fn keep(mut self) -> Self {
        self.keep = true;
        self
    }

    /// Changes the options of the client. The recorder replaces any command event handler.
    pub fn configure(mut self, change: impl FnOnce(&mut ClientOptions) + Send + 'static) -> Self {
        self.configure = Some(Box::new(change));
        self
    }

    /// Creates the database.
    ///
    /// # Errors
    ///
    /// The same as for [`Server::shared`], and [`Error::Driver`] if the driver rejects the options.
    pub async fn open(self) -> Result<TestDb, Error> {
        let server = match self.server {
            Some(server) => server,
            None => Server::shared().await?,
        };
        let name = name::unique(&self.test);
        let uri = uri::with_database(server.uri(), &name);
        let mut options = ClientOptions::parse(&uri).await?;
        if let Some(change) = self.configure {
            change(&mut options);
        }
        let recorder = Recorder::attached_to(&mut options);
        let database = Client::with_options(options)?.database(&name);
        let fate = if self.keep { Fate::Keep } else { Fate::Drop };
        Ok(TestDb {
            server,
            database,
            recorder,
            uri,
            fate,
        })
    }
}
