//! The examples of "6 Rules of Thumb for `MongoDB` Schema Design", document by document.

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    sent::{commands, keys_of, number, only, stored},
    shop::*,
};

/// The person of the article, with a social security number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "person")]
struct Citizen {
    #[serde(rename = "_id")]
    id: Id<Citizen>,
    name: String,
    ssn: String,
    #[embed(max = 2)]
    addresses: Vec<Address>,
}

fn address(street: &str, city: &str) -> Address {
    Address {
        street: street.into(),
        city: city.into(),
        cc: "USA".into(),
    }
}

fn kate() -> Citizen {
    Citizen {
        id: Id::new(),
        name: "Kate Monster".into(),
        ssn: "123-456-7890".into(),
        addresses: vec![
            address("123 Sesame St", "Anytown"),
            address("123 Avenue Q", "New York"),
        ],
    }
}

fn grommet(number: i64) -> Part {
    Part {
        partno: format!("123-aff-{}", 452 + number),
        name: format!("#{number} grommet"),
        ..part(number)
    }
}

fn smoke_shifter(parts: &[Part]) -> Product {
    Product {
        name: "left-handed smoke shifter".into(),
        ..product(1234, parts)
    }
}

#[tokio::test]
async fn s01_embed_one_to_few() {
    let t = Harness::new("s01_embed_one_to_few").await;
    let kate = kate();
    kate.insert(&t.odm).await.unwrap();

    let stored = stored(&t, "person", doc! {}).await;
    let fields: Vec<_> = stored
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    assert_eq!(
        fields,
        [
            ("_id", Bson::ObjectId(*kate.id.key())),
            ("name", Bson::from("Kate Monster")),
            ("ssn", Bson::from("123-456-7890")),
            (
                "addresses",
                Bson::Array(vec![
                    doc! { "street": "123 Sesame St", "city": "Anytown", "cc": "USA" }.into(),
                    doc! { "street": "123 Avenue Q", "city": "New York", "cc": "USA" }.into(),
                ])
            ),
        ]
    );

    let in_new_york = Citizen::fields().addresses.city.eq("New York");
    let (found, sent) = t
        .sent(async { Citizen::find(&t.odm).filter(in_new_york).await.unwrap() })
        .await;
    assert_eq!(found, [kate]);
    assert_eq!(sent, ["find"]);
}

#[tokio::test]
async fn s02_child_references_and_application_join() {
    let t = Harness::new("s02_child_references").await;
    let parts = [grommet(4), grommet(5), grommet(6)];
    let shifter = smoke_shifter(&parts);
    t.given(&parts).await;
    t.given(std::slice::from_ref(&shifter)).await;
    t.given(&[product(1235, [])]).await;

    assert_eq!(
        stored(&t, "parts", doc! { "partno": "123-aff-456" }).await,
        doc! {
            "_id": parts[0].id, "partno": "123-aff-456", "name": "#4 grommet",
            "qty": 94_i64, "cost": 0.94, "price": 3.99,
        }
    );
    assert_eq!(
        stored(&t, "products", doc! { "catalog_number": 1234 }).await,
        doc! {
            "_id": shifter.id, "name": "left-handed smoke shifter", "manufacturer": "Acme Corp",
            "catalog_number": 1234_i64, "parts": [parts[0].id, parts[1].id, parts[2].id],
        }
    );

    t.forget();
    let by_number = Product::fields().catalog_number.eq(1234);
    let found = Product::find_one(&t.odm)
        .filter(by_number)
        .await
        .unwrap()
        .unwrap();
    let product_parts = found.load_parts(&t.odm).await.unwrap();
    assert_eq!(found, shifter);
    assert_eq!(product_parts, parts);
    assert_eq!(t.recorder().names(), ["find", "find"]);
    let finds = commands(&t, "find");
    assert_eq!(
        finds[0].get_document("filter").unwrap(),
        &doc! { "catalog_number": 1234_i64 }
    );
    assert_eq!(finds[1].get_str("find").unwrap(), "parts");
    let mut ids: Vec<_> = parts.iter().map(|part| Bson::from(part.id)).collect();
    ids.sort_by_key(ToString::to_string);
    assert_eq!(
        finds[1].get_document("filter").unwrap(),
        &doc! { "_id": { "$in": ids } }
    );
}

#[tokio::test]
async fn s03_many_to_many_without_join_table() {
    let t = Harness::new("s03_many_to_many").await;
    let parts = [grommet(4), grommet(5), grommet(6)];
    let products = [
        product(1, [&parts[0], &parts[1]]),
        product(2, [&parts[1], &parts[0]]),
        product(3, [&parts[1]]),
    ];
    t.given(&parts).await;
    t.given(&products).await;
    t.forget();
    let from_products = Product::join_parts(&products, &t.odm).await.unwrap();
    let from_parts = Part::join_products(&parts, &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find", "find"]);

    let of_product = |at: usize| from_products.of(&products[at]).cloned().collect::<Vec<_>>();
    assert_eq!(of_product(0), [parts[0].clone(), parts[1].clone()]);
    assert_eq!(of_product(1), [parts[1].clone(), parts[0].clone()]);
    assert_eq!(of_product(2), [parts[1].clone()]);
    let of_part = |at: usize| {
        let mut numbers: Vec<_> = from_parts
            .of(&parts[at])
            .map(|found| found.catalog_number)
            .collect();
        numbers.sort_unstable();
        numbers
    };
    assert_eq!(
        [of_part(0), of_part(1), of_part(2)],
        [vec![1, 2], vec![1, 2, 3], vec![]]
    );
    let loaded = parts[0]
        .load_products(&t.odm)
        .sort(Product::fields().catalog_number.asc());
    assert_eq!(loaded.await.unwrap(), products[..2]);
}

#[tokio::test]
async fn s03_two_way_references_are_read_from_both_sides() {
    let t = Harness::new("s03_two_way").await;
    let kate_id = Id::new();
    let task = |description: &str, day: i64| Task {
        id: Id::new(),
        description: description.into(),
        due_date: DateTime::from_millis(1_396_310_400_000 + day * 86_400_000),
        owner: kate_id,
    };
    let tasks = [
        task("Write lesson plan", 0),
        task("Teach class", 1),
        task("Grade papers", 2),
    ];
    let kate = Person {
        id: kate_id,
        name: "Kate Monster".into(),
        addresses: vec![],
        tasks: tasks.iter().map(|task| task.id).rev().collect(),
    };
    t.given(&tasks).await;
    t.given(std::slice::from_ref(&kate)).await;
    t.forget();
    let mut loaded = kate.load_tasks(&t.odm).await.unwrap();
    loaded.reverse();
    assert_eq!(loaded, tasks);
    assert_eq!(
        tasks[1].load_owner(&t.odm).await.unwrap(),
        Some(kate.clone())
    );
    let owners = Task::join_owner(&tasks, &t.odm).await.unwrap();
    assert_eq!(owners.len(), 1);
    assert!(tasks.iter().all(|task| owners.one_of(task) == Some(&kate)));
    assert_eq!(t.recorder().names(), ["find", "find", "find"]);
}

#[tokio::test]
async fn s04_parent_reference_newest_5000() {
    let t = Harness::new("s04_parent_reference").await;
    let hosts = [
        Host {
            name: "goofy.example.com".into(),
            ..host(66)
        },
        host(67),
    ];
    let all = messages(&hosts[0], 5_100);
    t.given(&hosts).await;
    t.given(&all).await;
    t.given(&messages(&hosts[1], 10)).await;
    t.forget();
    let by_address = Host::fields().ipaddr.eq("127.66.66.66");
    let goofy = Host::find_one(&t.odm)
        .filter(by_address)
        .require()
        .await
        .unwrap();
    assert_eq!(goofy, hosts[0]);

    t.forget();
    let newest = LogMsg::fields().time.desc();
    let last = goofy
        .load_messages(&t.odm)
        .sort(newest)
        .limit(5_000)
        .await
        .unwrap();
    assert!(last.iter().eq(all.iter().rev().take(5_000)));
    let find = only(&t, "find");
    assert_eq!(find.get_str("find").unwrap(), "logmsg");
    assert_eq!(
        find.get_document("filter").unwrap(),
        &doc! { "host": goofy.id }
    );
    assert_eq!(find.get_document("sort").unwrap(), &doc! { "time": -1 });
    assert_eq!(number(&find, "limit"), Some(5_000));

    let newest = LogMsg::fields().time.desc();
    let stream = goofy
        .load_messages(&t.odm)
        .sort(newest)
        .limit(5_000)
        .select::<LogLine>()
        .stream();
    let streamed: Vec<LogLine> = stream.try_collect().await.unwrap();
    let times = |time: &DateTime| time.timestamp_millis();
    let expected = all
        .iter()
        .rev()
        .take(5_000)
        .map(|message| times(&message.time));
    assert!(streamed.iter().map(|line| times(&line.time)).eq(expected));
}

#[tokio::test]
async fn s11_projection_in_joins() {
    let t = Harness::new("s11_projection_in_joins").await;
    let parts = [grommet(4), grommet(5)];
    let shifter = smoke_shifter(&parts);
    t.given(&parts).await;
    let names = |found: &[PartName]| {
        found
            .iter()
            .map(|part| part.name.clone())
            .collect::<Vec<_>>()
    };
    let sent = |t: &Harness| -> Document {
        let find = only(t, "find");
        assert_eq!(keys_of(&find, "_id").len(), 2);
        find.get_document("projection").unwrap().clone()
    };

    t.forget();
    let loaded: Vec<PartName> = shifter
        .load_parts(&t.odm)
        .select::<PartName>()
        .await
        .unwrap();
    assert_eq!(names(&loaded), ["#4 grommet", "#5 grommet"]);
    // The projection also contains the id, because it is the key of the join.
    assert_eq!(sent(&t), doc! { "name": 1, "_id": 1 });

    t.forget();
    let joined = Product::join_parts([&shifter], &t.odm)
        .select::<PartName>()
        .await
        .unwrap();
    let of_shifter: Vec<PartName> = joined.of(&shifter).cloned().collect();
    assert_eq!(names(&of_shifter), ["#4 grommet", "#5 grommet"]);
    assert_eq!(sent(&t), doc! { "name": 1, "_id": 1 });
}

/// An account with an optional number. Orders refer to accounts by this number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_accounts")]
struct Numbered {
    #[serde(rename = "_id")]
    id: Id<Numbered>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "seed_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order>,
    #[refs(one, to = "Numbered.number")]
    account: Option<i32>,
}

/// The library's join returns the result of a `$lookup` without its traps: in a `$lookup`, a null key matches every
/// account without a number, and the result overwrites a field with the same name.
#[tokio::test]
async fn s16_join_instead_of_lookup() {
    let t = Harness::new("s16_join_instead_of_lookup").await;
    let numbered = |number| Numbered {
        id: Id::new(),
        number,
    };
    let order = |account| Order {
        id: Id::new(),
        account,
    };
    let accounts = [
        numbered(Some(1)),
        numbered(Some(2)),
        numbered(None),
        numbered(None),
    ];
    let orders = [
        order(Some(2)),
        order(Some(1)),
        order(Some(2)),
        order(Some(9)),
        order(None),
    ];
    t.given(&accounts).await;
    t.given(&orders).await;
    let lookup = doc! { "$lookup": {
        "from": "seed_accounts", "localField": "account", "foreignField": "number", "as": "found",
    } };
    let looked_up = Order::aggregate(&t.odm, [doc! { "$sort": { "_id": 1 } }, lookup]);
    let looked_up: Vec<Document> = looked_up.await.unwrap();
    t.forget();
    let joined = Order::join_account(&orders, &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    let mut sorted = orders.to_vec();
    sorted.sort_by_key(|order| *order.id.key());
    for (order, looked_up) in sorted.iter().zip(&looked_up) {
        let found = looked_up.get_array("found").unwrap();
        let joined = joined.one_of(order).map(|account| Bson::from(account.id));
        if order.account.is_none() {
            assert_eq!((found.len(), joined), (2, None), "a null refers to nobody");
            continue;
        }
        let first = found
            .first()
            .map(|it| it.as_document().unwrap().get("_id").unwrap());
        assert_eq!(joined.as_ref(), first);
    }
}
