//! Geospatial indexes of models with a tenant.

use mongo_odm::{
    Error, Odm,
    bson::{Document, doc},
    geo::Point,
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_kiosks", tenant = "org")]
struct Kiosk {
    #[serde(rename = "_id")]
    id: Id<Kiosk, i64>,
    org: i64,
    #[index(2dsphere)]
    place: Point,
}

/// A pin on a flat map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_pins", tenant = "org")]
struct Pin {
    #[serde(rename = "_id")]
    id: Id<Pin, i64>,
    org: i64,
    #[index(2d)]
    place: [f64; 2],
}

/// Opens a database with five kiosks and five pins. The tenant of those with an even number is 2. Larger numbers are
/// farther from the origin.
async fn map(test: &str) -> (Harness, Odm) {
    let t = Harness::long_declared(test).await;
    let all = t.odm.with_settings(settings()).all_tenants();
    let sync = all.sync_indexes().only::<Kiosk>().only::<Pin>();
    sync.await.unwrap();
    for (number, at) in (1..=5).zip([1.0, 2.0, 3.0, 4.0, 5.0]) {
        let org = 2 - number % 2;
        let kiosk = Kiosk {
            id: id(number),
            org,
            place: Point::new(at, 0.0).unwrap(),
        };
        kiosk.insert(&all).await.unwrap();
        let pin = Pin {
            id: id(number),
            org,
            place: [at, 0.0],
        };
        pin.insert(&all).await.unwrap();
    }
    (t, all)
}

#[tokio::test]
async fn the_tenant_is_the_last_key_of_a_flat_index() {
    let (t, all) = map("life_flat_index").await;
    let indexes = t.odm.database().collection::<Document>("life_pins");
    let mut indexes = indexes.list_indexes().await.unwrap();
    let mut keys = Vec::new();
    while indexes.advance().await.unwrap() {
        keys.push(indexes.deserialize_current().unwrap().keys);
    }
    let flat = keys.iter().find(|keys| keys.contains_key("place"));
    let expected = doc! { "place": "2d", "org": 1 };
    assert!(flat.unwrap().iter().eq(&expected), "{keys:?}");
    let diff = all.index_diff().only::<Pin>().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");

    let near = || Filter::<Pin>::from(doc! { "place": { "$near": [4.4, 0.0] } });
    let found = async |odm: &Odm| {
        let pins = Pin::find(odm).filter(near()).await.unwrap();
        pins.iter().map(|it| it.id.into_key()).collect::<Vec<_>>()
    };
    assert_eq!(found(&t.odm.for_tenant(1_i64)).await, [5, 3, 1]);
    assert_eq!(found(&t.odm.for_tenant(2_i64)).await, [4, 2]);
    assert_eq!(found(&all).await, [4, 5, 3, 2, 1]);
}

#[tokio::test]
async fn a_sort_by_distance_needs_one_tenant() {
    let (t, all) = map("life_near").await;
    let fields = Kiosk::fields();
    let near = || {
        let near = fields.place.near(Point::new(4.4, 0.0).unwrap());
        near.max_distance_meters(400_000.0)
    };
    let ids = |kiosks: Vec<Kiosk>| {
        let ids = kiosks.into_iter().map(|it| it.id.into_key());
        ids.collect::<Vec<_>>()
    };
    let one = t.odm.for_tenant(1_i64);
    assert_eq!(
        ids(Kiosk::find(&one).filter(near()).await.unwrap()),
        [5, 3, 1]
    );
    let in_filter = Kiosk::find(&all).filter(near() & fields.org.eq(2));
    assert_eq!(ids(in_filter.await.unwrap()), [4, 2]);
    let within = fields
        .place
        .within_meters(Point::new(4.4, 0.0).unwrap(), 100_000.0);
    assert_eq!(Kiosk::count(&all).filter(within).await.unwrap(), 2);
    t.forget();
    let several = near() & fields.org.is_in([1, 2]);
    let rejected = [
        Kiosk::find(&all).filter(near()).await.map(drop),
        Kiosk::find(&all).filter(near()).plan().map(drop),
        Kiosk::find(&all).filter(several).await.map(drop),
        Kiosk::find_one(&all).filter(near()).await.map(drop),
        Kiosk::find(&all)
            .filter(near())
            .sort(fields.id.asc())
            .page(2)
            .await
            .map(drop),
    ];
    for result in rejected {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        let text = error.to_string();
        for word in ["a sort by distance of `Kiosk`", "`org`", "for_tenant"] {
            assert!(text.contains(word), "{text}");
        }
    }
    assert_eq!(t.all_names(), [""; 0]);
}
