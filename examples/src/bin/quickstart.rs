//! A product loads its parts; a part finds the products that use it.
use mongo_odm::prelude::*;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    #[refs(many)]
    parts: Vec<Id<Part>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts", has_many(products = "Product.parts"))]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part>,
    name: String,
}

#[tokio::main]
async fn main() -> mongo_odm::Result<()> {
    let uri = std::env::args().nth(1);
    let odm = Odm::connect(uri.as_deref().unwrap_or("mongodb://localhost/shop")).await?;
    let part = |id, name| Part { id, name };
    let [nut, bolt] = ["nut", "bolt"].map(|name| part(Id::new(), name.into()));
    Part::insert_many(&odm, [&nut, &bolt]).await?;
    let (id, parts) = (Id::new(), vec![bolt.id, nut.id, bolt.id]);
    let shelf = Product { id, parts };
    shelf.insert(&odm).await?;
    println!("{:?}", shelf.load_parts(&odm).await?); // one find: bolt, nut, bolt
    println!("{:?}", nut.load_products(&odm).await?); // one find: the shelf
    Ok(())
}
