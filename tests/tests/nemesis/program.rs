//! Code that the processes of both versions have in common: their settings, and the stored documents.

use std::{
    env,
    io::{Read, stdin},
    str::FromStr,
    thread,
    time::Duration,
};

use mongo_odm::{
    Result, Settings, Settle,
    bson::Document,
    mongodb::{Client, options::ClientOptions},
    prelude::*,
};

pub(crate) const DATABASE: &str = "nemesis";
/// The application name of the processes' clients, so that the server fails only for these clients.
pub(crate) const APP: &str = "nemesis";

pub(crate) const HOSTS: u64 = 12;
/// The parts that exist from the start. References also refer to other parts, which are inserted and deleted.
pub(crate) const PARTS: u64 = 12;
pub(crate) const ALL_PARTS: u64 = 16;
/// Number of different catalog numbers of products.
pub(crate) const NUMBERS: u64 = 40;
/// Number of bloggers that can exist.
pub(crate) const BLOGGERS: u64 = 6;
/// Number of pairs that are only written in transactions.
pub(crate) const PAIRS: u64 = 4;

/// Whether the servers are a sharded cluster.
pub(crate) fn is_sharded() -> bool {
    env::var("ODM_TEST_TOPOLOGY").is_ok_and(|topology| topology == "sharded")
}

/// Here, transactions live for at most 4.5 s instead of a minute, so a grace period of 12 s is longer than two of them.
/// On a cluster, a prepared transaction also waits until killed shards have restarted.
pub(crate) fn settings() -> Settings {
    let grace = if is_sharded() { 30 } else { 12 };
    Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::from_secs(grace))
}

pub(crate) fn host_id<M: Model>(number: u64) -> Id<M> {
    Id::from_key(id(1, number))
}

pub(crate) fn part_id<M: Model>(number: u64) -> Id<M> {
    Id::from_key(id(2, number))
}

pub(crate) fn blogger_id<M: Model>(number: u64) -> Id<M> {
    Id::from_key(id(3, number))
}

fn id(kind: u8, number: u64) -> ObjectId {
    let mut bytes = [kind; 12];
    bytes[4..].copy_from_slice(&number.to_be_bytes());
    ObjectId::from_bytes(bytes)
}

pub(crate) async fn handle(uri: &str) -> Odm {
    let mut options = ClientOptions::parse(uri).await.unwrap();
    options.app_name = Some(APP.to_owned());
    options.server_selection_timeout = Some(Duration::from_secs(5));
    let database = Client::with_options(options).unwrap().database(DATABASE);
    Odm::new(database).with_settings(settings())
}

/// Returns the id of a random document that matches the filter, if this id is an `ObjectId`.
pub(crate) async fn any<M: Model>(odm: &Odm, filter: Document) -> Result<Option<Id<M>>> {
    let collection = odm.database().collection::<Document>(M::SHAPE.collection);
    let one = vec![
        doc! { "$match": filter },
        doc! { "$sample": { "size": 1 } },
        doc! { "$project": { "_id": 1 } },
    ];
    let mut found = collection.aggregate(one).await?;
    if !found.advance().await? {
        return Ok(None);
    }
    let id = found.deserialize_current()?.get_object_id("_id").ok();
    Ok(id.map(Id::from_key))
}

/// Ends this process when its parent process ends for any reason. The parent has the other end of standard input.
pub(crate) fn die_with_parent() {
    thread::spawn(|| {
        let _ = stdin().read(&mut [0]);
        std::process::exit(0);
    });
}

pub(crate) fn number<N: FromStr>(name: &str, default: N) -> N {
    let given = env::var(name).ok().and_then(|text| text.parse().ok());
    given.unwrap_or(default)
}
