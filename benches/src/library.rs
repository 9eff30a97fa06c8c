//! The same joins as in `hand`, with the library.

use mongo_odm::{Documents, Id, Odm, mongodb::Database, prelude::ObjectId, relation::Joined};

use crate::{
    Result,
    models::{Host, LogMsg, Part, PartName, Product},
};

/// Joins on a database with the library.
#[derive(Clone, Debug)]
pub struct Library {
    odm: Odm,
}

impl Library {
    /// Creates the library's joins for a database.
    pub fn new(database: Database) -> Self {
        Self {
            odm: Odm::new(database),
        }
    }

    /// Reads a product and then its parts in stored order.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn parts(&self, product: ObjectId) -> Result<Vec<Part>> {
        let product = Product::get(&self.odm, Id::from_key(product)).await?;
        Ok(product.load_parts(&self.odm).await?)
    }

    /// Reads a product and then the names of its parts in stored order.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn names(&self, product: ObjectId) -> Result<Vec<PartName>> {
        let product = Product::get(&self.odm, Id::from_key(product)).await?;
        Ok(product.load_parts(&self.odm).select::<PartName>().await?)
    }

    /// Reads products and then the parts of all of them.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn join(
        &self,
        products: &[ObjectId],
    ) -> Result<(
        Vec<Product>,
        Joined<Product, Part, mongo_odm::relation!(Product.parts)>,
    )> {
        let products = self.products(products).await?;
        let parts = self.join_owners(&products).await?;
        Ok((products, parts))
    }

    /// Reads the products with the given ids.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn products(&self, products: &[ObjectId]) -> Result<Vec<Product>> {
        let ids = products.iter().map(|id| Id::from_key(*id));
        let by_id = Product::fields()
            .id
            .is_in(ids.collect::<Vec<Id<Product>>>());
        Ok(Product::find(&self.odm).filter(by_id).await?)
    }

    /// Reads the parts of all given products.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn join_owners(
        &self,
        products: &[Product],
    ) -> Result<Joined<Product, Part, mongo_odm::relation!(Product.parts)>> {
        Ok(Product::join_parts(products, &self.odm).await?)
    }

    /// Reads a host and then its newest messages.
    ///
    /// # Errors
    ///
    /// Errors of the library.
    pub async fn messages(&self, host: ObjectId, newest: u32) -> Result<Vec<LogMsg>> {
        let host = Host::get(&self.odm, Id::from_key(host)).await?;
        let newest = usize::try_from(newest)?;
        Ok(host
            .load_messages(&self.odm)
            .sort(LogMsg::fields().time.desc())
            .limit(newest)
            .await?)
    }
}
