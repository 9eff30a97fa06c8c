//! Hooks of structs that require their copies and summaries.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_boxes", hooks)]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate, i64>,
    #[refs(one)]
    shelf: Id<Shelf, i64>,
    #[denorm(from = Shelf.name, via = shelf)]
    shelf_name: String,
    weight: i64,
    #[rollup(count, of = Item, via = within)]
    items: u64,
    #[version]
    version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_items")]
struct Item {
    #[serde(rename = "_id")]
    id: Id<Item, i64>,
    #[refs(one)]
    within: Id<Crate, i64>,
}

impl Hooks for Crate {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        // The hook can read the copy, as in an insert.
        if self.shelf_name == "weak" {
            self.weight = self.weight.min(5);
        }
        Ok(())
    }
}

#[tokio::test]
async fn the_hook_of_an_upserted_document_receives_its_copies() {
    let t = Harness::long_declared("hooks_required").await;
    let sync = t.odm.sync_indexes().only::<Crate>().only::<Item>();
    sync.only::<Parcel>().await.unwrap();
    let shelf = |number, name: &str| Shelf {
        id: Id::from_key(number),
        name: name.into(),
    };
    let shelves = [shelf(1, "weak"), shelf(2, "strong")];
    Shelf::insert_many(&t.odm, &shelves).await.unwrap();
    let item = Item {
        id: Id::from_key(1),
        within: Id::from_key(1),
    };
    item.insert(&t.odm).await.unwrap();
    let f = Crate::fields();
    for shelf in &shelves {
        let id = Id::from_key(shelf.id.into_key());
        let upsert = Crate::upsert(&t.odm, f.id.eq(id)).set(f.weight, 9);
        upsert.set(f.shelf, shelf.id).await.unwrap();
    }
    let crates = Crate::find(&t.odm).sort(f.id.asc()).await.unwrap();
    let found = crates
        .iter()
        .map(|it| (&*it.shelf_name, it.weight, it.items, it.version));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [("weak", 5, 1, 1), ("strong", 9, 0, 1)]
    );
}

/// A document whose target must exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_parcels", hooks)]
struct Parcel {
    #[serde(rename = "_id")]
    id: Id<Parcel, i64>,
    #[refs(one, exists)]
    shelf: Id<Shelf, i64>,
    #[denorm(from = Shelf.name, via = shelf)]
    shelf_name: String,
}

impl Hooks for Parcel {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_target_of_an_upserted_document_must_exist() {
    let t = Harness::long_declared("hooks_required_target").await;
    let upsert = Parcel::upsert(&t.odm, Parcel::fields().id.eq(id::<Parcel>(1)));
    let refused = upsert.set(Parcel::fields().shelf, id(9)).await.unwrap_err();
    assert_eq!(refused.kind(), mongo_odm::ErrorKind::NoTarget, "{refused}");
    assert_eq!(Parcel::count(&t.odm).await.unwrap(), 0);
}
