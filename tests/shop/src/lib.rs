//! Models in a crate that other crates use. The crate enables as many lints as possible.

#![deny(warnings)]

pub mod people;

use mongo_odm::{
    action::{Find, UpdateOne},
    prelude::*,
    Result,
};

/// A part that is sold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Model)]
#[model(
    collection = "parts",
    index(keys(name = 1, price = -1)),
    has_many(offers = "Offer.part", sort(since = -1))
)]
pub struct Part {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Self>,
    /// The name.
    pub name: String,
    /// The price in cents.
    pub price: i64,
    /// The places in the store where the part is.
    #[embed(max = 20)]
    pub places: Vec<Place>,
}

/// A place in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Embedded)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The shelf.
    pub shelf_number: i32,
    /// Number of pieces in this place.
    pub pieces: i32,
}

/// An offer of a part.
#[derive(Debug, Clone, Serialize, Deserialize, Model)]
#[model(collection = "offers")]
pub struct Offer {
    #[serde(rename = "_id")]
    id: Id<Self>,
    /// The part.
    #[parent_ref(on_delete = "cascade")]
    pub part: Id<Part>,
    /// The copied name of the part.
    #[denorm(from = "Part.name")]
    pub part_name: String,
    #[index]
    since: DateTime,
}

/// The fields of a part that a list shows.
#[derive(Debug, Clone, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct Listed {
    /// The name.
    pub name: String,
    /// The price.
    pub price: i64,
}

/// The subject of a note.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
pub enum Subject {
    /// A part.
    Part(Id<Part>),
    /// An offer.
    Offer(Id<Offer>),
}

/// Returns a filter for parts that cost less than `cents`.
pub fn cheaper_than(cents: i64) -> Filter<Part> {
    Part::fields().price.lt(cents)
}

/// Returns a query for the parts that cost less than `cents`, the cheapest first.
pub fn cheapest(odm: &Odm, cents: i64) -> Find<Part, Listed> {
    let part = Part::fields();
    Part::find(odm)
        .filter(cheaper_than(cents) & part.name.ne(""))
        .sort(part.price.asc().then(part.name.asc()))
        .limit(20)
        .select::<Listed>()
}

/// Returns a write that is not sent until it is awaited.
pub fn rename(executor: &dyn Executor, part: &Part, name: &str) -> UpdateOne<Part> {
    Part::update(executor, part.id).set(Part::fields().name, name)
}

/// Counts the documents of any model.
///
/// # Errors
///
/// Those of the count statement.
pub async fn number_of<M: Model>(odm: &Odm) -> Result<u64> {
    M::count(odm).await
}

/// Lowers the price of a part, and returns the previous price.
///
/// # Errors
///
/// Those of the statements.
pub async fn discount(odm: &Odm, part: Id<Part>, cents: i64) -> Result<i64> {
    odm.transaction(|tx| async move {
        let before = Part::get(&tx, part).await?;
        Part::update(&tx, part)
            .inc(Part::fields().price, -cents)
            .await?;
        Ok(before.price)
    })
    .await
}

/// Declares a model with an id and a name.
#[macro_export]
macro_rules! named_model {
    ($(#[$attribute:meta])* $vis:vis $name:ident in $collection:literal { $($field:ident: $type:ty),* $(,)? }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, ::serde::Serialize, ::serde::Deserialize, ::mongo_odm::Model)]
        #[model(collection = $collection)]
        $vis struct $name {
            #[serde(rename = "_id")]
            $vis id: ::mongo_odm::Id<$name>,
            #[index]
            $vis name: ::std::string::String,
            $($vis $field: $type,)*
        }
    };
}
