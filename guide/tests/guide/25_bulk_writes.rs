//! Chapter 25: bulk writes.

use mongo_odm::{BulkReport, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stand_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, String>,
    city: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stand_bikes")]
struct Bike {
    #[serde(rename = "_id")]
    id: Id<Bike, i32>,
    name: String,
    #[parent_ref]
    shop: Id<Shop, String>,
}

async fn move_bikes(
    odm: &Odm,
    bikes: &[Id<Bike, i32>],
    from: Id<Shop, String>,
    to: &Shop,
) -> mongo_odm::Result<BulkReport> {
    let shop = Bike::fields().shop;
    let moved = |id: &Id<Bike, i32>| Bike::update(odm, *id).set(shop, to.id.clone());
    odm.bulk_write()
        .add(to.insert(odm))
        .add_all(bikes.iter().map(moved))
        .add(Shop::delete(odm, from))
        .await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let bike = |id| Bike {
        id: Id::from_key(id),
        name: format!("bike {id}"),
        shop: Id::from_key("station".into()),
    };
    Bike::insert_many(&odm, &[3, 4].map(bike)).await?;
    let station = Shop {
        id: Id::from_key("station".into()),
        city: "Basel".into(),
    };
    station.insert(&odm).await?;

    let harbor = Shop {
        id: Id::from_key("harbor".into()),
        city: "Basel".into(),
    };
    let (bikes, station) = ([3, 4].map(Id::from_key), Id::from_key("station".into()));
    let moved = move_bikes(&odm, &bikes, station, &harbor);
    let counts = chapter.sends(&odm, moved).await?.counts;
    assert_eq!(
        (counts.inserted, counts.modified, counts.deleted),
        (1, 2, 1)
    );
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("25-bulk-writes", program).await;
}
