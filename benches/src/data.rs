//! The data for the joins: parts and products, hosts and messages.

use std::{sync::Arc, time::Duration};

use mongo_odm::{
    mongodb::{
        Client, Database, IndexModel,
        options::{Acknowledgment, WriteConcern},
    },
    prelude::{DateTime, ObjectId, Serialize, doc},
};
use mongo_odm_testkit::Server;

use crate::{
    Result,
    options::Sizes,
    plain::{Host, LogMsg, Part, Product},
};

/// A server that contains the data. Dropping this value stops the server and removes the data.
#[derive(Debug)]
pub struct Data {
    /// The database that contains the data.
    pub database: Database,
    /// The ids of the products.
    pub products: Vec<ObjectId>,
    /// The ids of hosts that have at least as many messages as are read.
    pub hosts: Vec<ObjectId>,
    /// The process id of the server, if the server runs on this machine.
    pub server_process: Option<u32>,
    /// The server, if this value has started it.
    server: Option<Arc<Server>>,
}

impl Data {
    /// Starts a server and fills its database.
    ///
    /// # Errors
    ///
    /// Errors of the server or the driver.
    pub async fn fill(sizes: &Sizes) -> Result<Self> {
        // All data fits into memory, because the benchmarks measure joins and not disks.
        let server = Arc::new(Server::builder().cache_gb(2.0).start().await?);
        let client = Client::with_options(server.client_options().await?)?;
        let database = client.database("mongo_odm_benches");
        database.drop().await?;
        let mut data = Self::fill_database(database, sizes).await?;
        data.server_process = process(&client).await;
        data.server = Some(server);
        // All writes are journaled and checkpointed before the measurement.
        client
            .database("admin")
            .run_command(doc! { "fsync": 1 })
            .await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(data)
    }

    /// Fills a database of a server that is already running.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn fill_database(database: Database, sizes: &Sizes) -> Result<Self> {
        let parts = parts(&database, sizes).await?;
        let products = products(&database, sizes, &parts).await?;
        let hosts = hosts(&database, sizes).await?;
        Ok(Self {
            database,
            products,
            hosts,
            server_process: None,
            server: None,
        })
    }

    /// Returns the ids of a few products. The selection depends on the number.
    pub fn owners(&self, number: usize, count: u32) -> Vec<ObjectId> {
        let count = usize::try_from(count)
            .unwrap_or(usize::MAX)
            .min(self.products.len());
        let skip = (number * count) % self.products.len().max(1);
        let mut owners: Vec<_> = self
            .products
            .iter()
            .cycle()
            .skip(skip)
            .take(count)
            .copied()
            .collect();
        owners.sort_unstable();
        owners
    }

    /// Drops the data.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn clear(self) -> Result<()> {
        if self.server.is_none_or(|server| !server.is_private()) {
            self.database.drop().await?;
        }
        Ok(())
    }
}

/// Returns the process id of the server, if the server is a `mongod` on this machine.
pub async fn process(client: &Client) -> Option<u32> {
    let status = client
        .database("admin")
        .run_command(doc! { "serverStatus": 1 })
        .await
        .ok()?;
    let process = u32::try_from(status.get_i64("pid").ok()?).ok()?;
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    name.starts_with("mongod").then_some(process)
}

async fn parts(database: &Database, sizes: &Sizes) -> Result<Vec<ObjectId>> {
    let part = |number: u32| Part {
        id: ObjectId::new(),
        partno: format!("{number:06}-aff-012"),
        name: format!("#{number:06} ABS grommet, 3"),
        qty: number.into(),
        cost: 0.94,
        price: 3.99,
    };
    insert(database, "parts", sizes.parts, part, |part| part.id).await
}

async fn products(database: &Database, sizes: &Sizes, parts: &[ObjectId]) -> Result<Vec<ObjectId>> {
    let mut random = fastrand::Rng::with_seed(6);
    let product = |number: u32| Product {
        id: ObjectId::new(),
        name: format!("left-handed smoke shifter {number}"),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: number.into(),
        parts: (0..sizes.refs)
            .filter_map(|_| random.choice(parts))
            .copied()
            .collect(),
    };
    insert(database, "products", sizes.products, product, |product| {
        product.id
    })
    .await
}

/// Inserts hosts and messages. Almost all messages belong to hosts that have a fifth more messages
/// than are read. Each of the other hosts has only a few messages.
async fn hosts(database: &Database, sizes: &Sizes) -> Result<Vec<ObjectId>> {
    let host = |number: u32| Host {
        id: ObjectId::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: format!(
            "10.{}.{}.{}",
            number >> 16,
            (number >> 8) & 255,
            number & 255
        ),
    };
    let all = insert(database, "hosts", sizes.hosts, host, |host| host.id).await?;
    let each = sizes.newest + sizes.newest / 5;
    let busy = (sizes.messages / 100 * 96 / each.max(1)).clamp(1, sizes.hosts);
    let (busy, quiet) = all
        .split_at_checked(usize::try_from(busy)?)
        .ok_or("too few hosts")?;
    let index = IndexModel::builder()
        .keys(doc! { "host": 1, "time": -1 })
        .build();
    database
        .collection::<LogMsg>("logmsg")
        .create_index(index)
        .await?;
    // The messages of all hosts are interleaved, as in a real log.
    let message = |number: u32| {
        let turn = usize::try_from(number).unwrap_or_default();
        let host = match turn % 25 {
            0 if !quiet.is_empty() => quiet.get(turn / 25 % quiet.len()),
            _ => busy.get(turn % busy.len()),
        };
        LogMsg {
            id: ObjectId::new(),
            time: DateTime::from_millis(1_395_600_000_000 + i64::from(number) * 1_000),
            message: format!("{number:08} the CPU is on fire, and the fan is, too: 97 C"),
            host: host.copied().unwrap_or_default(),
        }
    };
    insert(database, "logmsg", sizes.messages, message, |message| {
        message.id
    })
    .await?;
    Ok(busy.to_vec())
}

async fn insert<T: Serialize + Send + Sync>(
    database: &Database,
    collection: &str,
    count: u32,
    make: impl FnMut(u32) -> T,
    id: impl Fn(&T) -> ObjectId,
) -> Result<Vec<ObjectId>> {
    let collection = database.collection::<T>(collection);
    let concern = WriteConcern::builder().w(Acknowledgment::Nodes(1)).build();
    let mut ids = Vec::new();
    let mut documents = (0..count).map(make);
    loop {
        let some: Vec<T> = documents.by_ref().take(20_000).collect();
        if some.is_empty() {
            return Ok(ids);
        }
        ids.extend(some.iter().map(&id));
        collection
            .insert_many(&some)
            .write_concern(concern.clone())
            .await?;
    }
}
