//! Random writes that store numbers of several types in one field. After each write, the summaries are correct.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "types_lots")]
struct Lot {
    #[serde(rename = "_id")]
    id: Id<Lot, i32>,
    #[rollup(count, of = "Bid", via = "lot")]
    bids: i64,
    #[rollup(sum, of = "Bid", via = "lot", field = "amount")]
    total: f64,
    #[rollup(average, of = "Bid", via = "lot", field = "amount")]
    mean: Average,
    #[rollup(min, of = "Bid", via = "lot", field = "amount")]
    lowest: Option<f64>,
    #[rollup(max, of = "Bid", via = "lot", field = "amount")]
    highest: Option<f64>,
    #[recent(of = "Bid", via = "lot", sort = "amount", limit = 2, desc)]
    top: Vec<BidLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "types_bids")]
struct Bid {
    #[serde(rename = "_id")]
    id: Id<Bid, i32>,
    #[parent_ref]
    lot: Id<Lot, i32>,
    amount: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Bid")]
struct BidLine {
    #[serde(rename = "_id")]
    id: Id<Bid, i32>,
    amount: f64,
}

const LOTS: i32 = 2;
const BIDS: i32 = 6;

/// A small number of a random type. Small numbers are often equal, and sums of them are exact.
fn number(random: &mut fastrand::Rng) -> Bson {
    let number = random.i32(-3..6);
    match random.u8(0..3) {
        0 => number.into(),
        1 => i64::from(number).into(),
        _ => f64::from(number).into(),
    }
}

/// Sends a random write, and returns its description.
async fn write(odm: &Odm, random: &mut fastrand::Rng) -> String {
    let id = Id::<Bid, i32>::from_key(random.i32(0..BIDS));
    let lot = Id::<Lot, i32>::from_key(random.i32(0..LOTS));
    let number = number(random);
    let update = match random.u8(0..8) {
        0 | 1 => {
            let bid = Bid {
                id,
                lot,
                amount: f64::from(random.i32(-3..6)),
            };
            bid.save(odm).await.unwrap();
            return format!("save {bid:?}");
        }
        2 => {
            Bid::delete(odm, id).await.unwrap();
            return format!("delete {id:?}");
        }
        3 => doc! { "$inc": { "amount": number } },
        4 => doc! { "$max": { "amount": number } },
        5 => doc! { "$set": { "lot": lot, "amount": number } },
        _ => doc! { "$set": { "amount": number } },
    };
    let title = format!("update {id:?} {update}");
    if random.bool() {
        Bid::update(odm, id).with(update).await.unwrap();
        return title;
    }
    let some = Bid::update_many(odm, doc! { "_id": { "$gte": id } });
    some.with(update).await.unwrap();
    format!("{title} and all after it")
}

/// Asserts that each lot contains the values that follow from its bids.
async fn assert_lots(odm: &Odm, written: &[String]) {
    let all = Bid::find(odm).sort(Bid::fields().id.asc()).await.unwrap();
    for lot in Lot::find(odm).await.unwrap() {
        let mut own: Vec<&Bid> = all.iter().filter(|bid| bid.lot == lot.id).collect();
        let amounts: Vec<f64> = own.iter().map(|bid| bid.amount).collect();
        own.sort_by(|one, other| {
            let order = other.amount.total_cmp(&one.amount);
            order.then_with(|| other.id.key().cmp(one.id.key()))
        });
        let line = |bid: &&Bid| BidLine {
            id: bid.id,
            amount: bid.amount,
        };
        let values = (lot.bids, lot.total, lot.mean.sum, lot.mean.count);
        let (count, sum) = (i64::try_from(own.len()).unwrap(), amounts.iter().sum());
        assert_eq!(values, (count, sum, sum, count), "{lot:?}: {written:#?}");
        let extremes = (lot.lowest, lot.highest);
        let lowest = amounts.iter().copied().min_by(f64::total_cmp);
        let highest = amounts.iter().copied().max_by(f64::total_cmp);
        assert_eq!(extremes, (lowest, highest), "{lot:?}: {written:#?}");
        let top: Vec<BidLine> = own.iter().take(2).map(line).collect();
        assert_eq!(lot.top, top, "{written:#?}");
    }
}

#[tokio::test]
async fn summaries_of_numbers_of_several_types_are_right_after_each_write() {
    let t = empty("types").await;
    t.odm
        .sync_indexes()
        .only::<Lot>()
        .only::<Bid>()
        .await
        .unwrap();
    for (seed, (_, odm)) in (0..).zip(both_ways(&t.odm)) {
        for lot in 0..LOTS {
            let lot = doc! {
                "_id": lot, "bids": 0_i64, "total": 0.0, "mean": { "sum": 0.0, "count": 0_i64 },
                "lowest": null, "highest": null, "top": [],
            };
            let lots = odm.database().collection::<Document>("types_lots");
            let same = doc! { "_id": lot.get("_id") };
            lots.replace_one(same, lot).upsert(true).await.unwrap();
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let mut written = Vec::new();
        for _ in 0..150 {
            written.push(write(&odm, &mut random).await);
            assert_lots(&odm, &written).await;
        }
        Bid::delete_many(&odm, doc! {}).everything().await.unwrap();
    }
}
