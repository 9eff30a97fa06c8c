//! Waiting for jobs of copies of copies, after another runner has run the first job.

use mongo_odm::bson::Bson;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_brands")]
struct Brand {
    #[serde(rename = "_id")]
    id: Id<Brand>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_articles")]
struct Article {
    #[serde(rename = "_id")]
    id: Id<Article>,
    #[parent_ref(on_delete = "cascade")]
    brand: Id<Brand>,
    #[denorm(from = Brand.name)]
    brand_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: Id<Offer>,
    #[parent_ref]
    article: Id<Article>,
    #[denorm(from = Article.brand_name, on_delete = "nullify")]
    brand_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: Id<Sale>,
    #[parent_ref]
    offer: Id<Offer>,
    #[denorm(from = Offer.brand_name)]
    brand_name: Option<String>,
}

const COPIES_IN_OFFERS: &str = "waiting_offers.article <- waiting_articles._id";
const COPIES_IN_SALES: &str = "waiting_sales.offer <- waiting_offers._id";

/// A brand, and one document of each further level of copies.
struct Chain {
    brand: Brand,
    article: Article,
    offer: Offer,
    sale: Sale,
}

impl Chain {
    async fn store(odm: &Odm) -> Self {
        let name = "old".to_owned();
        let brand = Brand {
            id: Id::new(),
            name: name.clone(),
        };
        let article = Article {
            id: Id::new(),
            brand: brand.id,
            brand_name: name.clone(),
        };
        let offer = Offer {
            id: Id::new(),
            article: article.id,
            brand_name: Some(name.clone()),
        };
        let sale = Sale {
            id: Id::new(),
            offer: offer.id,
            brand_name: Some(name),
        };
        brand.insert(odm).await.unwrap();
        article.insert(odm).await.unwrap();
        offer.insert(odm).await.unwrap();
        sale.insert(odm).await.unwrap();
        settle(odm).await;
        Self {
            brand,
            article,
            offer,
            sale,
        }
    }

    async fn rename(&self, odm: &Odm) -> Token {
        let rename = Brand::update(odm, self.brand.id).set(Brand::fields().name, "new");
        rename.deferred().await.unwrap().token().clone()
    }

    async fn name_in_sale(&self, odm: &Odm) -> Option<String> {
        Sale::get(odm, self.sale.id).await.unwrap().brand_name
    }

    /// Lets another program run all jobs except for one, which the test holds. Stops the program when that job is the
    /// only pending job of this chain.
    async fn run_all_but(&self, odm: &Odm, relation: &str, key: impl Into<Bson>) {
        let until = DateTime::from_millis(DateTime::now().timestamp_millis() + 25_000);
        let held = doc! { "relation": relation, "key": key.into() };
        let cursor = doc! { "_id": &held, "until": until, "token": 1_i64 };
        put(odm, "_odm_cursors", [cursor]).await;
        let runner = by_jobs(&another(odm));
        let running = tokio::spawn(async move { runner.run_pending_jobs().await });
        let ids: [Bson; 4] = [
            self.brand.id.into(),
            self.article.id.into(),
            self.offer.id.into(),
            self.sale.id.into(),
        ];
        let is_pending = |job: &Document| {
            let id = job.get_document("_id").unwrap();
            let is_of_chain = id.get("key").is_some_and(|key| ids.contains(key));
            // When the runner is stopped, it must not have a lease on another job of this relation.
            let is_beside = id.get_str("relation").unwrap() == relation;
            job.get_str("phase").unwrap() == "run" && (is_of_chain || is_beside)
        };
        loop {
            let mut left = jobs(odm).await;
            left.retain(is_pending);
            if left.len() == 1 && left[0].get_document("_id").unwrap() == &held {
                break;
            }
            assert!(!running.is_finished(), "{left:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        running.abort();
    }
}

async fn brands(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Brand>().only::<Article>();
    sync.only::<Offer>().only::<Sale>().await.unwrap();
    t
}

async fn waits_for(odm: &Odm, token: &Token, relation: &str) {
    let waiting = another(odm);
    let waited = waiting.wait(token).timeout(Duration::from_millis(300));
    let error = waited.await.unwrap_err();
    assert_eq!(pending(&error)[0].relation, relation, "{error}");
    waiting.finish_writes().await;
}

#[tokio::test]
async fn jobs_that_another_runner_has_stored_for_copies_of_copies_are_waited_for() {
    let t = brands("waiting_next_level").await;
    let (chain, other) = (Chain::store(&t.odm).await, Chain::store(&t.odm).await);
    let new = Some("new".to_owned());
    for (relation, key) in [
        (COPIES_IN_OFFERS, Bson::from(chain.article.id)),
        // In this case, the jobs of two levels have already run.
        (COPIES_IN_SALES, Bson::from(chain.offer.id)),
    ] {
        let of_other = other.rename(&t.odm).await;
        let token = chain.rename(&t.odm).await;
        chain.run_all_but(&t.odm, relation, key).await;
        assert_ne!(chain.name_in_sale(&t.odm).await, new);
        waits_for(&t.odm, &token, relation).await;
        // The test holds a job of another brand, so this wait succeeds.
        let program = another(&t.odm);
        let waited = program.wait(&of_other).timeout(Duration::from_secs(5));
        waited.await.unwrap();
        assert_eq!(other.name_in_sale(&t.odm).await, new);
        let_go(&t.odm).await;
        program.wait(&token).await.unwrap();
        assert_eq!(chain.name_in_sale(&t.odm).await, new, "{relation}");
        settle(&t.odm).await;
        for chain in [&chain, &other] {
            let back = Brand::update(&t.odm, chain.brand.id).set(Brand::fields().name, "old");
            back.await.unwrap();
        }
        settle(&t.odm).await;
    }
}

#[tokio::test]
async fn jobs_that_another_runner_has_stored_after_deletes_are_waited_for() {
    let t = brands("waiting_next_rule").await;
    let chain = Chain::store(&t.odm).await;
    let delete = Brand::delete(&t.odm, chain.brand.id).deferred();
    let deleted = delete.await.unwrap();
    let article = chain.article.id;
    // The job of the delete rule leaves the copies to another job, because one of them cannot be written.
    validate(
        &t.odm,
        "waiting_offers",
        doc! { "brand_name": { "$ne": null } },
    )
    .await;
    chain.run_all_but(&t.odm, COPIES_IN_OFFERS, article).await;
    assert_eq!(count(&t.odm, "waiting_articles", doc! {}).await, 0);
    validate(&t.odm, "waiting_offers", doc! {}).await;
    waits_for(&t.odm, deleted.token(), COPIES_IN_OFFERS).await;
    let_go(&t.odm).await;
    another(&t.odm).wait(deleted.token()).await.unwrap();
    assert_eq!(chain.name_in_sale(&t.odm).await, None);
    settle(&t.odm).await;
}
