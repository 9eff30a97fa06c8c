//! A database of its own for one test.

mod name;
mod sweep;

use std::{sync::Arc, thread};

use mongodb::{Client, Collection, Database, bson::Document, options::ClientOptions};

use crate::{Error, Recorder, Server, uri};

/// A database that nobody else uses, with a client that records what it sends.
///
/// It is dropped from the server when this is dropped, which blocks for some milliseconds;
/// [`close`](Self::close) does the same and tells about errors. If the thread is panicking, the
/// database stays, and its name is printed with how to get at it. A test that fails by returning
/// an error does not panic: unwrap, or [`keep`](Self::keep) the database.
///
/// Make it inside the test that uses it: its client belongs to the runtime of that test.
#[derive(Debug)]
pub struct TestDb {
    server: Arc<Server>,
    database: Database,
    recorder: Recorder,
    uri: String,
    fate: Fate,
}

/// What happens to the database in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Drop,
    Keep,
    Dropped,
}

impl TestDb {
    /// Makes a database on the [shared server](Server::shared) for the test of this name.
    ///
    /// Sends nothing: the server makes a database at the first write.
    ///
    /// # Errors
    ///
    /// As [`Server::shared`].
    pub async fn new(test: &str) -> Result<Self, Error> {
        Self::builder(test).open().await
    }

    /// Returns a description of a database, to be changed before it is opened.
    pub fn builder(test: &str) -> TestDbBuilder {
        TestDbBuilder {
            test: test.into(),
            server: None,
            keep: false,
            configure: None,
        }
    }

    /// Returns the database as the driver knows it.
    #[must_use]
    pub fn database(&self) -> Database {
        self.database.clone()
    }

    /// Returns a collection of plain documents.
    #[must_use]
    pub fn collection(&self, name: &str) -> Collection<Document> {
        self.database.collection(name)
    }

    /// Returns the client, whose commands are recorded.
    #[must_use]
    pub fn client(&self) -> Client {
        self.database.client().clone()
    }

    /// Returns the name of the database, at most 63 bytes.
    #[must_use]
    pub fn name(&self) -> &str {
        self.database.name()
    }

    /// Returns the connection string including the database, for other clients and programs.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the server.
    #[must_use]
    pub fn server(&self) -> &Arc<Server> {
        &self.server
    }

    /// Returns what [`client`](Self::client) has sent.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Leaves the database on the server whatever happens.
    pub fn keep(&mut self) {
        self.fate = Fate::Keep;
    }

    /// Drops the database.
    ///
    /// # Errors
    ///
    /// When the server does not do it.
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

/// Describes a database; made by [`TestDb::builder`].
#[must_use = "nothing is made before `open`"]
pub struct TestDbBuilder {
    test: String,
    server: Option<Arc<Server>>,
    keep: bool,
    configure: Option<Configure>,
}

impl TestDbBuilder {
    /// Uses this server instead of the shared one, and holds it.
    pub fn server(mut self, server: Arc<Server>) -> Self {
        self.server = Some(server);
        self
    }

    /// Leaves the database on the server whatever happens.
    pub fn keep(mut self) -> Self {
        self.keep = true;
        self
    }

    /// Changes the options of the client. A command event handler is replaced by the recorder.
    pub fn configure(mut self, change: impl FnOnce(&mut ClientOptions) + Send + 'static) -> Self {
        self.configure = Some(Box::new(change));
        self
    }

    /// Makes the database.
    ///
    /// # Errors
    ///
    /// As [`Server::shared`], and when the driver does not like the options.
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
