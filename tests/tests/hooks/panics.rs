//! Hooks that panic.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_lamps", hooks)]
pub struct Lamp {
    #[serde(rename = "_id")]
    pub id: Id<Lamp, i64>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_bulbs")]
pub struct Bulb {
    #[serde(rename = "_id")]
    pub id: Id<Bulb, i64>,
    #[parent_ref]
    pub lamp: Id<Lamp, i64>,
    #[denorm(from = Lamp.name)]
    pub lamp_name: String,
}

impl Hooks for Lamp {
    async fn before_update(&self, _: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        assert!(*self.id.key() < 500, "the hook panics");
        Ok(())
    }

    async fn after_commit(&self, write: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        if *self.id.key() == 1 && write == Committed::Updated {
            called(format!("{write:?} lamp {}", self.name), odm).await?;
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_panic_in_a_later_batch_does_not_lose_the_work_of_earlier_ones() {
    let mut t = empty("hooks_panic_in_batch").await;
    let sync = t.odm.sync_indexes().only::<Lamp>().only::<Bulb>();
    sync.await.unwrap();
    // A job writes each copy. The jobs of all batches run together at the end.
    let settings = t.odm.settings().clone().inline_copies(0);
    t.odm = t.odm.with_settings(settings.settle(Settle::Manual));
    let old = || "old".to_owned();
    let lamp = |number: i64| Lamp {
        id: id(number),
        name: old(),
    };
    t.given(&(0..=500).map(lamp).collect::<Vec<_>>()).await;
    let bulb = Bulb {
        id: id(1),
        lamp: id(1),
        lamp_name: old(),
    };
    t.given(&[bulb]).await;
    let odm = t.odm.clone();
    let renamed = tokio::spawn(async move {
        let rename = Lamp::update_many(&odm, Filter::all());
        rename.set(Lamp::fields().name, "new").await
    });
    assert!(renamed.await.unwrap_err().is_panic());
    let fields = Lamp::fields();
    let new = Lamp::count(&t.odm).filter(fields.name.eq("new"));
    assert_eq!(new.await.unwrap(), 500);
    assert_eq!(calls(&t).await, ["Updated lamp new"]);
    assert_eq!(Bulb::get(&t.odm, id(1)).await.unwrap().lamp_name, "new");
}
