//! A server that fails on request. Only one test uses it at a time, because a failpoint affects the
//! whole server.

use std::{sync::Arc, time::Duration};

use mongo_odm::{
    bson::{Bson, Document},
    mongodb::{Client, options::ClientOptions},
    prelude::*,
};
use mongo_odm_testkit::{Server, TestDb};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::{models::*, setting::*};

/// The name of the application whose commands fail.
pub const FAULTY: &str = "faulty";

pub struct Lab {
    /// The handle whose commands fail.
    pub odm: Odm,
    /// A handle of a different application, whose commands do not fail.
    pub other: Odm,
    pub database: TestDb,
    _alone: MutexGuard<'static, ()>,
}

/// An active fail point: how often commands had met it before, and its description.
pub struct Trap(i64, String);

static SERVER: OnceCell<Arc<Server>> = OnceCell::const_new();
static ALONE: Mutex<()> = Mutex::const_new(());

async fn start(parameter: &str) -> Arc<Server> {
    let server = Server::builder().private().test_commands(true);
    let server = server.argument("--setParameter").argument(parameter);
    Arc::new(server.start().await.unwrap())
}

impl Lab {
    pub async fn new(test: &str) -> Self {
        let alone = ALONE.lock().await;
        // The transactions of a killed process end after seconds instead of a minute.
        let start = || start("transactionLifetimeLimitSeconds=2");
        let server = SERVER.get_or_init(start).await;
        Self::on(Arc::clone(server), test, alone).await
    }

    /// Opens a lab on a separate server, with a parameter that would affect other tests.
    pub async fn with(parameter: &str, test: &str) -> Self {
        let alone = ALONE.lock().await;
        Self::on(start(parameter).await, test, alone).await
    }

    async fn on(server: Arc<Server>, test: &str, alone: MutexGuard<'static, ()>) -> Self {
        let database = TestDb::builder(test)
            .server(server)
            .configure(|options| options.app_name = Some(FAULTY.to_owned()))
            .open()
            .await
            .unwrap();
        let other = handle(database.uri(), "other").await;
        let other = long_known(&other).await;
        index_shop(&other).await;
        Self {
            odm: Odm::new(database.database()).with_settings(settings()),
            other,
            database,
            _alone: alone,
        }
    }

    /// Stores a host with messages.
    pub async fn logs(&self, count: i64) -> Host {
        let host = host(1);
        host.insert(&self.other).await.unwrap();
        LogMsg::insert_many(&self.other, &messages(&host, count))
            .await
            .unwrap();
        // This write sends the statements that a handle needs only once, so tests do not count them.
        let prepare = Host::update(&self.odm, host.id).set(Host::fields().ipaddr, "127.0.0.1");
        prepare.await.unwrap();
        settle(&self.other).await;
        host
    }

    /// Makes commands of the faulty application fail: `mode` says how often, and `failure` in which way.
    pub async fn trap(&self, mode: impl Into<Bson>, commands: &[&str], failure: Document) -> Trap {
        let mut data = doc! { "failCommands": commands.to_vec(), "appName": FAULTY };
        data.extend(failure);
        let set = doc! { "configureFailPoint": "failCommand", "mode": mode.into(), "data": data };
        let what = set.to_string();
        let reply = self.admin(set).await;
        Trap(reply.get("count").and_then(number).unwrap_or(0), what)
    }

    /// Holds the next of these commands for some time. Then the server executes it.
    pub async fn hold(&self, commands: &[&str], collection: Option<&str>, held: Duration) -> Trap {
        self.trap(doc! { "times": 1 }, commands, self.held(collection, held))
            .await
    }

    pub fn held(&self, collection: Option<&str>, held: Duration) -> Document {
        let time = i64::try_from(held.as_millis()).unwrap();
        let mut held = doc! { "blockConnection": true, "blockTimeMS": time };
        held.extend(
            collection
                .map(|name| self.namespace(name))
                .unwrap_or_default(),
        );
        held
    }

    /// Restricts a failure to the commands on a collection.
    pub fn namespace(&self, collection: &str) -> Document {
        doc! { "namespace": format!("{}.{collection}", self.database.name()) }
    }

    /// Waits until a command has met the fail point.
    pub async fn sprung(&self, trap: &Trap) {
        let wait = doc! {
            "waitForFailPoint": "failCommand", "timesEntered": trap.0 + 1, "maxTimeMS": 10_000,
        };
        let admin = self.other.client().database("admin");
        let met = admin.run_command(wait).await;
        met.unwrap_or_else(|error| panic!("nothing meets the fail point of {}: {error}", trap.1));
    }

    pub async fn disarm(&self) {
        self.admin(doc! { "configureFailPoint": "failCommand", "mode": "off" })
            .await;
    }

    pub async fn admin(&self, command: Document) -> Document {
        let admin = self.other.client().database("admin");
        admin.run_command(command).await.unwrap()
    }

    /// Runs the remaining jobs, and asserts that the copies in every message equal their host.
    pub async fn expect_equal(&self, host: &Host, context: &str) {
        self.disarm().await;
        runners_are_dead(&self.other).await;
        settle(&self.other).await;
        assert_eq!(stale(&self.other, host).await, 0, "{context}");
    }
}

fn number(value: &Bson) -> Option<i64> {
    value.as_i64().or_else(|| value.as_i32().map(i64::from))
}

/// Opens a database with this application name.
pub async fn handle(uri: &str, app: &str) -> Odm {
    let mut options = ClientOptions::parse(uri).await.unwrap();
    options.app_name = Some(app.to_owned());
    let client = Client::with_options(options).unwrap();
    Odm::new(client.default_database().unwrap()).with_settings(settings())
}

pub fn rename(
    odm: &impl Executor,
    host: &Host,
    to: impl Into<String>,
) -> mongo_odm::action::UpdateOne<Host> {
    Host::update(odm, host.id).set(Host::fields().ipaddr, to.into())
}

/// Waits until a condition holds.
pub async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..400 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never: {what}");
}
