//! References to a field other than `_id`, whose value can change.

use std::time::Duration;

use mongo_odm::{Settings, Settle, prelude::*};
use odm_tests::Harness;

use crate::models::id;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "keyed_brands")]
struct Brand {
    #[serde(rename = "_id")]
    id: Id<Brand, i64>,
    #[index(unique)]
    number: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "keyed_lamps")]
struct Lamp {
    #[serde(rename = "_id")]
    id: Id<Lamp, i64>,
    #[index]
    #[parent_ref(to = "Brand.number", on_delete = "cascade", exists)]
    brand: i64,
    #[index]
    #[refs(many, to = "Brand.number", on_delete = "pull", exists)]
    fits: Vec<Option<i64>>,
}

#[tokio::test]
async fn changing_the_key_of_a_document_deletes_no_references() {
    let t = Harness::new("exists_key_changes").await;
    let settings = Settings::default()
        .grace(Duration::from_millis(100))
        .settle(Settle::Manual);
    let odm = Odm::new(t.odm.database().clone()).with_settings(settings);
    odm.sync_indexes()
        .only::<Brand>()
        .only::<Lamp>()
        .await
        .unwrap();
    let brands: Vec<Brand> = [(1, 7), (2, 9)]
        .map(|(number, key)| Brand {
            id: id(number),
            number: key,
        })
        .into();
    Brand::insert_many(&odm, &brands).await.unwrap();
    let lamp = |number, brand| Lamp {
        id: id(number),
        brand,
        fits: vec![None, Some(brand)],
    };
    let lamps = [lamp(1, 7), lamp(2, 9)];
    Lamp::insert_many(&odm, &lamps).await.unwrap();
    Brand::update(&odm, brands[0].id)
        .set(Brand::fields().number, 8)
        .await
        .unwrap();
    let leads_nowhere = async || {
        let drift = odm.verify().only::<Lamp>().await.unwrap();
        let found: Vec<_> = drift
            .items
            .iter()
            .map(|it| (it.id.clone(), it.pending))
            .collect();
        assert_eq!(
            found,
            [(1_i64.into(), false), (1_i64.into(), false)],
            "{drift}"
        );
    };
    leads_nowhere().await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(
        Lamp::find(&odm)
            .sort(Lamp::fields().id.asc())
            .await
            .unwrap(),
        lamps
    );
    leads_nowhere().await;
    // A delete applies its rule, even if an insert enqueued the job before.
    Lamp::insert(&lamp(3, 9), &odm).await.unwrap();
    Brand::delete(&odm, brands[1].id).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Lamp::find(&odm).await.unwrap(), lamps[..1]);
}
