//! The same statements as those of the library, written by hand with the driver. The benchmarks compare the library
//! with this code.

use futures_util::TryStreamExt;
use mongo_odm::{
    Odm,
    bson::{Bson, Document},
    mongodb::{
        ClientSession, Collection, Database,
        options::{ReadConcern, ReturnDocument, WriteConcern},
    },
    prelude::{DateTime, Deserialize, ObjectId, Serialize, doc},
};
use odm_benches::Result;

/// The collection for the jobs of hand-written renames. The library's own jobs are not touched.
const JOBS: &str = "hand_jobs";

/// Largest number of copies that one transaction writes.
const LIMIT: i64 = 1_000;

/// A reference whose copies are maintained by hand: the source field, and how to find the copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtendedReference {
    pub(crate) source: &'static str,
    pub(crate) field: &'static str,
    pub(crate) target: &'static str,
    pub(crate) copies: fn(ObjectId, &str) -> Copies,
}

/// The filter that finds stale copies, and the update that corrects them.
#[derive(Debug)]
pub(crate) struct Copies {
    filter: Document,
    update: Document,
    array_filters: Vec<Document>,
}

pub(crate) const MESSAGES: ExtendedReference = ExtendedReference {
    source: "copied_hosts",
    field: "ipaddr",
    target: "copying_logmsg",
    copies: |host, new| Copies {
        filter: doc! { "host": host, "ipaddr": { "$ne": new } },
        update: doc! { "$set": { "ipaddr": new } },
        array_filters: Vec::new(),
    },
};

pub(crate) const LINES: ExtendedReference = ExtendedReference {
    source: "copied_parts",
    field: "name",
    target: "copying_products",
    copies: |part, new| Copies {
        filter: doc! { "parts": { "$elemMatch": { "id": part, "name": { "$ne": new } } } },
        update: doc! { "$set": { "parts.$[line].name": new } },
        array_filters: vec![doc! { "line.id": part }],
    },
};

/// A message as a plain serde struct.
#[derive(Debug, Serialize)]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: ObjectId,
    pub(crate) time: DateTime,
    pub(crate) message: String,
    pub(crate) host: ObjectId,
    pub(crate) ipaddr: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Address {
    #[serde(rename = "_id")]
    id: ObjectId,
    ipaddr: String,
}

/// Hand-written statements for a database.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    database: Database,
}

impl Hand {
    pub(crate) async fn new(odm: &Odm) -> Result<Self> {
        let database = odm.database().clone();
        let by_due = mongo_odm::mongodb::IndexModel::builder()
            .keys(doc! { "due_at": 1 })
            .build();
        let jobs = database.collection::<Document>(JOBS);
        jobs.create_index(by_due).await?;
        Ok(Self { database })
    }

    fn documents(&self, collection: &str) -> Collection<Document> {
        self.database.collection(collection)
    }

    async fn begin(&self) -> Result<ClientSession> {
        let mut session = self.database.client().start_session().await?;
        let begin = session.start_transaction();
        begin
            .read_concern(ReadConcern::snapshot())
            .write_concern(WriteConcern::majority())
            .await?;
        Ok(session)
    }

    /// Renames a source and its copies in a transaction. Returns the number of changed copies.
    pub(crate) async fn rename(
        &self,
        reference: ExtendedReference,
        id: ObjectId,
        new: &str,
    ) -> Result<u64> {
        let mut session = self.begin().await?;
        let sources = self.documents(reference.source);
        let tuple = sources
            .find_one(doc! { "_id": id })
            .projection(doc! { reference.field: 1 });
        let before = tuple.session(&mut session).await?.ok_or("no source")?;
        let renamed = sources
            .find_one_and_update(
                doc! { "_id": id },
                doc! { "$set": { reference.field: new } },
            )
            .return_document(ReturnDocument::After);
        let after = renamed.session(&mut session).await?.ok_or("no source")?;
        let mut modified = 0;
        if before.get(reference.field) != after.get(reference.field) {
            self.record(reference, id, &mut session).await?;
            modified = self.follow(reference, id, new, &mut session).await?;
        }
        session.commit_transaction().await?;
        Ok(modified)
    }

    /// Writes a job for the last look at the copies.
    async fn record(
        &self,
        reference: ExtendedReference,
        id: ObjectId,
        session: &mut ClientSession,
    ) -> Result<()> {
        let running = doc! { "$eq": ["$phase", "run"] };
        let job = vec![doc! { "$set": {
            "version": ObjectId::new(),
            "changed_at": "$$NOW",
            "due_at": { "$cond": [running.clone(), "$$NOW", { "$add": ["$$NOW", 180_000] }] },
            "phase": { "$cond": [running, "run", "settle"] },
            "ties": { "$setUnion": [{ "$ifNull": ["$ties", []] }, [reference.target]] },
        } }];
        let jobs = self.documents(JOBS);
        jobs.find_one_and_update(
            doc! { "_id": { "source": reference.source, "key": id } },
            job,
        )
        .upsert(true)
        .projection(doc! { "phase": 1 })
        .return_document(ReturnDocument::After)
        .session(session)
        .await?;
        Ok(())
    }

    async fn follow(
        &self,
        reference: ExtendedReference,
        id: ObjectId,
        new: &str,
        session: &mut ClientSession,
    ) -> Result<u64> {
        let target = self.documents(reference.target);
        let copies = (reference.copies)(id, new);
        let count = target.aggregate([
            doc! { "$match": copies.filter.clone() },
            doc! { "$limit": LIMIT + 1 },
            doc! { "$count": "n" },
        ]);
        let mut counted = count.session(&mut *session).await?;
        let count = counted.next(session).await.transpose()?;
        let count = count.and_then(|count| count.get("n").and_then(Bson::as_i32));
        if i64::from(count.unwrap_or(0)) > LIMIT {
            return Err("too many copies".into());
        }
        let mut update = target.update_many(copies.filter, copies.update);
        if !copies.array_filters.is_empty() {
            update = update.array_filters(copies.array_filters);
        }
        Ok(update.session(session).await?.modified_count)
    }

    /// Changes all copies with a single statement. If the statement fails, nothing repeats it.
    pub(crate) async fn update_all(&self, host: ObjectId, new: &str) -> Result<u64> {
        let messages = self.documents(MESSAGES.target);
        let update =
            messages.update_many(doc! { "host": host }, doc! { "$set": { "ipaddr": new } });
        Ok(update.await?.modified_count)
    }

    /// Counts the messages that have the current address of their host. The messages are grouped on the server, and the
    /// groups are compared with the hosts, which are read once.
    pub(crate) async fn count_right(&self) -> Result<usize> {
        // The type is a part of the group key, because the server groups a symbol with an equal string, and an integer
        // with an equal double.
        let copy = doc! { "k": "$host", "v": "$ipaddr", "t": { "$type": "$ipaddr" } };
        let group = doc! { "$group": { "_id": copy, "n": { "$sum": 1 } } };
        let messages = self.documents(MESSAGES.target);
        let groups: Vec<Document> = messages.aggregate([group]).await?.try_collect().await?;
        let read = |group: &Document| {
            let copy = group.get_document("_id").ok()?;
            let address = Address {
                id: copy.get_object_id("k").ok()?,
                ipaddr: copy.get_str("v").ok()?.to_owned(),
            };
            Some((address, usize::try_from(group.get_i32("n").ok()?).ok()?))
        };
        let groups: Vec<(Address, usize)> = groups.iter().filter_map(read).collect();
        let hosts: Vec<ObjectId> = groups.iter().map(|(address, _)| address.id).collect();
        let addresses = self.addresses(&hosts, None).await?;
        let right = groups.iter().filter(|(copy, _)| addresses.contains(copy));
        Ok(right.map(|(_, count)| count).sum())
    }

    /// Inserts messages with the addresses of their hosts. The hosts are read again after the commit.
    pub(crate) async fn insert(&self, mut messages: Vec<LogMsg>) -> Result<u64> {
        let mut hosts: Vec<ObjectId> = messages.iter().map(|message| message.host).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let mut session = self.begin().await?;
        let addresses = self.addresses(&hosts, Some(&mut session)).await?;
        for message in &mut messages {
            let at = addresses.binary_search_by_key(&message.host, |address| address.id);
            let address = at.ok().and_then(|at| addresses.get(at));
            message.ipaddr.clone_from(&address.ok_or("no host")?.ipaddr);
        }
        let collection = self.database.collection::<LogMsg>(MESSAGES.target);
        let insert = collection.insert_many(&messages);
        let inserted = insert.session(&mut session).await?.inserted_ids.len() as u64;
        session.commit_transaction().await?;
        if self.addresses(&hosts, None).await? != addresses {
            return Err("a host was renamed meanwhile".into());
        }
        Ok(inserted)
    }

    async fn addresses(
        &self,
        hosts: &[ObjectId],
        session: Option<&mut ClientSession>,
    ) -> Result<Vec<Address>> {
        let collection = self.database.collection::<Address>(MESSAGES.source);
        let find = collection
            .find(doc! { "_id": { "$in": hosts } })
            .projection(doc! { "ipaddr": 1 })
            .batch_size(u32::try_from(hosts.len() + 1)?);
        let mut addresses: Vec<Address> = if let Some(session) = session {
            let mut found = find.session(&mut *session).await?;
            found.stream(session).try_collect().await?
        } else {
            let find = find.read_concern(ReadConcern::majority());
            find.await?.try_collect().await?
        };
        addresses.sort_unstable_by_key(|address| address.id);
        Ok(addresses)
    }
}
