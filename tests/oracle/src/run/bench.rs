//! A database for the programs of a declaration.

use std::{fmt::Display, sync::Arc, time::Duration};

use futures_util::TryStreamExt as _;
use mongo_odm::{
    Odm, Settings,
    bson::{Bson, DateTime, Document, doc},
    mongodb::Collection,
};
use odm_testkit::TestDb;

use crate::{
    adapter::Adapter,
    compose::HANDLES,
    declaration::Declaration,
    generated::Adapters,
    older::Older,
    program::{Call, Follow, Write},
    world::{World, key},
};

/// What a bench is made of.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Makes the models.
    pub models: Adapters,
    /// The executable of the older program.
    pub older: Option<&'static str>,
    /// The setting of all handles; none for the default.
    pub grace: Option<Duration>,
}

/// A database, the models of a declaration, and several handles.
pub struct Bench {
    /// The declaration.
    pub declaration: Declaration,
    pub(super) models: Arc<Vec<Box<dyn Adapter>>>,
    pub(super) handles: Vec<Odm>,
    /// A process with older declarations.
    pub(super) older: Option<Older>,
    /// Pauses while jobs settle; none with the default `grace`, which nobody waits for.
    pub(super) pause: Option<Duration>,
    /// How long work may take until it counts as never done.
    pub patience: Duration,
    db: TestDb,
}

impl Bench {
    /// Opens a database with the indexes of a declaration.
    ///
    /// The declarations look an hour old, so that nobody has to wait until all programs know them.
    pub async fn new(declaration: Declaration, setting: Setting) -> Self {
        let db = sure(TestDb::new(&format!("oracle_{}", declaration.prefix)).await);
        let default = Settings::default();
        let settings = setting
            .grace
            .map_or(default.clone(), |grace| default.grace(grace));
        let handle = || Odm::new(db.database()).with_settings(settings.clone());
        let (first, models) = (handle(), (setting.models)());
        for model in &models {
            sure(model.sync(&first).await);
        }
        let older = || {
            let (program, grace) = (setting.older?, setting.grace?);
            Some(Older::start(program, db.uri(), &declaration.name, grace))
        };
        let declaring = older();
        for (number, model) in models.iter().enumerate() {
            sure(model.send(&first, &Write::Delete(-1), Follow::Inline).await);
            if let Some(older) = &declaring {
                let (write, follow) = (Write::Delete(-1), Follow::Inline);
                sure(
                    older
                        .call(&Call {
                            model: number,
                            handle: 0,
                            follow,
                            write,
                        })
                        .await,
                );
            }
        }
        age(&db.collection("_odm_schema")).await;
        Self {
            older: older(),
            models: Arc::new(models),
            handles: (0..HANDLES).map(|_| handle()).collect(),
            pause: setting.grace.map(|it| it / 4),
            patience: Duration::from_secs(30),
            declaration,
            db,
        }
    }

    /// Reads all documents in one snapshot.
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
                let id = key(document.get("_id")).unwrap_or(-1);
                world.0.insert((number, id), document);
            }
        }
        world
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

    /// Returns a collection as the driver knows it.
    pub fn collection(&self, name: &str) -> Collection<Document> {
        self.db.collection(name)
    }

    /// Drops the database.
    pub async fn close(self) {
        drop(self.handles);
        if let Err(error) = self.db.close().await {
            eprintln!("{error}");
        }
    }
}

/// Returns what the setting of a test needs, and panics without it.
pub(super) fn sure<T, E: Display>(done: Result<T, E>) -> T {
    done.unwrap_or_else(|error| panic!("{error}"))
}

/// Sets all dates in a collection back by an hour.
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
