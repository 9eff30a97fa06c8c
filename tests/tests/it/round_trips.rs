//! The number of statements that each call sends, which its plan also shows.

use mongo_odm::{
    Statement,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    sent::{commands, keys_of, only},
    shop::*,
};

#[tokio::test]
async fn a_join_of_a_thousand_owners_is_one_find() {
    let t = Harness::new("a_join_of_a_thousand_owners").await;
    let parts = parts(1_500);
    t.given(&parts).await;
    let products: Vec<Product> = (0..1_000_i64)
        .map(|number| {
            let at = usize::try_from(number).unwrap();
            product(number, [&parts[at], &parts[at + 500], &parts[0]])
        })
        .collect();
    t.forget();
    let joined = Product::join_parts(&products, &t.odm).await.unwrap();
    assert_eq!(
        t.recorder().names(),
        ["find"],
        "no `getMore`: the reply is complete"
    );
    assert_eq!(keys_of(&commands(&t, "find")[0], "_id").len(), 1_500);
    assert!(products.iter().all(|product| joined.of(product).len() == 3));
}

#[tokio::test]
async fn a_load_of_many_ids_needs_no_second_batch() {
    let t = Harness::new("a_load_of_many_ids").await;
    let parts = parts(1_999);
    t.given(&parts).await;
    t.forget();
    assert_eq!(
        product(1, &parts).load_parts(&t.odm).await.unwrap().len(),
        1_999
    );
    assert_eq!(t.recorder().names(), ["find"]);
    t.forget();
    let owner = host(1);
    t.given(&messages(&owner, 1_000)).await;
    t.forget();
    assert_eq!(owner.load_messages(&t.odm).await.unwrap().len(), 1_000);
    assert_eq!(t.recorder().names(), ["find"]);
    t.forget();
    assert_eq!(
        owner
            .load_messages(&t.odm)
            .limit(1_000)
            .await
            .unwrap()
            .len(),
        1_000
    );
    assert_eq!(t.recorder().names(), ["find"]);
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct PerMessage {
    message: Id<LogMsg>,
    number: i64,
}

#[tokio::test]
async fn an_aggregation_with_many_results_needs_no_second_batch() {
    let t = Harness::new("an_aggregation_with_many_results").await;
    t.given(&messages(&host(1), 150)).await;
    let groups = LogMsg::group_into::<PerMessage>(&t.odm)
        .by(|row| row.message, LogMsg::fields().id)
        .count(|row| row.number);
    let (groups, sent) = t.sent(async { groups.await.unwrap() }).await;
    assert_eq!(groups.len(), 150);
    assert_eq!(sent, ["aggregate"]);
    let all = LogMsg::aggregate::<Document>(&t.odm, [doc! { "$match": {} }]);
    let (all, sent) = t.sent(async { all.await.unwrap() }).await;
    assert_eq!(all.len(), 150);
    assert_eq!(sent, ["aggregate"]);
}

#[tokio::test]
async fn twenty_thousand_keys_are_two_finds() {
    let t = Harness::new("twenty_thousand_keys").await;
    let there = parts(3);
    t.given(&there).await;
    let mut products: Vec<Product> = (0..1_000).map(|number| product(number, [])).collect();
    for product in &mut products {
        product.parts = (0..20).map(|_| Id::new()).collect();
    }
    products[0].parts[..3].copy_from_slice(&[there[2].id, there[0].id, there[1].id]);
    t.forget();
    let joined = Product::join_parts(&products, &t.odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find", "find"]);
    let sizes: Vec<_> = commands(&t, "find")
        .iter()
        .map(|find| keys_of(find, "_id").len())
        .collect();
    assert_eq!(sizes, [10_000, 10_000]);
    assert!(
        joined
            .of(&products[0])
            .eq([&there[2], &there[0], &there[1]])
    );
    assert_eq!(joined.missing().len(), 19_997);
}

#[tokio::test]
async fn a_join_of_a_join_is_two_finds() {
    let t = Harness::new("a_join_of_a_join").await;
    let parts = parts(3);
    let products = [product(1, [&parts[0], &parts[1]]), product(2, [&parts[1]])];
    t.given(&parts).await;
    t.given(&products).await;
    t.forget();
    // Joins the products that use the parts, and then all parts of these products.
    let using = Part::join_products(&parts[..2], &t.odm).await.unwrap();
    let beside = Product::join_parts(using.documents(), &t.odm)
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["find", "find"]);
    let of_first: Vec<_> = using
        .of(&parts[0])
        .flat_map(|product| beside.of(product))
        .map(|part| &part.name)
        .collect();
    assert_eq!(of_first, [&parts[0].name, &parts[1].name]);
    assert_eq!(
        using
            .of(&parts[1])
            .flat_map(|product| beside.of(product))
            .count(),
        3
    );
}

/// Checks that the planned statements were sent: method, collection, filter, projection, sort, skip and limit.
fn assert_sent(t: &Harness, planned: &[Statement]) {
    let sent = t.recorder().commands();
    assert_eq!(planned.len(), sent.len());
    for (plan, sent) in planned.iter().zip(&sent) {
        let command = &sent.command;
        assert_eq!(plan.method, sent.name);
        let target = plan.collection.clone().map_or(Bson::Int32(1), Bson::String);
        assert_eq!(command.get(plan.method), Some(&target));
        if plan.method == "aggregate" {
            assert_eq!(plan.arguments.first(), command.get("pipeline"));
            continue;
        }
        assert_eq!(plan.arguments.first(), command.get("filter"));
        assert_eq!(plan.arguments.get(1), command.get("projection"));
        for option in ["sort", "skip", "limit", "hint"] {
            let planned = plan.chain.iter().find(|(name, _)| *name == option);
            assert_eq!(
                planned.map(|(_, value)| value.to_string()),
                command.get(option).map(ToString::to_string),
                "{option}"
            );
        }
        let collation = plan.chain.iter().any(|(name, _)| *name == "collation");
        assert_eq!(collation, command.contains_key("collation"));
    }
}

/// Runs each call after its plan, and compares the two.
macro_rules! planned {
    ($t:ident, $($call:expr),* $(,)?) => {$({
        let plan = $call.plan().unwrap();
        $t.forget();
        let _ = $call.await.unwrap();
        assert_sent(&$t, &plan.statements);
    })*};
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "stickers")]
struct Sticker {
    #[serde(rename = "_id")]
    id: Id<Sticker>,
    #[refs(one, to = "Part.partno")]
    part: String,
}

#[tokio::test]
async fn a_plan_is_what_is_sent() {
    let t = Harness::new("a_plan_is_what_is_sent").await;
    let parts = parts(3);
    let products = [product(1, &parts), product(2, [])];
    let hosts = [host(1), host(2)];
    let task = Task {
        id: Id::new(),
        description: "plan".into(),
        due_date: DateTime::from_millis(0),
        owner: Id::new(),
    };
    let sticker = Sticker {
        id: Id::new(),
        part: parts[1].partno.clone(),
    };
    t.given(&parts).await;
    t.given(&products).await;
    t.given(&messages(&hosts[0], 4)).await;
    let (odm, product) = (&t.odm, &products[0]);
    let newest = || LogMsg::fields().time.desc();
    let cheap = || Part::fields().price.asc();
    planned!(
        t,
        product.load_parts(odm),
        product.load_parts(odm).select::<PartName>(),
        product.load_parts(odm).skip(1).limit(1),
        product
            .load_parts(odm)
            .filter(Part::fields().qty.gt(3))
            .sort(cheap())
            .skip(1)
            .limit(2),
        product
            .load_parts(odm)
            .options(|options| options.hint = Some(hint())),
        products[1].load_parts(odm),
        parts[0].load_products(odm).limit(5),
        task.load_owner(odm),
        sticker.load_part(odm),
        Product::join_parts(&products, odm),
        Product::join_parts(&products, odm)
            .select::<PartName>()
            .sort(cheap()),
        Product::join_parts(&products, odm).limit_each(2),
        Product::join_parts(&products[1..], odm),
        Part::join_products(&parts, odm),
        Host::join_messages(&hosts, odm).filter(LogMsg::fields().message.ne("x")),
        Host::join_messages(&hosts, odm)
            .sort(newest())
            .limit_each(2),
        Host::join_messages(&hosts, odm)
            .select::<LogLine>()
            .sort(newest())
            .limit_each(2),
        Host::join_messages(&hosts, odm).limit_each(0),
        Host::join_messages(&hosts, odm).count_each(),
        Part::join_products(&parts, odm).count_each(),
        Product::join_parts(&products, odm).count_each(),
        Task::join_owner([&task], odm),
        Sticker::join_part([&sticker], odm),
        hosts[0].load_messages(odm).sort(newest()).limit(2),
        hosts[0].count_messages(odm),
    );
}

fn hint() -> mongo_odm::mongodb::options::Hint {
    mongo_odm::mongodb::options::Hint::Keys(doc! { "_id": 1 })
}

#[tokio::test]
async fn a_plan_reads_like_mongosh() {
    let t = Harness::new("a_plan_reads_like_mongosh").await;
    let parts = parts(2);
    let product = product(1, &parts);
    let host = host(1);
    let plan = product
        .load_parts(&t.odm)
        .select::<PartName>()
        .sort(Part::fields().name.asc())
        .limit(3);
    let [first, second] = [parts[0].id, parts[1].id];
    assert_eq!(
        plan.plan().unwrap().to_string(),
        format!(
            "db.parts.find({{ _id: {{ $in: [ObjectId(\"{first}\"), ObjectId(\"{second}\")] }} }}, \
             {{ name: 1, _id: 1 }}).sort({{ name: 1 }}).limit(3)"
        )
    );
    let plan = Host::join_messages([&host], &t.odm)
        .plan()
        .unwrap()
        .to_string();
    assert_eq!(
        plan,
        format!("db.logmsg.find({{ host: ObjectId(\"{}\") }})", host.id)
    );
    let plan = Host::join_messages([&host], &t.odm)
        .limit_each(2)
        .plan()
        .unwrap()
        .to_string();
    assert!(
        plan.starts_with("db.aggregate([{ $documents: [{ k: { $literal: ObjectId("),
        "{plan}"
    );
    assert_eq!(t.recorder().names(), [""; 0], "a plan sends nothing");
}

#[tokio::test]
async fn each_call_of_a_relation_is_one_round_trip() {
    let t = Harness::new("each_call_of_a_relation").await;
    let parts = parts(2);
    let product = product(1, &parts);
    t.given(&parts).await;
    let odm = &t.odm;
    t.forget();
    product.load_parts(odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["find"]);
    product.load_parts(odm).slots().await.unwrap();
    assert_eq!(t.recorder().names(), ["find"; 2]);
    product.load_parts(odm).require_all().await.unwrap();
    assert_eq!(t.recorder().names(), ["find"; 3]);
    t.forget();
    assert!(product.load_parts(odm).missing().await.unwrap().is_empty());
    let keys_alone = doc! { "_id": 1 };
    assert_eq!(
        only(&t, "find").get_document("projection").unwrap(),
        &keys_alone
    );
    t.forget();
    assert_eq!(product.count_parts(odm).await.unwrap(), 2);
    assert_eq!(t.recorder().names(), ["aggregate"]);
    t.forget();
    let joined = Product::join_parts([&product], odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(
        joined.of(&product).len() + joined.slots_of(&product).len(),
        4
    );
    assert_eq!(
        t.recorder().names(),
        ["find"],
        "a result answers from memory"
    );
}
