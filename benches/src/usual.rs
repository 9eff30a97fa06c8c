//! Joins as they are usually written: typed cursors with the driver's defaults.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use mongo_odm::{
    mongodb::Database,
    prelude::{ObjectId, doc},
};

use crate::{
    Result,
    plain::{Host, LogMsg, Part, PartName, Product},
};

/// Usual joins on a database.
#[derive(Clone, Debug)]
pub struct Usual {
    database: Database,
}

impl Usual {
    /// Creates the usual joins for a database.
    pub const fn new(database: Database) -> Self {
        Self { database }
    }

    async fn product(&self, id: ObjectId) -> Result<Product> {
        let products = self.database.collection::<Product>("products");
        Ok(products
            .find_one(doc! { "_id": id })
            .await?
            .ok_or("no product")?)
    }

    /// Reads a product and then its parts in stored order.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn parts(&self, product: ObjectId) -> Result<Vec<Part>> {
        let product = self.product(product).await?;
        let parts = self.database.collection::<Part>("parts");
        let found = parts
            .find(doc! { "_id": { "$in": &product.parts } })
            .await?;
        let found: Vec<Part> = found.try_collect().await?;
        let by_id: HashMap<ObjectId, Part> =
            found.into_iter().map(|part| (part.id, part)).collect();
        Ok(product
            .parts
            .iter()
            .filter_map(|id| by_id.get(id).cloned())
            .collect())
    }

    /// Reads a product and then the names of its parts in stored order.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn names(&self, product: ObjectId) -> Result<Vec<PartName>> {
        let product = self.product(product).await?;
        let parts = self.database.collection::<PartName>("parts");
        let found = parts.find(doc! { "_id": { "$in": &product.parts } });
        let found: Vec<PartName> = found
            .projection(doc! { "name": 1 })
            .await?
            .try_collect()
            .await?;
        let by_id: HashMap<ObjectId, PartName> =
            found.into_iter().map(|part| (part.id, part)).collect();
        Ok(product
            .parts
            .iter()
            .filter_map(|id| by_id.get(id).cloned())
            .collect())
    }

    /// Reads products and then the parts of all of them.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn join(
        &self,
        products: &[ObjectId],
    ) -> Result<(Vec<Product>, HashMap<ObjectId, Part>)> {
        let collection = self.database.collection::<Product>("products");
        let products = collection.find(doc! { "_id": { "$in": products } }).await?;
        let products: Vec<Product> = products.try_collect().await?;
        let ids: Vec<ObjectId> = products
            .iter()
            .flat_map(|product| product.parts.iter().copied())
            .collect();
        let parts = self.database.collection::<Part>("parts");
        let mut found = parts.find(doc! { "_id": { "$in": ids } }).await?;
        let mut by_id = HashMap::new();
        while let Some(part) = found.try_next().await? {
            by_id.insert(part.id, part);
        }
        Ok((products, by_id))
    }

    /// Reads a host and then its newest messages.
    ///
    /// # Errors
    ///
    /// Errors of the driver.
    pub async fn messages(&self, host: ObjectId, newest: u32) -> Result<Vec<LogMsg>> {
        let hosts = self.database.collection::<Host>("hosts");
        let host = hosts
            .find_one(doc! { "_id": host })
            .await?
            .ok_or("no host")?;
        let messages = self.database.collection::<LogMsg>("logmsg");
        let find = messages
            .find(doc! { "host": host.id })
            .sort(doc! { "time": -1 });
        Ok(find.limit(newest.into()).await?.try_collect().await?)
    }
}
