//! Summaries and copies of fields whose paths contain numbers.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use crate::models::{assert_verified, board, id};

/// A printer, with counts of the flyers whose first element matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_printers")]
struct Printer {
    #[serde(rename = "_id")]
    id: Id<Printer, i64>,
    #[rollup(count, of = Flyer, via = printer, filter = "Flyer::urgent")]
    urgent: i64,
    #[rollup(count, of = Flyer, via = printer, filter = "Flyer::large")]
    large: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_flyers")]
struct Flyer {
    #[serde(rename = "_id")]
    id: Id<Flyer, i64>,
    #[parent_ref]
    printer: Id<Printer, i64>,
    tags: Vec<String>,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    qty: i64,
}

impl Flyer {
    fn urgent() -> Filter<Self> {
        Self::fields().tags.at::<0>().eq("urgent")
    }

    fn large() -> Filter<Self> {
        Self::fields().lines.at::<0>().qty.gt(100)
    }
}

fn tags(all: &[&str]) -> Vec<String> {
    all.iter().map(|tag| (*tag).to_owned()).collect()
}

fn lines(all: &[i64]) -> Vec<Line> {
    all.iter().map(|qty| Line { qty: *qty }).collect()
}

/// Opens a database with one flyer, which matches neither condition.
async fn flyer(test: &str) -> Harness {
    let t = board(test).await;
    let sync = t.odm.sync_indexes().only::<Printer>().only::<Flyer>();
    sync.await.unwrap();
    let printer = Printer {
        id: id(1),
        urgent: 0,
        large: 0,
    };
    t.given(&[printer]).await;
    let flyer = Flyer {
        id: id(1),
        printer: id(1),
        tags: tags(&["calm", "urgent"]),
        lines: lines(&[5, 500]),
    };
    t.given(&[flyer]).await;
    assert_counts(&t, (0, 0)).await;
    t
}

async fn assert_counts(t: &Harness, expected: (i64, i64)) {
    let printer: Printer = Printer::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((printer.urgent, printer.large), expected);
}

#[tokio::test]
async fn a_count_with_a_condition_on_one_element_follows_updates_of_the_array() {
    let t = flyer("life_elements").await;
    let update = || Flyer::update(&t.odm, id(1));
    let all = Flyer::fields().tags;
    let first = all.at::<0>();
    update().set(all, tags(&["urgent", "calm"])).await.unwrap();
    assert_counts(&t, (1, 0)).await;
    update().set(all, tags(&["calm"])).await.unwrap();
    assert_counts(&t, (0, 0)).await;
    update().set(first, "urgent").await.unwrap();
    assert_counts(&t, (1, 0)).await;
    update().pull(all, "urgent").await.unwrap();
    assert_counts(&t, (0, 0)).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_verified(&t.odm).await;
}

#[tokio::test]
async fn a_count_with_a_condition_inside_one_element_follows_updates_of_the_array() {
    let t = flyer("life_elements_inside").await;
    let update = || Flyer::update(&t.odm, id(1));
    let all = Flyer::fields().lines;
    let (first, every) = (all.at::<0>().qty, all.every().qty);
    update().set(all, lines(&[500, 5])).await.unwrap();
    assert_counts(&t, (0, 1)).await;
    update().inc(first, -450).await.unwrap();
    assert_counts(&t, (0, 0)).await;
    update().inc(every, 100).await.unwrap();
    assert_counts(&t, (0, 1)).await;
    update().set(all, lines(&[])).await.unwrap();
    assert_counts(&t, (0, 0)).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_verified(&t.odm).await;
}

/// A region with a field whose stored name consists of digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_regions")]
struct Region {
    #[serde(rename = "_id")]
    id: Id<Region, i64>,
    #[parent_ref]
    country: Id<Country, i64>,
    #[serde(rename = "2024")]
    sales: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_offices")]
struct Office {
    #[serde(rename = "_id")]
    id: Id<Office, i64>,
    #[refs(one)]
    region: Id<Region, i64>,
    #[denorm(from = Region.sales, via = region)]
    sales: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_countries")]
struct Country {
    #[serde(rename = "_id")]
    id: Id<Country, i64>,
    #[rollup(sum, of = Region, via = country, field = sales)]
    sales: i64,
}

#[tokio::test]
async fn copies_and_sums_follow_a_field_whose_name_consists_of_digits() {
    let t = board("life_digits").await;
    let sync = t.odm.sync_indexes().only::<Region>().only::<Office>();
    sync.only::<Country>().await.unwrap();
    t.given(&[Country {
        id: id(1),
        sales: 0,
    }])
    .await;
    let region = |number| Region {
        id: id(number),
        country: id(1),
        sales: number,
    };
    t.given(&[region(1), region(2)]).await;
    t.given(&[Office {
        id: id(1),
        region: id(1),
        sales: None,
    }])
    .await;
    let sales = async || {
        let office: Office = Office::get(&t.odm, id(1)).await.unwrap();
        let country: Country = Country::get(&t.odm, id(1)).await.unwrap();
        (office.sales, country.sales)
    };
    assert_eq!(sales().await, (Some(1), 3));
    let fields = Region::fields();
    Region::update(&t.odm, id(1))
        .set(fields.sales, 10)
        .await
        .unwrap();
    assert_eq!(sales().await, (Some(10), 12));
    Region::update_many(&t.odm, Filter::all())
        .inc(fields.sales, 5)
        .await
        .unwrap();
    assert_eq!(sales().await, (Some(15), 22));
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(sales().await, (Some(15), 22));
    assert_verified(&t.odm).await;
}
