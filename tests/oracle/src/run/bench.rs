//! A database for the programs of a declaration.

use std::{fmt::Display, time::Duration};

use futures_util::TryStreamExt as _;
use mongo_odm::{
    bson::{Bson, DateTime, Document, doc},
    mongodb::{Client, Collection},
};
use mongo_odm_testkit::TestDb;

use super::{
    Refused,
    party::{Answer, Ask, Party},
    remote::Remote,
};
use crate::{
    compose::HANDLES,
    declaration::Declaration,
    generated::Adapters,
    program::{Call, Failure},
    versions::Versions,
    world::{World, key},
};

/// The settings of a bench.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Returns the models of the program that runs in this process.
    pub models: Adapters,
    /// The executable of the other program, if there is one.
    pub other: Option<&'static str>,
    /// The grace period of all handles; `None` for the default.
    pub grace: Option<Duration>,
    /// Whether the server rejects documents that do not match the models of the program in this process.
    pub validates: bool,
}

/// A database, and the programs that use it.
pub struct Bench {
    /// The declaration that contains the models and fields of all programs.
    pub declaration: Declaration,
    /// The declaration of each program.
    pub programs: Vec<Declaration>,
    pub(super) here: Party,
    pub(super) other: Option<Remote>,
    /// The pause while jobs settle; `None` with the default `grace`, because then nothing waits for the jobs.
    pub(super) pause: Option<Duration>,
    /// The time after which pending work counts as lost.
    pub patience: Duration,
    db: TestDb,
    /// The application name of the programs' clients, so that the server fails only for these clients.
    app: String,
}

impl Bench {
    /// Opens a database with the indexes of a declaration, and starts the programs that use it.
    ///
    /// The declarations look an hour old, so that nothing has to wait until all programs have read them.
    pub async fn new(versions: Versions, setting: Setting) -> Self {
        let Versions { all, programs } = versions;
        let db = sure(TestDb::new(&format!("oracle_{}", all.prefix)).await);
        let app = format!("oracle {}", db.name());
        let uri = with_name(db.uri(), &app);
        let client = sure(Client::with_uri_str(&uri).await);
        let database = client.database(db.name());
        let mut here = Party::declare((setting.models)(), database, setting.grace).await;
        if setting.validates {
            here.validate().await;
        }
        let other = setting.other.map(Remote::start);
        if let Some(other) = &other {
            let name = all.name.clone();
            let millis = |grace: Duration| u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
            let grace = setting.grace.map(millis);
            sure(other.ask(Ask::Declare { name, uri, grace }).await);
        }
        age(&db.collection("_odm_schema")).await;
        here.open(other.is_some());
        if let Some(other) = &other {
            sure(other.ask(Ask::Open(true)).await);
        }
        Self {
            declaration: all,
            programs,
            here,
            other,
            pause: setting.grace.map(|it| it / 4),
            // A runner that cannot report its failure keeps the lease on its jobs for 30 seconds.
            patience: Duration::from_secs(45),
            db,
            app,
        }
    }

    /// Returns the number of the program that makes a call.
    pub(super) fn program_of(&self, call: &Call) -> usize {
        (call.handle / HANDLES).min(self.programs.len() - 1)
    }

    /// Sends a request to one of the programs.
    pub(super) async fn ask(&self, program: usize, ask: Ask) -> Answer {
        match &self.other {
            Some(other) if program == 1 => other.ask(ask).await,
            _ => self.here.answer(ask).await,
        }
    }

    /// Sends a request to each program.
    pub(super) async fn ask_all(&self, ask: Ask) -> Result<(), Refused> {
        for program in 0..self.programs.len() {
            self.ask(program, ask.clone()).await?;
        }
        Ok(())
    }

    /// Reads all documents in one snapshot session.
    pub async fn stored(&self) -> World {
        let mut world = World::default();
        let client = self.db.client();
        let mut session = sure(client.start_session().snapshot(true).await);
        for (number, model) in self.declaration.models.iter().enumerate() {
            let collection = self.collection(&model.collection);
            let filter = model
                .kind
                .as_ref()
                .map_or_else(Document::new, |kind| doc! { "kind": kind });
            let mut found = sure(collection.find(filter).session(&mut session).await);
            while let Some(document) = found.next(&mut session).await {
                let document = sure(document);
                if let Some(id) = key(document.get("_id")) {
                    world.0.insert((number, id), document);
                }
            }
        }
        world
    }

    /// Makes commands of the programs fail, or ends this.
    pub(super) async fn fail(&self, failure: Option<&Failure>) {
        let mut command = doc! { "configureFailPoint": "failCommand", "mode": "off" };
        if let Some(failure) = failure {
            command.insert("mode", doc! { "times": failure.times });
            let mut data = doc! { "failCommands": [&failure.command], "appName": &self.app };
            match failure.code {
                Some(code) => data.insert("errorCode", code),
                None => data.insert("closeConnection", true),
            };
            command.insert("data", data);
        }
        let admin = self.db.client().database("admin");
        sure(admin.run_command(command).await);
    }

    /// Lets the library repair all findings.
    pub(super) async fn repair(&self) -> Result<(), mongo_odm::Error> {
        for model in self.here.models.iter() {
            model.repair(&self.here.handles[2]).await?;
        }
        Ok(())
    }

    /// Removes all documents, jobs and deltas, as before the first program.
    pub async fn clear(&self) {
        let own = self
            .declaration
            .models
            .iter()
            .map(|it| it.collection.as_str());
        for name in own.chain(["_odm_jobs", "_odm_deltas", "_odm_cursors"]) {
            sure(self.collection(name).delete_many(doc! {}).await);
        }
    }

    /// Returns the driver's handle of a collection.
    pub fn collection(&self, name: &str) -> Collection<Document> {
        self.db.collection(name)
    }

    /// Drops the database.
    pub async fn close(self) {
        drop((self.here, self.other));
        if let Err(error) = self.db.close().await {
            eprintln!("{error}");
        }
    }
}

/// Returns a connection string with an application name.
fn with_name(uri: &str, app: &str) -> String {
    let sign = if uri.contains('?') { '&' } else { '?' };
    format!("{uri}{sign}appName={}", app.replace(' ', "%20"))
}

/// Returns the result of a step that the test depends on.
pub(super) fn sure<T, E: Display>(done: Result<T, E>) -> T {
    done.unwrap_or_else(|error| panic!("{error}"))
}

/// Moves all dates in a collection back by an hour.
async fn age(collection: &Collection<Document>) {
    let all = sure(collection.find(doc! {}).await);
    let all: Vec<Document> = sure(all.try_collect().await);
    for document in all {
        let id = document.get("_id").cloned().unwrap_or(Bson::Null);
        let Bson::Document(older) = aged(document.into()) else {
            continue;
        };
        sure(collection.replace_one(doc! { "_id": id }, older).await);
    }
}

fn aged(value: Bson) -> Bson {
    const HOUR: i64 = 3_600_000;
    match value {
        Bson::DateTime(date) => DateTime::from_millis(date.timestamp_millis() - HOUR).into(),
        Bson::Document(it) => it
            .into_iter()
            .map(|(name, value)| (name, aged(value)))
            .collect::<Document>()
            .into(),
        Bson::Array(all) => all.into_iter().map(aged).collect::<Vec<_>>().into(),
        other => other,
    }
}
