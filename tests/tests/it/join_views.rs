//! Joins with projections: the requested fields, additional fields in the reply, and the fields of
//! the struct.

use mongo_odm::{
    Error,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    sent::{commands, only},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "gauges",
    has_many(readings = "Reading.gauge", logs = "Log.entries")
)]
#[serde(rename_all = "camelCase")]
struct Gauge {
    #[serde(rename = "_id")]
    id: Id<Gauge>,
    serial_number: String,
    #[serde(rename = "nm")]
    name: String,
    #[embed]
    maker: Maker,
    #[serde(flatten)]
    extent: Extent,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(rename_all = "camelCase")]
struct Maker {
    maker_name: String,
    country: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Extent {
    low: i32,
    high: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "readings")]
struct Reading {
    #[serde(rename = "_id")]
    id: Id<Reading>,
    value: i32,
    #[serde(rename = "g")]
    #[parent_ref]
    gauge: Id<Gauge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Entry {
    #[refs(one)]
    gauge: Id<Gauge>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "logs")]
struct Log {
    #[serde(rename = "_id")]
    id: Id<Log>,
    title: String,
    #[embed]
    #[refs(many)]
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Gauge")]
struct Named {
    #[serde(rename = "nm")]
    name: String,
    #[serde(rename = "serialNumber")]
    serial_number: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Gauge")]
struct Origin {
    #[embed]
    maker: MadeIn,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Maker")]
struct MadeIn {
    country: String,
}

/// A projection that rejects every unknown field, including the key of the join.
#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[serde(deny_unknown_fields)]
#[projection(of = "Gauge")]
struct StrictName {
    #[serde(rename = "nm")]
    name: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[serde(deny_unknown_fields)]
#[projection(of = "Reading")]
struct StrictValue {
    value: i32,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Entry")]
struct Text {
    text: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Log")]
struct Texts {
    #[embed]
    entries: Vec<Text>,
}

/// A projection that contains the key in one of its fields, so the library does not have to add it.
#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Log")]
struct Entries {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[serde(deny_unknown_fields)]
#[projection(of = "Log")]
struct StrictTitle {
    title: String,
}

fn gauge(at: i32) -> Gauge {
    Gauge {
        id: Id::new(),
        serial_number: format!("s{at}"),
        name: format!("n{at}"),
        maker: Maker {
            maker_name: "Acme".into(),
            country: "CH".into(),
        },
        extent: Extent {
            low: at,
            high: at + 10,
        },
    }
}

fn projection(find: &Document) -> &Document {
    find.get_document("projection").unwrap()
}

async fn one_reading(t: &Harness) -> (Gauge, Reading) {
    let gauge = gauge(1);
    let reading = Reading {
        id: Id::new(),
        value: 7,
        gauge: gauge.id,
    };
    t.given(std::slice::from_ref(&gauge)).await;
    t.given(std::slice::from_ref(&reading)).await;
    t.forget();
    (gauge, reading)
}

#[tokio::test]
async fn a_projection_asks_for_stored_names_and_the_key() {
    let t = Harness::new("a_projection_asks").await;
    let (_, reading) = one_reading(&t).await;
    let named = reading
        .load_gauge(&t.odm)
        .select::<Named>()
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        named,
        Named {
            name: "n1".into(),
            serial_number: "s1".into()
        }
    );
    let expected = doc! { "nm": 1, "serialNumber": 1, "_id": 1 };
    assert_eq!(projection(&only(&t, "find")), &expected);
    t.forget();
    let joined = Reading::join_gauge([&reading], &t.odm)
        .select::<Named>()
        .await
        .unwrap();
    assert_eq!(joined.one_of(&reading), Some(&named));
    assert_eq!(projection(&only(&t, "find")), &expected);
}

#[tokio::test]
async fn a_view_of_an_embedded_struct_is_filled() {
    let t = Harness::new("a_view_of_an_embedded_struct").await;
    let (_, reading) = one_reading(&t).await;
    let origin = reading.load_gauge(&t.odm).select::<Origin>().await.unwrap();
    assert_eq!(
        origin,
        Some(Origin {
            maker: MadeIn {
                country: "CH".into()
            }
        })
    );
    assert_eq!(
        projection(&only(&t, "find")),
        &doc! { "maker.country": 1, "_id": 1 }
    );
}

#[tokio::test]
async fn a_whole_model_with_flattened_fields_joins() {
    let t = Harness::new("a_whole_model").await;
    let (gauge, reading) = one_reading(&t).await;
    assert_eq!(reading.load_gauge(&t.odm).await.unwrap(), Some(gauge));
    assert_eq!(only(&t, "find").get("projection"), None);
    let high = Gauge::fields().extent.high.gt(11);
    assert_eq!(reading.load_gauge(&t.odm).filter(high).await.unwrap(), None);
}

#[tokio::test]
async fn a_strict_projection_never_sees_the_key() {
    let t = Harness::new("a_strict_projection").await;
    let (gauge, reading) = one_reading(&t).await;
    let strict = reading
        .load_gauge(&t.odm)
        .select::<StrictName>()
        .await
        .unwrap();
    assert_eq!(strict, Some(StrictName { name: "n1".into() }));
    assert_eq!(projection(&only(&t, "find")), &doc! { "nm": 1, "_id": 1 });

    t.forget();
    let values = [StrictValue { value: 7 }];
    assert_eq!(
        gauge
            .load_readings(&t.odm)
            .select::<StrictValue>()
            .await
            .unwrap(),
        values
    );
    assert_eq!(
        projection(&only(&t, "find")),
        &doc! { "value": 1, "g": 1, "_id": 0 }
    );
    let joined = Gauge::join_readings([&gauge], &t.odm)
        .select::<StrictValue>()
        .await
        .unwrap();
    assert!(joined.of(&gauge).eq(&values));
    let limited = Gauge::join_readings([&gauge], &t.odm)
        .select::<StrictValue>()
        .limit_each(1)
        .await
        .unwrap();
    assert!(limited.of(&gauge).eq(&values));
}

#[tokio::test]
async fn a_key_inside_an_array_comes_and_goes_without_a_trace() {
    let t = Harness::new("a_key_inside_an_array").await;
    let (gauge, _) = one_reading(&t).await;
    let entry = |text: &str| Entry {
        gauge: gauge.id,
        text: text.into(),
    };
    let log = Log {
        id: Id::new(),
        title: "t".into(),
        entries: vec![entry("a"), entry("b")],
    };
    t.given(std::slice::from_ref(&log)).await;
    t.forget();
    let gauges = [&gauge];
    let texts = Gauge::join_logs(gauges, &t.odm)
        .select::<Texts>()
        .await
        .unwrap();
    let expected = ["a", "b"].map(|text| Text { text: text.into() });
    assert_eq!(texts.of(&gauge).next().unwrap().entries, expected);
    let title = Gauge::join_logs(gauges, &t.odm)
        .select::<StrictTitle>()
        .await
        .unwrap();
    assert_eq!(
        title.of(&gauge).next(),
        Some(&StrictTitle { title: "t".into() })
    );
    let entries = Gauge::join_logs(gauges, &t.odm)
        .select::<Entries>()
        .await
        .unwrap();
    assert_eq!(entries.of(&gauge).next().unwrap().entries, log.entries);
    let sent: Vec<_> = commands(&t, "find")
        .iter()
        .map(|find| projection(find).clone())
        .collect();
    assert_eq!(
        sent[1..],
        [
            doc! { "title": 1, "entries.gauge": 1, "_id": 0 },
            doc! { "entries.gauge": 1, "entries.text": 1, "_id": 0 },
        ]
    );
}

#[tokio::test]
async fn a_missing_projected_field_is_an_error_that_names_the_document() {
    let t = Harness::new("a_missing_projected_field").await;
    let (_, reading) = one_reading(&t).await;
    let gauges = t.database().collection("gauges");
    gauges
        .update_many(doc! {}, doc! { "$unset": { "nm": 1 } })
        .await
        .unwrap();
    let id = format!("ObjectId(\"{}\")", reading.gauge);
    let strict = Reading::join_gauge([&reading], &t.odm)
        .select::<StrictName>()
        .await
        .unwrap_err();
    let loose = reading
        .load_gauge(&t.odm)
        .select::<Named>()
        .await
        .unwrap_err();
    for error in [strict, loose] {
        let Error::Decode {
            collection,
            id: shown,
            message,
            ..
        } = &error
        else {
            panic!("{error}")
        };
        assert_eq!(
            (collection.as_str(), shown.as_deref()),
            ("gauges", Some(&Bson::from(reading.gauge)))
        );
        assert!(message.contains("`nm`"), "{message}");
        assert!(error.to_string().contains(&id), "{error}");
    }
}

#[tokio::test]
async fn a_document_that_does_not_fit_fails_the_join_with_its_path() {
    let t = Harness::new("a_document_that_does_not_fit").await;
    let (gauge, reading) = one_reading(&t).await;
    let gauges = t.database().collection("gauges");
    gauges
        .update_many(doc! {}, doc! { "$set": { "maker.country": 5 } })
        .await
        .unwrap();
    let error = reading.load_gauge(&t.odm).await.unwrap_err();
    let Error::Decode {
        collection,
        id,
        path,
        type_name,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (collection.as_str(), path.as_str(), *type_name),
        ("gauges", "maker.country", "Gauge")
    );
    assert_eq!(id.as_deref(), Some(&Bson::from(gauge.id)));
}

#[tokio::test]
async fn a_plain_projection_keeps_the_key_that_the_join_needs() {
    let t = Harness::new("a_plain_projection").await;
    let (gauge, reading) = one_reading(&t).await;
    let names =
        Reading::join_gauge([&reading], &t.odm).project::<Document>(doc! { "nm": 1, "_id": 0 });
    let joined = names.await.unwrap();
    assert_eq!(
        joined.one_of(&reading).unwrap().get_str("nm").unwrap(),
        "n1"
    );
    assert_eq!(projection(&only(&t, "find")), &doc! { "nm": 1, "_id": 1 });
    let values = gauge
        .load_readings(&t.odm)
        .project::<Document>(doc! { "value": 1 })
        .await
        .unwrap();
    assert_eq!(values[0].get_i32("value").unwrap(), 7);
    let hidden = Gauge::join_readings([&gauge], &t.odm)
        .project::<Document>(doc! { "g": 0 })
        .await;
    assert!(matches!(hidden, Err(Error::Invalid { .. })));
}
