//! Limits for each owner, applied to the documents of an archive.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_racks", has_many(bottles = "Bottle.rack"))]
struct Rack {
    #[serde(rename = "_id")]
    id: Id<Rack, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_bottles", on_delete = "archive")]
struct Bottle {
    #[serde(rename = "_id")]
    id: Id<Bottle, i64>,
    #[parent_ref]
    rack: Id<Rack, i64>,
}

#[tokio::test]
async fn a_limit_for_each_owner_reads_the_deleted_documents_of_the_archive() {
    let t = Harness::long_declared("life_limits").await;
    let odm = &t.odm.with_settings(settings());
    odm.sync_indexes().only::<Bottle>().await.unwrap();
    let racks = [1, 2].map(|number| Rack { id: id(number) });
    t.given(&racks).await;
    let bottle = |number: i64| Bottle {
        id: id(number),
        rack: id(1 + number % 2),
    };
    t.given(&(1..=8).map(bottle).collect::<Vec<_>>()).await;
    for number in [1, 2, 4, 5, 7] {
        Bottle::delete(odm, id(number)).await.unwrap();
    }
    let newest = || {
        let join = Rack::join_bottles(&racks, odm);
        join.sort(Bottle::fields().id.desc())
    };
    let deleted = newest().only_deleted().limit_each(2).await.unwrap();
    let live = newest().limit_each(2).await.unwrap();
    let skipped = newest().only_deleted().skip_each(1).limit_each(1);
    let skipped = skipped.await.unwrap();
    for (rack, expected) in racks.iter().zip([
        [vec![4, 2], vec![8, 6], vec![2]],
        [vec![7, 5], vec![3], vec![5]],
    ]) {
        let found = [&deleted, &live, &skipped];
        let found = found.map(|joined| {
            joined
                .of(rack)
                .map(|it| it.id.into_key())
                .collect::<Vec<_>>()
        });
        assert_eq!(found, expected);
    }
    let counts = newest().only_deleted().count_each().await.unwrap();
    assert_eq!((counts.of(&racks[0]), counts.of(&racks[1])), (2, 3));
}
