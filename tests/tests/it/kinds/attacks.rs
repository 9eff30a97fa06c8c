//! Filters, options, indexes and structs with which a call could affect documents of other kinds.

use mongo_odm::{
    Error,
    mongodb::options::{Collation, CollationStrength},
};

use super::*;

/// A model with a geospatial and a text index, and unknown fields in `rest`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "kinds_places",
    kind(form = "shop", default),
    index(keys(name = "text")),
    index(keys(spot = "2dsphere"))
)]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i64>,
    name: String,
    spot: Document,
    #[serde(flatten)]
    rest: Document,
}

/// A model in which the field of the kind has a different name in Rust.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "kinds_places",
    kind(form = "school"),
    index(keys(spot = "2dsphere"))
)]
struct School {
    #[serde(rename = "_id")]
    id: Id<School, i64>,
    name: String,
    spot: Document,
    #[serde(rename = "form")]
    what: String,
}

fn at(x: i64) -> Document {
    doc! { "type": "Point", "coordinates": [x, 0] }
}

fn shop(x: i64) -> Shop {
    Shop {
        id: Id::from_key(x),
        name: "corner".to_owned(),
        spot: at(x),
        rest: doc! {},
    }
}

fn school_at(x: i64) -> School {
    School {
        id: Id::from_key(x),
        name: "corner".to_owned(),
        spot: at(x),
        what: "school".to_owned(),
    }
}

/// Stores two shops with the field of the kind, one without it and one with a null, and three schools.
async fn street(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().only::<Shop>().await.unwrap();
    t.given(&[shop(0), shop(1)]).await;
    t.given(&[school_at(10), school_at(11), school_at(12)])
        .await;
    let stored = t.odm.database().collection::<Document>("kinds_places");
    let without = doc! { "_id": 2_i64, "name": "corner", "spot": at(2) };
    let null = doc! { "_id": 3_i64, "name": "corner", "spot": at(3), "form": null };
    stored.insert_many([without, null]).await.unwrap();
    t
}

#[tokio::test]
async fn indexes_of_places_and_words_serve_their_kind() {
    let t = street("kinds_geo").await;
    let odm = &t.odm;
    let near = doc! { "$near": { "$geometry": at(0) } };
    let by_place = doc! { "spot": near };
    assert_eq!(
        Shop::find(odm)
            .filter(by_place.clone())
            .await
            .unwrap()
            .len(),
        4
    );
    let schools = School::find(odm).filter(by_place.clone()).await.unwrap();
    assert_eq!(schools.len(), 3);
    let mut of_other = by_place;
    of_other.insert("form", "school");
    assert_eq!(Shop::find(odm).filter(of_other).await.unwrap(), []);
    let stage = doc! { "$geoNear": { "near": at(0), "distanceField": "d", "key": "spot" } };
    for (stage, number) in [
        (stage.clone(), 4),
        (doc! { "$match": { "$text": { "$search": "corner" } } }, 4),
        (doc! { "$sample": { "size": 100 } }, 4),
        (doc! { "$replaceWith": { "_id": "$_id" } }, 4),
        (doc! { "$match": { "form": { "$ne": "shop" } } }, 2),
    ] {
        let found: Vec<Document> = Shop::aggregate(odm, [stage.clone()]).await.unwrap();
        assert_eq!(found.len(), number, "{stage}");
    }
    let found: Vec<Document> = School::aggregate(odm, [stage]).await.unwrap();
    assert_eq!(found.len(), 3);
    // No text index contains the names of schools.
    let text = doc! { "$text": { "$search": "corner" } };
    School::find(odm).filter(text).await.unwrap_err();
}

#[tokio::test]
async fn a_struct_that_keeps_unknown_fields_is_stored_with_the_kind() {
    let t = street("kinds_flatten").await;
    let odm = &t.odm;
    for id in [2, 3] {
        let one = Shop::get(odm, Id::from_key(id)).await.unwrap();
        one.save(odm).await.unwrap();
        let again = Shop::get(odm, Id::from_key(id)).await.unwrap();
        assert_eq!(again.rest, doc! { "form": "shop" });
        assert_eq!(again.save(odm).await.unwrap().modified, 0);
    }
    let wrong = Shop {
        rest: doc! { "form": "school" },
        ..shop(4)
    };
    assert!(matches!(wrong.save(odm).await, Err(Error::Invalid { .. })));
    let empty = School {
        what: String::new(),
        ..school_at(4)
    };
    assert!(matches!(
        empty.insert(odm).await,
        Err(Error::Invalid { .. })
    ));
    let found = School::find(odm).sort(School::fields().id.asc()).await;
    assert_eq!(
        found.unwrap(),
        [school_at(10), school_at(11), school_at(12)]
    );
}

#[tokio::test]
async fn an_upsert_may_look_for_its_own_kind_and_no_other() {
    let t = super::school("kinds_upsert_filters").await;
    let (odm, f, before) = (&t.odm, Student::fields(), others(&t, "student").await);
    let id = |text: &str| Id::<Student, String>::from_key(text.to_owned());
    for (number, own) in [
        doc! { "$and": [{ "doc_type": "student" }, { "_id": "T0" }] },
        doc! { "_id": "T1", "doc_type": { "$eq": "student" } },
        doc! { "_id": "T2", "doc_type": { "$ne": "class" } },
        doc! { "_id": "T3", "$and": [{ "doc_type": "student" }] },
    ]
    .into_iter()
    .enumerate()
    {
        for inserts in [true, false] {
            let upsert = Student::upsert(odm, own.clone());
            let done = upsert.set(f.name, "new").set(f.number, 1).await.unwrap();
            assert_eq!(done.upserted_id.is_some(), inserts, "{number}");
        }
        let one = Student::get(odm, id(&format!("T{number}"))).await.unwrap();
        assert_eq!(one.doc_type.as_deref(), Some("student"), "{number}");
    }
    for other in [
        f.doc_type.eq("class") & f.id.eq(id("U0")),
        doc! { "_id": "U1", "doc_type": { "$eq": "class" } }.into(),
        doc! { "_id": "U2", "doc_type": null }.into(),
    ] {
        let error = Student::upsert(odm, other).set(f.number, 1).await;
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("an upsert of `Student` looks for `doc_type`"),
            "{error}"
        );
    }
    assert_eq!(others(&t, "student").await, before);
}

#[tokio::test]
async fn an_upsert_of_a_default_kind_inserts_its_kind_whatever_it_looks_for() {
    let t = parts("kinds_upsert_default").await;
    let (odm, f) = (&t.odm, Chip::fields());
    for (number, condition) in [
        doc! { "part_type": null },
        doc! { "part_type": { "$exists": false } },
        doc! { "part_type": { "$in": ["cable"] } },
        doc! { "$or": [{ "part_type": "cable" }] },
        doc! { "part_type": { "$eq": "chip" } },
    ]
    .into_iter()
    .enumerate()
    {
        let id = 200 + i64::try_from(number).unwrap();
        let mut filter = doc! { "_id": id };
        filter.extend(condition);
        let upsert = Chip::upsert(odm, filter.clone()).set(f.name, format!("u{id}"));
        upsert.set(f.number, id).await.unwrap();
        let found = stored(&t, "kinds_parts", doc! { "_id": id }).await;
        assert_eq!(found[0].get("part_type"), Some(&"chip".into()), "{filter}");
    }
    let other = doc! { "$and": [{ "_id": 300 }, { "part_type": "cable" }] };
    let error = Chip::upsert(odm, other).set(f.number, 1).await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
}

/// The server treats values that a collation does not distinguish as the same kind. So models of such kinds are
/// rejected.
#[tokio::test]
async fn a_collation_decides_which_values_are_the_kind() {
    let t = super::school("kinds_collation").await;
    let ignoring_case = Collation::builder()
        .locale("en")
        .strength(CollationStrength::Secondary)
        .build();
    let all = t
        .odm
        .database()
        .collection::<Document>("kinds_students_classes");
    let shouted = doc! { "_id": "X", "doc_type": "CLASS", "name": "x", "number": 1_i64 };
    all.insert_one(shouted).await.unwrap();
    assert_eq!(Class::find(&t.odm).await.unwrap().len(), 5);
    let found = Class::find(&t.odm).collation(ignoring_case).await.unwrap();
    assert_eq!(found.len(), 6);
}
