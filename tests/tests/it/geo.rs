//! Filters on `GeoJSON` geometries: `near`, `within` and `intersects`.

use mongo_odm::{
    IntoFilter,
    geo::{LineString, Point, Polygon},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "geo_shops", index(keys(place = "2dsphere")))]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i32>,
    place: Point,
    #[index(2dsphere)]
    area: Option<Polygon>,
    #[serde(default)]
    route: Option<LineString>,
}

fn point(longitude: f64, latitude: f64) -> Point {
    Point::new(longitude, latitude).unwrap()
}

fn square(longitude: f64, latitude: f64, size: f64) -> Polygon {
    let corners = [
        (0.0, 0.0),
        (size, 0.0),
        (size, size),
        (0.0, size),
        (0.0, 0.0),
    ];
    Polygon::new(corners.map(|(x, y)| point(longitude + x, latitude + y))).unwrap()
}

fn shop(id: i32, longitude: f64, latitude: f64) -> Shop {
    Shop {
        id: Id::from_key(id),
        place: point(longitude, latitude),
        area: (id == 1).then(|| square(longitude, latitude, 0.1)),
        route: (id == 1).then(|| LineString::new([point(0.0, 0.0), point(1.0, 1.0)]).unwrap()),
    }
}

async fn harness(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().only::<Shop>().await.unwrap();
    // Bern, Thun and Zürich.
    t.given(&[
        shop(1, 7.45, 46.95),
        shop(2, 7.63, 46.76),
        shop(3, 8.54, 47.37),
    ])
    .await;
    t
}

async fn found(t: &Harness, filter: impl IntoFilter<Shop>) -> Vec<i32> {
    let shops = Shop::find(&t.odm).filter(filter).await.unwrap();
    shops.iter().map(|shop| *shop.id.key()).collect()
}

#[tokio::test]
async fn near_documents_are_sorted_by_distance() {
    let t = harness("geo_near").await;
    let place = Shop::fields().place;
    let thun = point(7.63, 46.76);
    assert_eq!(found(&t, place.near(thun)).await, [2, 1, 3]);
    assert_eq!(
        found(&t, place.near(thun).max_distance_meters(30_000.0)).await,
        [2, 1]
    );
    let outside = place
        .near(thun)
        .min_distance_meters(1_000.0)
        .max_distance_meters(30_000.0);
    assert_eq!(found(&t, outside).await, [1]);
    let within = || place.within_meters(thun, 30_000.0);
    let count = Shop::count(&t.odm).filter(within()).await.unwrap();
    assert_eq!(count, 2);
    for meters in [-1.0, f64::NAN, f64::INFINITY] {
        let rejected = Shop::find(&t.odm).filter(place.near(thun).max_distance_meters(meters));
        let rejected = rejected.await.unwrap_err();
        assert_eq!(rejected.code(), "odm.invalid", "{rejected}");
        assert!(
            Shop::count(&t.odm)
                .filter(place.within_meters(thun, meters))
                .await
                .is_err()
        );
    }
}

#[tokio::test]
async fn geometries_are_compared_with_areas() {
    let t = harness("geo_within").await;
    let fields = Shop::fields();
    let mut around_bern = found(&t, fields.place.within(&square(7.0, 46.5, 1.0))).await;
    around_bern.sort_unstable();
    assert_eq!(around_bern, [1, 2]);
    let hole = square(7.4, 46.9, 0.1);
    let ring = square(7.0, 46.5, 1.0)
        .with_hole(hole.exterior().to_vec())
        .unwrap();
    assert_eq!(found(&t, fields.place.within(&ring)).await, [2]);
    assert_eq!(
        found(&t, fields.area.intersects(&point(7.5, 47.0))).await,
        [1]
    );
    let line = LineString::new([point(7.0, 47.0), point(8.0, 47.0)]).unwrap();
    assert_eq!(found(&t, fields.area.intersects(&line)).await, [1]);
    assert_eq!(
        found(&t, fields.area.within(&square(7.5, 46.9, 0.1))).await,
        [0; 0]
    );
}

#[tokio::test]
async fn stored_geometries_and_json_have_one_form() {
    let t = harness("geo_json").await;
    let stored = Shop::get(&t.odm, Id::from_key(1)).await.unwrap();
    assert_eq!(stored, shop(1, 7.45, 46.95));
    let json = serde_json::to_value(&stored).unwrap();
    assert_eq!(
        json["place"],
        serde_json::json!({ "type": "Point", "coordinates": [7.45, 46.95] })
    );
    assert_eq!(serde_json::from_value::<Shop>(json).unwrap(), stored);
    let raw = t
        .odm
        .database()
        .collection::<mongo_odm::bson::Document>("geo_shops");
    let broken = doc! { "_id": 9, "route": { "type": "LineString", "coordinates": [[0, 0]] } };
    raw.insert_one(broken).await.unwrap();
    let change = doc! { "$set": { "place": { "type": "Point", "coordinates": [1, 2] } } };
    raw.update_one(doc! { "_id": 9 }, change).await.unwrap();
    let error = Shop::get(&t.odm, Id::from_key(9))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`route`") && error.contains("two different points"),
        "{error}"
    );
}

#[tokio::test]
async fn a_distance_is_no_sort_of_a_page() {
    let t = harness("geo_pages").await;
    let near = || Shop::fields().place.near(point(7.4, 46.9));
    let error = Shop::find(&t.odm).filter(near()).page(2).await.unwrap_err();
    let remedy = "write `within_meters(..)` instead, or a sort, or";
    assert!(error.to_string().contains(remedy), "{error}");
    let by_id = Shop::find(&t.odm)
        .filter(near().max_distance_meters(50_000.0) & Shop::fields().id.lt(Id::from_key(9)))
        .sort(Shop::fields().id.desc());
    assert_eq!(by_id.page(1).await.unwrap().items.len(), 1);
}
