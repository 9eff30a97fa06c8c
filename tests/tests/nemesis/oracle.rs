//! Compares every copy with its source, in plain documents.

use std::{collections::HashMap, fmt};

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document, doc, oid::ObjectId},
    mongodb::{Database, options::ReadConcern},
};

/// What is stored in the end.
#[derive(Debug, Default)]
pub(crate) struct Found {
    copies: u64,
    pub(crate) stale: Vec<String>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} copies are stale",
            self.stale.len(),
            self.copies
        )
    }
}

impl Found {
    fn copy(&mut self, title: &str, of: &Document, copy: Option<&Bson>, source: Option<&Bson>) {
        self.copies += 1;
        // Null and absent are one here.
        let value = |it: Option<&Bson>| it.filter(|it| **it != Bson::Null).cloned();
        if value(copy) != value(source) {
            let id = of.get("_id").cloned().unwrap_or(Bson::Null);
            let line = format!("{title} of {id} is {copy:?}, and its source is {source:?}");
            self.stale.push(line);
        }
    }
}

pub(crate) async fn compare(database: &Database) -> Found {
    let mut found = Found::default();
    let hosts = by_id(all(database, "hosts").await);
    for message in all(database, "logmsg").await {
        let host = &hosts[&message.get_object_id("host").unwrap()];
        found.copy(
            "ipaddr",
            &message,
            message.get("ipaddr"),
            host.get("ipaddr"),
        );
    }
    let products = all(database, "products").await;
    let parts = by_id(all(database, "parts").await);
    // In the order of ids: the first that holds a part is the one that counts.
    let mut holders: HashMap<ObjectId, &Document> = HashMap::new();
    for product in &products {
        for line in product.get_array("parts").unwrap() {
            let line = line.as_document().unwrap();
            let id = line.get_object_id("id").unwrap();
            holders.entry(id).or_insert(product);
            found.copy(
                "parts.name",
                product,
                line.get("name"),
                parts[&id].get("name"),
            );
        }
    }
    for (id, part) in &parts {
        let holder = holders.get(id);
        for (to, from) in [
            ("product_name", "name"),
            ("product_catalog_number", "catalog_number"),
        ] {
            found.copy(to, part, part.get(to), holder.and_then(|it| it.get(from)));
        }
    }
    found
}

fn by_id(documents: Vec<Document>) -> HashMap<ObjectId, Document> {
    let pairs = documents.into_iter();
    pairs
        .map(|it| (it.get_object_id("_id").unwrap(), it))
        .collect()
}

async fn all(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(collection);
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 });
    let found = found.read_concern(ReadConcern::majority()).await.unwrap();
    found.try_collect().await.unwrap()
}
