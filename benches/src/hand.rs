//! The fastest joins that we could write by hand with the driver and serde. The library is compared
//! with them.
//!
//! Batches are decoded in place (`batch()`). The batch size is one larger than the number of
//! possible documents, so that the server closes the cursor with the first reply. Keys are distinct
//! and sorted, and many keys are sent as two ranges in separate tasks. Each key has a number, which
//! one pass over a hash table assigns. With this number, a document is assigned to its references.

use std::{collections::HashMap, sync::Arc};

use foldhash::fast::FixedState;
use futures_util::{StreamExt, future::try_join_all};
use mongo_odm::{
    bson::{Document, RawBsonRef, RawDocumentBuf, deserialize_from_slice},
    mongodb::{
        Collection, Database, options::AggregateOptions, options::FindOptions,
        raw_batch_cursor::RawBatch,
    },
    prelude::{ObjectId, doc},
};
use serde::de::DeserializeOwned;

use crate::{
    Result,
    plain::{Host, HostWithMessages, Identified, LogMsg, Part, PartName, Product, ProductWith},
};

/// Hand-written joins on a database.
#[derive(Clone, Debug)]
pub struct Hand {
    database: Database,
}

/// Products, and the documents to which they refer.
#[derive(Debug)]
pub struct HandJoined {
    /// The products.
    pub products: Vec<Product>,
    /// The referenced documents, each of them once.
    pub documents: Vec<Part>,
    /// For each reference, the number of its key. The references are in the order of the products.
    slots: Vec<u32>,
    /// For each number of a key, the position of its document.
    places: Vec<u32>,
}

impl HandJoined {
    /// Returns the documents of all references, product by product, in stored order.
    pub fn references(&self) -> impl Iterator<Item = &Part> {
        self.slots.iter().filter_map(|slot| {
            let place = self.places.get(usize::try_from(*slot).ok()?)?;
            self.documents.get(usize::try_from(*place).ok()?)
        })
    }
}

/// The number of each distinct key.
type Numbers = HashMap<ObjectId, u32, FixedState>;

/// The position of a key that has no document.
const NOWHERE: u32 = u32::MAX;

impl Hand {
    /// Creates the hand-written joins for a database.
    pub const fn new(database: Database) -> Self {
        Self { database }
    }

    fn raw(&self, collection: &str) -> Collection<RawDocumentBuf> {
        self.database.collection(collection)
    }

    /// Reads a product and then its parts in stored order. The parts are read with `ranges`
    /// concurrent statements.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn parts(&self, product: ObjectId, ranges: usize) -> Result<Vec<Part>> {
        self.referenced(product, None, ranges).await
    }

    /// Reads a product and then the names of its parts in stored order. The names are read with
    /// `ranges` concurrent statements.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn names(&self, product: ObjectId, ranges: usize) -> Result<Vec<PartName>> {
        let fields = doc! { "name": 1 };
        self.referenced(product, Some(fields), ranges).await
    }

    async fn referenced<T>(
        &self,
        product: ObjectId,
        fields: Option<Document>,
        ranges: usize,
    ) -> Result<Vec<T>>
    where
        T: DeserializeOwned + Identified + Clone + Send + 'static,
    {
        let products = self.database.collection::<Product>("products");
        let product = products
            .find_one(doc! { "_id": product })
            .await?
            .ok_or("no product")?;
        let (numbers, slots) = numbered(&product.parts);
        let mut found: Vec<Option<T>> = Vec::new();
        found.resize_with(numbers.len(), || None);
        let mut put = |document: T| {
            let place = numbers
                .get(&document.id())
                .and_then(|slot| found.get_mut(at(*slot)));
            if let Some(place) = place {
                *place = Some(document);
            }
        };
        let mut keys = sorted(&numbers);
        let mut others = Vec::new();
        for left in (1..ranges).rev() {
            let range = keys.split_off(keys.len() - keys.len() / (left + 1));
            let (hand, fields) = (self.clone(), fields.clone());
            others.push(tokio::spawn(async move {
                let mut documents = Vec::with_capacity(range.len());
                let mut put = |document: T| documents.push(document);
                let done = hand.each_of(range, fields, &mut put).await;
                done.map(|()| documents)
            }));
        }
        self.each_of(keys, fields, &mut put).await?;
        for documents in try_join_all(others).await? {
            documents?.into_iter().for_each(&mut put);
        }
        if slots.len() == numbers.len() {
            return Ok(found.into_iter().flatten().collect());
        }
        Ok(slots
            .iter()
            .filter_map(|slot| found.get(at(*slot))?.clone())
            .collect())
    }

    /// Reads the parts with the given keys, either completely or only some of their fields. The
    /// result has the order of the reply.
    async fn each_of<T: DeserializeOwned>(
        &self,
        keys: Vec<ObjectId>,
        fields: Option<Document>,
        found: &mut (impl FnMut(T) + Send),
    ) -> Result<()> {
        let mut options = by_keys(keys.len());
        options.projection = fields;
        let filter = doc! { "_id": { "$in": keys } };
        let parts = self.raw("parts");
        let mut batches = parts.find(filter).with_options(options).batch().await?;
        while let Some(batch) = batches.next().await {
            decode(&batch?, &mut *found)?;
        }
        Ok(())
    }

    /// Reads products and then the parts of all of them, with `ranges` concurrent statements.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn join(&self, products: &[ObjectId], ranges: usize) -> Result<HandJoined> {
        let mut owners: Vec<Product> = Vec::with_capacity(products.len());
        let filter = doc! { "_id": { "$in": products } };
        let options = by_keys(products.len());
        let mut batches = self
            .raw("products")
            .find(filter)
            .with_options(options)
            .batch()
            .await?;
        while let Some(batch) = batches.next().await {
            decode(&batch?, |product| owners.push(product))?;
        }
        self.join_owners(owners, ranges).await
    }

    /// Reads the parts of all given products, with `ranges` concurrent statements.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn join_owners(&self, products: Vec<Product>, ranges: usize) -> Result<HandJoined> {
        let (numbers, slots) = numbered(products.iter().flat_map(|product| &product.parts));
        let keys = sorted(&numbers);
        let numbers = Arc::new(numbers);
        let tasks = keys
            .chunks(keys.len().div_ceil(ranges).max(1))
            .map(|range| {
                let (hand, range, numbers) = (self.clone(), range.to_vec(), Arc::clone(&numbers));
                tokio::spawn(async move { hand.range(range, &numbers).await })
            });
        let mut places = vec![NOWHERE; numbers.len()];
        let mut documents: Vec<Part> = Vec::with_capacity(numbers.len());
        for range in try_join_all(tasks).await? {
            let (mut found, found_slots) = range?;
            for (place, slot) in (documents.len()..).zip(found_slots) {
                if let Some(entry) = places.get_mut(at(slot)) {
                    *entry = u32::try_from(place)?;
                }
            }
            documents.append(&mut found);
        }
        Ok(HandJoined {
            products,
            documents,
            slots,
            places,
        })
    }

    /// Reads the parts that have some keys, and returns them with the numbers of their keys.
    async fn range(&self, keys: Vec<ObjectId>, numbers: &Numbers) -> Result<(Vec<Part>, Vec<u32>)> {
        let options = by_keys(keys.len());
        let mut documents: Vec<Part> = Vec::with_capacity(keys.len());
        let mut slots = Vec::with_capacity(keys.len());
        let filter = doc! { "_id": { "$in": keys } };
        let mut batches = self
            .raw("parts")
            .find(filter)
            .with_options(options)
            .batch()
            .await?;
        while let Some(batch) = batches.next().await {
            decode(&batch?, |part: Part| {
                if let Some(slot) = numbers.get(&part.id) {
                    slots.push(*slot);
                    documents.push(part);
                }
            })?;
        }
        Ok((documents, slots))
    }

    /// Reads a host and then its newest messages.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn messages(
        &self,
        host: ObjectId,
        newest: u32,
        batch_size: Option<u32>,
    ) -> Result<Vec<LogMsg>> {
        let hosts = self.database.collection::<Host>("hosts");
        let host = hosts
            .find_one(doc! { "_id": host })
            .await?
            .ok_or("no host")?;
        let mut options = FindOptions::default();
        options.sort = Some(doc! { "time": -1 });
        options.limit = Some(newest.into());
        options.batch_size = batch_size;
        let mut messages = Vec::with_capacity(at(newest));
        let collection = self.raw("logmsg");
        let find = collection
            .find(doc! { "host": host.id })
            .with_options(options);
        let mut batches = find.batch().await?;
        while let Some(batch) = batches.next().await {
            decode(&batch?, |message| messages.push(message))?;
        }
        Ok(messages)
    }

    /// Reads products and their parts with one aggregation. The stored order of the parts is
    /// restored on the client.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn lookup<T>(&self, products: &[ObjectId], fields: Option<Document>) -> Result<Vec<T>>
    where
        T: DeserializeOwned + Identified + Clone,
    {
        let mut lookup = doc! { "from": "parts", "localField": "parts", "foreignField": "_id", "as": "documents" };
        if let Some(fields) = fields {
            lookup.insert("pipeline", vec![doc! { "$project": fields }]);
        }
        let pipeline = [
            doc! { "$match": { "_id": { "$in": products } } },
            doc! { "$lookup": lookup },
        ];
        let mut options = AggregateOptions::default();
        options.batch_size = u32::try_from(products.len() + 1).ok();
        let products = self.raw("products");
        let mut batches = products
            .aggregate(pipeline)
            .with_options(options)
            .batch()
            .await?;
        let mut documents = Vec::new();
        while let Some(batch) = batches.next().await {
            decode(&batch?, |product: ProductWith<T>| {
                let (numbers, slots) = numbered(&product.parts);
                let mut found: Vec<Option<T>> = Vec::new();
                found.resize_with(numbers.len(), || None);
                for document in product.documents {
                    let slot = numbers.get(&document.id());
                    if let Some(place) = slot.and_then(|slot| found.get_mut(at(*slot))) {
                        *place = Some(document);
                    }
                }
                if slots.len() == numbers.len() {
                    documents.extend(found.into_iter().flatten());
                } else {
                    let found = slots
                        .iter()
                        .filter_map(|slot| found.get(at(*slot))?.clone());
                    documents.extend(found);
                }
            })?;
        }
        Ok(documents)
    }

    /// Reads a host and its newest messages with one aggregation.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn lookup_messages(&self, host: ObjectId, newest: u32) -> Result<Vec<LogMsg>> {
        let each = vec![doc! { "$sort": { "time": -1 } }, doc! { "$limit": newest }];
        let pipeline = [
            doc! { "$match": { "_id": host } },
            doc! { "$lookup": {
                "from": "logmsg",
                "localField": "_id",
                "foreignField": "host",
                "pipeline": each,
                "as": "messages",
            } },
        ];
        let mut messages = Vec::new();
        let mut batches = self.raw("hosts").aggregate(pipeline).batch().await?;
        while let Some(batch) = batches.next().await {
            decode(&batch?, |host: HostWithMessages| messages = host.messages)?;
        }
        Ok(messages)
    }
}

/// Numbers distinct keys in the order of their first appearance, in one pass.
fn numbered<'a>(keys: impl IntoIterator<Item = &'a ObjectId>) -> (Numbers, Vec<u32>) {
    let keys = keys.into_iter();
    let mut numbers = Numbers::with_capacity_and_hasher(keys.size_hint().0, FixedState::default());
    let slots = keys.map(|key| {
        let next = u32::try_from(numbers.len()).unwrap_or(NOWHERE);
        *numbers.entry(*key).or_insert(next)
    });
    let slots = slots.collect();
    (numbers, slots)
}

fn sorted(numbers: &Numbers) -> Vec<ObjectId> {
    let mut keys: Vec<ObjectId> = numbers.keys().copied().collect();
    keys.sort_unstable();
    keys
}

/// Returns the options for a `find` by keys. The batch size is one larger than the number of
/// possible documents, so that the server closes the cursor with the first reply.
fn by_keys(keys: usize) -> FindOptions {
    let mut options = FindOptions::default();
    options.batch_size = u32::try_from(keys + 1).ok();
    options
}

/// Decodes the documents of a batch without copying them first.
fn decode<T: DeserializeOwned>(batch: &RawBatch, mut found: impl FnMut(T)) -> Result<()> {
    for document in batch.doc_slices()? {
        if let RawBsonRef::Document(document) = document? {
            found(deserialize_from_slice(document.as_bytes())?);
        }
    }
    Ok(())
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
