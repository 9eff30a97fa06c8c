//! The old version of the program.

#![allow(missing_docs, reason = "a part of a test")]

use mongo_odm::{Odm, Result, bson::oid::ObjectId, prelude::*};
use odm_fleet::Version;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "suppliers")]
struct Supplier {
    #[serde(rename = "_id")]
    id: Id<Supplier>,
    name: String,
    city: String,
    phone: String,
    rank: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: Id<Item>,
    #[parent_ref]
    supplier: Id<Supplier>,
    #[denorm(from = Supplier.name)]
    supplier_name: String,
    #[denorm(from = Supplier.city)]
    supplier_city: String,
    #[denorm(from = Supplier.phone)]
    phone_number: String,
    #[denorm(from = Supplier.rank)]
    supplier_rank: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "labels")]
struct Label {
    #[serde(rename = "_id")]
    id: Id<Label>,
    #[parent_ref]
    supplier: Id<Supplier>,
    #[denorm(from = Supplier.name)]
    supplier_name: String,
}

fn item(id: ObjectId, supplier: ObjectId) -> Item {
    Item {
        id: Id::from_key(id),
        supplier: Id::from_key(supplier),
        supplier_name: String::new(),
        supplier_city: String::new(),
        phone_number: String::new(),
        supplier_rank: 0,
    }
}

struct Old;

impl Version for Old {
    async fn rename(&self, supplier: ObjectId, number: i32, odm: &Odm) -> Result<()> {
        let (fields, by) = (Supplier::fields(), format!("old {number}"));
        let update = Supplier::update(odm, Id::from_key(supplier));
        let update = update.set(fields.name, by.clone()).set(fields.rank, number);
        update
            .set(fields.city, by.clone())
            .set(fields.phone, by)
            .await?;
        Ok(())
    }

    async fn insert(&self, supplier: ObjectId, odm: &Odm) -> Result<()> {
        item(ObjectId::new(), supplier).insert(odm).await?;
        let label = Label {
            id: Id::new(),
            supplier: Id::from_key(supplier),
            supplier_name: String::new(),
        };
        label.insert(odm).await?;
        Ok(())
    }

    async fn save(&self, id: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()> {
        item(id, supplier).save(odm).await?;
        Ok(())
    }

    async fn relink(&self, id: ObjectId, supplier: ObjectId, odm: &Odm) -> Result<()> {
        let update = Item::update(odm, Id::from_key(id));
        update
            .set(Item::fields().supplier, Id::from_key(supplier))
            .await?;
        Ok(())
    }

    async fn backfill(&self, odm: &Odm) -> Result<()> {
        odm.backfill::<Item>().restart().await?;
        odm.backfill::<Label>().restart().await?;
        Ok(())
    }
}

#[tokio::main]
async fn main() {
    odm_fleet::main(Old).await;
}
