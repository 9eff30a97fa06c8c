//! Values that are difficult to copy: operators, patterns, nulls, arrays, and fields that serde encodes differently.

mod types;

use mongo_odm::{
    bson::{
        Binary, Bson, Document, JavaScriptCodeWithScope, RawDocumentBuf, Regex, spec::BinarySubtype,
    },
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

/// Stores an amount in cents.
mod cents {
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        clippy::cast_possible_truncation,
        reason = "serde's signature, and small amounts"
    )]
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64((value * 100.0).round() as i64)
    }

    #[allow(clippy::cast_precision_loss, reason = "small amounts")]
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        i64::deserialize(deserializer).map(|cents| cents as f64 / 100.0)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Site {
    pub street: String,
    pub city: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "samples")]
pub struct Sample {
    #[serde(rename = "_id")]
    pub id: Id<Sample>,
    pub text: String,
    pub note: Option<String>,
    #[serde(with = "cents")]
    pub price: f64,
    pub site: Site,
    pub tags: Vec<String>,
    pub anything: Bson,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sightings")]
pub struct Sighting {
    #[serde(rename = "_id")]
    pub id: Id<Sighting>,
    #[parent_ref]
    pub of: Id<Sample>,
    #[denorm(from = Sample.text)]
    pub text: String,
    #[denorm(from = Sample.note)]
    pub note: Option<String>,
    #[serde(with = "cents")]
    #[denorm(from = Sample.price)]
    pub price: f64,
    #[embed]
    #[denorm(from = Sample.site)]
    pub site: Site,
    #[denorm(from = Sample.site.city)]
    pub city: String,
    #[denorm(from = Sample.tags)]
    pub tags: Vec<String>,
    #[denorm(from = Sample.anything)]
    pub anything: Bson,
    #[denorm(from = Sample.text, snapshot)]
    pub text_then: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Picture {
    #[refs(one)]
    pub of: Id<Sample>,
    #[denorm(from = Sample.anything)]
    pub anything: Bson,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sample_albums")]
pub struct Album {
    #[serde(rename = "_id")]
    pub id: Id<Album>,
    #[embed]
    pub pictures: Vec<Picture>,
}

struct Setting {
    t: Harness,
    sample: Sample,
    sighting: Sighting,
}

impl Setting {
    async fn new(test: &str) -> Self {
        let t = empty(test).await;
        let sync = t.odm.sync_indexes().only::<Sample>().only::<Sighting>();
        sync.only::<Album>().await.unwrap();
        let sample = Sample {
            id: Id::new(),
            text: "text".to_owned(),
            note: None,
            price: 1.25,
            site: Site {
                street: "Main St".to_owned(),
                city: "Bern".to_owned(),
            },
            tags: vec!["a".to_owned()],
            anything: Bson::Int32(0),
        };
        let sighting = Sighting {
            id: Id::new(),
            of: sample.id,
            text: "text".to_owned(),
            note: Some("?".to_owned()),
            price: 0.0,
            site: Site {
                street: "?".to_owned(),
                city: "?".to_owned(),
            },
            city: "?".to_owned(),
            tags: vec![],
            anything: Bson::Null,
            text_then: "text".to_owned(),
        };
        t.given(&[sample.clone()]).await;
        t.given(&[sighting.clone()]).await;
        Self {
            t,
            sample,
            sighting,
        }
    }

    /// Compares the stored copies with the stored source, field by field.
    async fn assert_same(&self, context: &str) -> Document {
        let source = raw(&self.t.odm, "samples", self.sample.id).await;
        let copy = raw(&self.t.odm, "sightings", self.sighting.id).await;
        for field in ["text", "note", "price", "site", "tags", "anything"] {
            assert_eq!(copy.get(field), source.get(field), "{context}: {field}");
        }
        let city = source.get_document("site").unwrap().get("city");
        assert_eq!(copy.get("city"), city, "{context}");
        copy
    }

    /// Sets a value in the source, and then the same value again. The copy equals this value, and is written only once.
    async fn assert_carries(&self, odm: &Odm, value: &Bson, context: &str) {
        let anything = Sample::fields().anything;
        self.update(odm).set(anything, value).await.unwrap();
        let copy = self.assert_same(context).await;
        assert_eq!(copy.get("anything"), Some(value), "{context}");
        let report = self.update(odm).set(anything, value).await.unwrap();
        assert!(report.copies.iter().all(|it| it.modified == 0), "{context}");
    }

    fn update(&self, odm: &Odm) -> mongo_odm::action::UpdateOne<Sample> {
        Sample::update(odm, self.sample.id)
    }
}

/// Serde encodes a copy in the same way as its source. Embedded structs and arrays are copied as a whole.
#[tokio::test]
async fn an_insert_copies_structs_arrays_and_encoded_fields() {
    let s = Setting::new("values_insert").await;
    let copy = s.assert_same("insert").await;
    assert_eq!(copy.get("price"), Some(&Bson::Int64(125)));
    let decoded = Sighting::get(&s.t.odm, s.sighting.id).await.unwrap();
    assert!((decoded.price - 1.25).abs() < f64::EPSILON);
    assert_eq!(decoded.site, s.sample.site);
}

/// A write to a field of a copied struct, or into a copied array, changes the copy.
#[tokio::test]
async fn a_change_inside_a_copied_value_is_copied() {
    let s = Setting::new("values_inside").await;
    let fields = Sample::fields();
    for (way, odm) in both_ways(&s.t.odm) {
        s.update(&odm).set(fields.site.city, way).await.unwrap();
        s.assert_same("city").await;
        s.update(&odm).push(fields.tags, way).await.unwrap();
        s.assert_same("push").await;
        s.update(&odm)
            .with(doc! { "$set": { "tags.0": way } })
            .await
            .unwrap();
        s.assert_same("element").await;
        s.update(&odm)
            .set(fields.tags, [] as [String; 0])
            .await
            .unwrap();
        s.assert_same("empty").await;
        s.update(&odm).set(fields.price, 0.99).await.unwrap();
        s.assert_same("encoded").await;
        settle(&odm).await;
    }
}

/// Null, absent, empty and false are different values.
#[tokio::test]
async fn null_and_absent_are_copied_as_what_they_are() {
    let s = Setting::new("values_null").await;
    let note = Sample::fields().note;
    for (way, odm) in both_ways(&s.t.odm) {
        s.update(&odm).set(note, "there").await.unwrap();
        s.assert_same(way).await;
        s.update(&odm).set(note, None::<String>).await.unwrap();
        assert_eq!(s.assert_same(way).await.get("note"), Some(&Bson::Null));
        s.update(&odm).unset(note).await.unwrap();
        assert_eq!(s.assert_same(way).await.get("note"), None);
        s.update(&odm).set(note, None::<String>).await.unwrap();
        assert_eq!(s.assert_same(way).await.get("note"), Some(&Bson::Null));
        s.update(&odm).set(note, "").await.unwrap();
        s.assert_same(way).await;
        settle(&odm).await;
    }
}

fn odd_values() -> Vec<Bson> {
    vec![
        "$text".into(),
        "$$NOW".into(),
        "$$REMOVE".into(),
        "".into(),
        false.into(),
        0.into(),
        0.5.into(),
        i64::MAX.into(),
        f64::INFINITY.into(),
        Bson::MinKey,
        Bson::MaxKey,
        Bson::Null,
        Bson::from(Vec::<Bson>::new()),
        Bson::from(vec![Bson::Null]),
        Bson::from(vec![Bson::from(vec![Bson::Null])]),
        doc! {}.into(),
        doc! { "a": { "b": [1, { "c": "$text" }] } }.into(),
        doc! { "a": 1, "b": 2 }.into(),
        doc! { "b": 2, "a": 1 }.into(),
        Bson::from(vec![doc! { "a": 1 }]),
        Bson::RegularExpression(Regex {
            pattern: "^tex".try_into().unwrap(),
            options: "i".try_into().unwrap(),
        }),
        Bson::from(vec!["$set", "$[e]", "a.b"]),
        Bson::Binary(Binary {
            subtype: BinarySubtype::Generic,
            bytes: vec![0, 255],
        }),
        DateTime::from_millis(-1).into(),
        ObjectId::new().into(),
    ]
}

/// A copied value is not interpreted as an operator, a path or a pattern, even if it looks like one.
#[tokio::test]
async fn values_that_look_like_operators_or_paths_are_copied_as_they_are() {
    let s = Setting::new("values_odd").await;
    for (way, odm) in both_ways(&s.t.odm) {
        for value in odd_values() {
            let context = format!("{way} {value:?}");
            s.assert_carries(&odm, &value, &context).await;
        }
        settle(&odm).await;
    }
}

/// A filter on an array also matches its elements. Nevertheless, the library does not confuse an array with its
/// element.
#[tokio::test]
async fn an_array_is_not_taken_for_its_element() {
    let s = Setting::new("values_nested_arrays").await;
    let nested = |depth: usize| {
        let values = std::iter::successors(Some(Bson::Null), |it| Some(vec![it.clone()].into()));
        values.take(depth + 1).last().unwrap()
    };
    for (way, odm) in both_ways(&s.t.odm) {
        for depth in [2, 1, 2, 0, 1, 0] {
            let context = format!("{way} {depth}");
            s.assert_carries(&odm, &nested(depth), &context).await;
        }
        settle(&odm).await;
    }
}

/// Field names with a dollar sign can be stored in a whole document, and are copied with it.
#[tokio::test]
async fn a_document_whose_fields_are_named_like_operators_is_copied() {
    let s = Setting::new("values_dollar").await;
    for (way, odm) in both_ways(&s.t.odm) {
        for value in [
            doc! { "$gt": 1 },
            doc! { "a": { "$in": [way] } },
            doc! { "a.b": way },
        ] {
            let context = format!("{way} {value:?}");
            let mut sample = s.sample.clone();
            sample.anything = value.into();
            sample.save(&odm).await.unwrap();
            s.assert_same(&context).await;
            let mut another = s.sighting.clone();
            another.id = Id::new();
            another.insert(&odm).await.unwrap();
            let another = Sighting::get(&odm, another.id).await.unwrap();
            assert_eq!(another.anything, sample.anything, "{context}");
        }
        settle(&odm).await;
    }
}

/// A snapshot keeps its first value, however its source changes.
#[tokio::test]
async fn a_snapshot_never_follows() {
    let s = Setting::new("values_snapshot").await;
    for (way, odm) in both_ways(&s.t.odm) {
        s.update(&odm)
            .set(Sample::fields().text, way)
            .await
            .unwrap();
        assert_eq!(
            s.assert_same(way).await.get_str("text_then").unwrap(),
            "text"
        );
        settle(&odm).await;
    }
    Sighting::update(&s.t.odm, s.sighting.id)
        .set(Sighting::fields().text_then, "by hand")
        .await
        .unwrap();
    Sample::delete(&s.t.odm, s.sample.id).await.unwrap();
    settle(&s.t.odm).await;
    let copy = raw(&s.t.odm, "sightings", s.sighting.id).await;
    assert_eq!(copy.get_str("text_then").unwrap(), "by hand");
}
