//! A plan shows the statements that a builder would send, and sends nothing.

use mongo_odm::{Filter, bson::oid::ObjectId, prelude::*};
use odm_tests::{Harness, shop::*};

fn id() -> Id<Part> {
    Id::from_key("0123456789abcdef01234567".parse::<ObjectId>().unwrap())
}

fn a_part() -> Part {
    Part {
        id: id(),
        partno: "1-aff".to_owned(),
        name: "\"a\"".to_owned(),
        qty: 2,
        cost: 0.5,
        price: 4.0,
    }
}

#[tokio::test]
async fn the_plan_of_a_query_is_a_line_for_mongosh() {
    let t = Harness::new("plans_query").await;
    let (odm, part) = (&t.odm, Part::fields());
    let find = Part::find(odm)
        .filter(part.qty.gte(1))
        .filter(part.name.ne("x"))
        .sort(part.price.desc())
        .sort(part.name.asc())
        .skip(5)
        .limit(10)
        .hint(doc! { "partno": 1 });
    assert_eq!(
        find.plan().unwrap().to_string(),
        r#"db.parts.find({ $and: [{ qty: { $gte: NumberLong("1") } }, { name: { $ne: "x" } }] }).sort({ price: -1, name: 1 }).skip(5).limit(10).hint({ partno: 1 })"#
    );
    assert_eq!(
        Part::find(odm).plan().unwrap().to_string(),
        "db.parts.find({})"
    );
    assert_eq!(
        Part::find(odm)
            .select::<PartName>()
            .plan()
            .unwrap()
            .to_string(),
        "db.parts.find({}, { name: 1, _id: 0 })"
    );
    assert_eq!(
        Part::get(odm, id()).plan().unwrap().to_string(),
        r#"db.parts.find({ _id: ObjectId("0123456789abcdef01234567") }).limit(-1)"#
    );
    assert_eq!(
        Part::find_one(odm)
            .filter(part.price.lt(0.5))
            .sort(part.qty.asc())
            .plan()
            .unwrap()
            .to_string(),
        "db.parts.find({ price: { $lt: 0.5 } }).sort({ qty: 1 }).limit(-1)"
    );
    assert_eq!(
        Part::exists(odm)
            .filter(part.qty.eq(1))
            .plan()
            .unwrap()
            .to_string(),
        r#"db.parts.find({ qty: NumberLong("1") }, { _id: 1 }).limit(-1)"#
    );
    assert_eq!(
        Part::count(odm)
            .filter(part.qty.eq(1))
            .limit(9)
            .plan()
            .unwrap()
            .to_string(),
        r#"db.parts.countDocuments({ qty: NumberLong("1") }, { limit: NumberLong("9") })"#
    );
    assert_eq!(
        Part::count(odm).plan().unwrap().to_string(),
        "db.parts.countDocuments({})"
    );
    assert_eq!(
        Part::distinct(odm, part.name).plan().unwrap().to_string(),
        r#"db.parts.distinct("name")"#
    );
    assert_eq!(
        Part::distinct(odm, part.name)
            .filter(part.cost.gt(1.0))
            .plan()
            .unwrap()
            .to_string(),
        r#"db.parts.distinct("name", { cost: { $gt: Double(1) } })"#
    );
    let pipeline = [doc! { "$match": { "a.b": true } }, doc! { "$count": "n" }];
    assert_eq!(
        Part::aggregate::<mongo_odm::bson::Document>(odm, pipeline)
            .plan()
            .unwrap()
            .to_string(),
        r#"db.parts.aggregate([{ $match: { "a.b": true } }, { $count: "n" }])"#
    );
    assert_eq!(
        Part::find(odm)
            .sort(part.name.asc())
            .page(2)
            .plan()
            .unwrap()
            .to_string(),
        "db.parts.find({}).sort({ name: 1, _id: 1 }).limit(3)"
    );
    assert_eq!(t.recorder().commands().len(), 0, "{}", t.recorder());
}

#[tokio::test]
async fn the_plan_of_a_write_is_a_line_for_mongosh() {
    let t = Harness::new("plans_write").await;
    let (odm, part) = (&t.odm, Part::fields());
    let document = r#"{ _id: ObjectId("0123456789abcdef01234567"), partno: "1-aff", name: "\"a\"", qty: NumberLong("2"), cost: 0.5, price: Double(4) }"#;
    let by_id = r#"{ _id: ObjectId("0123456789abcdef01234567") }"#;
    let one = a_part();
    let text = |plan: mongo_odm::Result<mongo_odm::Plan>| plan.unwrap().to_string();
    assert_eq!(
        text(one.insert(odm).plan()),
        format!("db.parts.insertOne({document})")
    );
    assert_eq!(
        text(Part::insert_many(odm, [&one, &one]).plan()),
        format!("db.parts.insertMany([{document}, {document}])")
    );
    assert_eq!(
        text(Part::insert_many(odm, [&one]).unordered().plan()),
        format!("db.parts.insertMany([{document}], {{ ordered: false }})")
    );
    assert_eq!(text(Part::insert_many(odm, []).plan()), "");
    assert_eq!(
        text(one.save(odm).plan()),
        format!("db.parts.replaceOne({by_id}, {document}, {{ upsert: true }})")
    );
    assert_eq!(
        text(one.replace(odm).plan()),
        format!("db.parts.replaceOne({by_id}, {document})")
    );
    assert_eq!(
        text(
            Part::update(odm, id())
                .set(part.name, "b")
                .inc(part.qty, -1)
                .plan()
        ),
        format!(
            r#"db.parts.updateOne({by_id}, {{ $set: {{ name: "b" }}, $inc: {{ qty: NumberLong("-1") }} }})"#
        )
    );
    assert_eq!(
        text(
            Part::update_many(odm, part.qty.is_in([1, 2]))
                .with(doc! { "$unset": { "name": "" } })
                .plan()
        ),
        r#"db.parts.updateMany({ qty: { $in: [NumberLong("1"), NumberLong("2")] } }, { $unset: { name: "" } })"#
    );
    let filtered = Part::update(odm, id())
        .with(doc! { "$set": { "lines.$[l].n": 1 } })
        .array_filter(doc! { "l.n": 0 });
    assert_eq!(
        text(filtered.plan()),
        format!(
            r#"db.parts.updateOne({by_id}, {{ $set: {{ "lines.$[l].n": 1 }} }}, {{ arrayFilters: [{{ "l.n": 0 }}] }})"#
        )
    );
    assert_eq!(
        text(
            Part::update(odm, id())
                .modifications(vec![doc! { "$unset": "name" }])
                .plan()
        ),
        format!(r#"db.parts.updateOne({by_id}, [{{ $unset: "name" }}])"#)
    );
    assert_eq!(
        text(
            Part::upsert(odm, part.name.eq("a"))
                .set(part.cost, 1.0)
                .set(part.price, 2.0)
                .inc(part.qty, 1)
                .set_on_insert(part.partno, "1")
                .plan()
        ),
        r#"db.parts.updateOne({ name: "a" }, { $set: { cost: Double(1), price: Double(2) }, $inc: { qty: NumberLong("1") }, $setOnInsert: { partno: "1" } }, { upsert: true })"#
    );
    assert_eq!(t.recorder().commands().len(), 0, "{}", t.recorder());
}

#[tokio::test]
async fn the_plan_of_an_update_or_a_delete_shows_its_options() {
    let t = Harness::new("plans_options").await;
    let (odm, part) = (&t.odm, Part::fields());
    let by_id = r#"{ _id: ObjectId("0123456789abcdef01234567") }"#;
    let text = |plan: mongo_odm::Result<mongo_odm::Plan>| plan.unwrap().to_string();
    let found = Part::find_one_and_update(odm, part.name.eq("a")).set(part.cost, 1.0);
    assert_eq!(
        text(found.plan()),
        r#"db.parts.findOneAndUpdate({ name: "a" }, { $set: { cost: Double(1) } })"#
    );
    let found = Part::find_one_and_update(odm, part.name.eq("a"))
        .set(part.cost, 1.0)
        .sort(part.qty.asc())
        .select::<PartName>()
        .return_new();
    assert_eq!(
        text(found.plan()),
        r#"db.parts.findOneAndUpdate({ name: "a" }, { $set: { cost: Double(1) } }, { sort: { qty: 1 }, projection: { name: 1, _id: 0 }, returnNewDocument: true })"#
    );
    assert_eq!(
        text(Part::delete(odm, id()).plan()),
        format!("db.parts.deleteOne({by_id})")
    );
    assert_eq!(
        text(Part::delete_many(odm, part.name.is_missing()).plan()),
        "db.parts.deleteMany({ name: { $exists: false } })"
    );
    assert_eq!(
        text(Part::delete_many(odm, Filter::all()).everything().plan()),
        "db.parts.deleteMany({})"
    );
    let push = Person::update(odm, Id::new());
    let push = push.push(Person::fields().addresses, Address::number(1));
    let push = push.plan().unwrap().to_string();
    assert!(
        push.contains(r#", { "addresses.2": { $exists: false } }] }, { $push: "#),
        "{push}"
    );
    assert_eq!(t.recorder().commands().len(), 0, "{}", t.recorder());
}

#[tokio::test]
async fn a_plan_fails_as_the_builder_would() {
    let t = Harness::new("plans_errors").await;
    assert!(Part::update(&t.odm, id()).plan().is_err());
    assert!(Part::delete_many(&t.odm, Filter::all()).plan().is_err());
    let addresses = (0..4).map(Address::number);
    assert!(
        Person::update(&t.odm, Id::new())
            .push_all(Person::fields().addresses, addresses)
            .plan()
            .is_err()
    );
    assert_eq!(t.recorder().commands().len(), 0);
}

#[derive(Serialize, Deserialize, Model)]
#[model(collection = "odd-name.of a collection")]
struct Odd {
    #[serde(rename = "_id")]
    id: Id<Odd, i32>,
    any: mongo_odm::bson::Bson,
}

#[tokio::test]
async fn values_and_names_are_written_as_mongosh_reads_them() {
    use mongo_odm::bson::{Bson, Decimal128, Uuid};
    let t = Harness::new("plans_values").await;
    let any = Odd::fields().any;
    let shown = |value: Bson| {
        let plan = Odd::find(&t.odm)
            .filter(any.eq(value))
            .plan()
            .unwrap()
            .to_string();
        let start = r#"db.getCollection("odd-name.of a collection").find({ any: "#;
        plan.strip_prefix(start)
            .unwrap()
            .strip_suffix(" })")
            .unwrap()
            .to_owned()
    };
    let date = DateTime::from_millis(1_700_000_000_123);
    assert_eq!(shown(Bson::Null), "null");
    assert_eq!(shown(true.into()), "true");
    assert_eq!(shown(1.into()), "1");
    assert_eq!(shown(1_i64.into()), r#"NumberLong("1")"#);
    assert_eq!(shown(1.0.into()), "Double(1)");
    assert_eq!(shown(date.into()), r#"ISODate("2023-11-14T22:13:20.123Z")"#);
    let decimal = "1.50".parse::<Decimal128>().unwrap();
    assert_eq!(shown(decimal.into()), r#"NumberDecimal("1.50")"#);
    let uuid = Uuid::parse_str("00112233-4455-6677-8899-aabbccddeeff").unwrap();
    assert_eq!(
        shown(uuid.into()),
        r#"UUID("00112233-4455-6677-8899-aabbccddeeff")"#
    );
    assert_eq!(shown("a\"b\\\n".into()), r#""a\"b\\\n""#);
    assert_eq!(
        shown(doc! { "a.b": [1, {}], "$c": "d" }.into()),
        r#"{ "a.b": [1, {}], $c: "d" }"#
    );
    assert_eq!(shown(doc! { "$gt": 1 }.into()), "{ $eq: { $gt: 1 } }");
    let many: Vec<i32> = (0..25).collect();
    assert!(shown(many.into()).ends_with(", 19, ... 5 more]"));
}
