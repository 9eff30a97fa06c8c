//! The new version of the program.

#![allow(missing_docs, reason = "a part of a test")]

use mongo_odm::{Odm, Result, bson::oid::ObjectId, prelude::*};
use odm_fleet::Version;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "suppliers")]
struct Supplier {
    #[serde(rename = "_id")]
    id: Id<Supplier>,
    name: String,
    phone: String,
    country: String,
    rank: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "items")]
struct Article {
    #[serde(rename = "_id")]
    id: Id<Article>,
    #[parent_ref]
    supplier: Id<Supplier>,
    #[denorm(from = Supplier.name)]
    supplier_name: String,
    #[denorm(from = Supplier.phone)]
    supplier_phone: String,
    #[denorm(from = Supplier.country)]
    supplier_country: String,
    #[denorm(from = Supplier.rank)]
    supplier_rank: Option<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "crates")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate>,
    #[parent_ref]
    supplier: Id<Supplier>,
    #[denorm(from = Supplier.name)]
    supplier_name: String,
}

fn article(id: ObjectId, supplier: ObjectId) -> Article {
    Article {
        id: Id::from_key(id),
        supplier: Id::from_key(supplier),
        supplier_name: String::new(),
        supplier_phone: String::new(),
        supplier_country: String::new(),
        supplier_rank: None,
    }
}

struct New;

impl Version for New {
    async fn rename(&self, supplier: ObjectId, number: i32, odm: &Odm) -> Result<()> {
        let (fields, by) = (Supplier::fields(), format!("new {number}"));
        let update = Supplier::update(odm, Id::from_key(supplier));
        let update = update
            .set(fields.name, by.clone())
            .set(fields.rank, i64::from(number));
        update
            .set(fields.country, by.clone())
            .set(fields.phone, by)
            .await?;
        Ok(())
    }

    async fn insert(&self, supplier: ObjectId, odm: &Odm) -> Result<()> {
        article(ObjectId::new(), supplier).insert(odm).await?;
        let crate_ = Crate {
            id: Id::new(),
            supplier: Id::from_key(supplier),
            supplier_name: String::new(),
        };
        crate_.insert(odm).await?;
        Ok(())
    }

    async fn save(&self, id: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()> {
        article(id, supplier).save(odm).await?;
        Ok(())
    }

    async fn relink(&self, id: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()> {
        let update = Article::update(odm, Id::from_key(id));
        update
            .set(Article::fields().supplier, Id::from_key(supplier))
            .await?;
        Ok(())
    }

    async fn backfill(&self, odm: &Odm) -> Result<()> {
        odm.backfill::<Article>().restart().await?;
        odm.backfill::<Crate>().restart().await?;
        Ok(())
    }
}

#[tokio::main]
async fn main() {
    odm_fleet::main(New).await;
}
