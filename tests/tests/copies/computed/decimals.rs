//! Sums of `rust_decimal` values.

use rust_decimal::Decimal;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account, i32>,
    #[serde(with = "mongo_odm::with::native")]
    #[rollup(sum, of = "Booking", via = "account", field = "amount")]
    balance: Decimal,
    #[rollup(sum, of = "Booking", via = "account", field = "amount")]
    exact: Decimal128,
    #[rollup(average, of = "Booking", via = "account", field = "amount")]
    mean: Average,
    #[serde(default, with = "mongo_odm::with::native")]
    #[rollup(max, of = "Booking", via = "account", field = "amount")]
    largest: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "computed_bookings")]
struct Booking {
    #[serde(rename = "_id")]
    id: Id<Booking, i32>,
    #[parent_ref]
    account: Id<Account, i32>,
    #[serde(with = "mongo_odm::with::native")]
    amount: Decimal,
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

async fn expect(odm: &Odm, balance: &str, count: i64, largest: Option<&str>) {
    let account = Account::get(odm, Id::from_key(1)).await.unwrap();
    assert_eq!(account.balance, decimal(balance));
    assert_eq!(decimal(&account.exact.to_string()), decimal(balance));
    assert_eq!(account.mean.count, count);
    assert_eq!(account.largest, largest.map(decimal));
}

#[tokio::test]
async fn sums_of_decimals_follow_their_children() {
    let t = Harness::new("computed_decimals").await;
    let odm = &t.odm;
    let account = Account {
        id: Id::from_key(1),
        balance: decimal("99"),
        exact: "0".parse().unwrap(),
        mean: Average::default(),
        largest: None,
    };
    Account::insert(&account, odm).await.unwrap();
    expect(odm, "0", 0, None).await;
    let booking = |id, amount| Booking {
        id: Id::from_key(id),
        account: account.id,
        amount: decimal(amount),
    };
    let bookings = [booking(1, "10.10"), booking(2, "-3.35"), booking(3, "0.25")];
    Booking::insert_many(odm, &bookings).await.unwrap();
    expect(odm, "7.00", 3, Some("10.10")).await;
    let amount = Booking::fields().amount;
    let update = Booking::update(odm, bookings[0].id).set(amount, decimal("1.15"));
    update.await.unwrap();
    expect(odm, "-1.95", 3, Some("1.15")).await;
    Booking::delete(odm, bookings[1].id).await.unwrap();
    expect(odm, "1.40", 2, Some("1.15")).await;
}
