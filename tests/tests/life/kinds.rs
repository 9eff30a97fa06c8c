//! A single collection in which only one of the kinds keeps its deleted documents.

use futures_util::TryStreamExt;
use mongo_odm::{DocumentChange, SingleCollection, bson::Document, prelude::*};

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_shapes", kind(doc_type = "circle"))]
pub struct Circle {
    #[serde(rename = "_id")]
    pub id: Id<Circle, i64>,
    pub radius: i64,
    #[index(unique)]
    pub code: String,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_shapes", kind(doc_type = "square"))]
pub struct Square {
    #[serde(rename = "_id")]
    pub id: Id<Square, i64>,
    pub side: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
pub enum Shape {
    Circle(Circle),
    Square(Square),
}

fn circle(number: i64) -> Circle {
    Circle {
        id: id(number),
        radius: number,
        code: format!("c{number}"),
        deleted_at: None,
    }
}

fn square(number: i64) -> Square {
    Square {
        id: id(number),
        side: number,
    }
}

#[tokio::test]
async fn an_enum_over_the_kinds_leaves_out_deleted_documents() {
    let t = board("life_kinds").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Circle>().await.unwrap();
    t.given(&[circle(1), circle(2)]).await;
    t.given(&[square(3), square(4)]).await;
    Circle::delete(odm, id(1)).await.unwrap();
    Square::delete(odm, id(3)).await.unwrap();
    assert_eq!(Circle::count(odm).await.unwrap(), 1);
    assert_eq!(Shape::find(odm).await.unwrap().len(), 2);
    assert_eq!(Shape::count(odm).await.unwrap(), 2);
    let of_kind = Shape::of_kind(Filter::<Circle>::all());
    assert_eq!(Shape::find(odm).filter(of_kind).await.unwrap().len(), 1);
    assert_eq!(stored(odm, "life_shapes", 3).await, None);
    assert!(is_deleted(odm, "life_shapes", 1).await);

    let mut again = circle(9);
    again.code = "c1".to_owned();
    again.insert(odm).await.unwrap();
    assert!(Circle::restore(odm, id(1)).await.is_err());
    Circle::purge(odm, id(9)).await.unwrap();
    Circle::restore(odm, id(1)).await.unwrap();
    assert_eq!(Shape::count(odm).await.unwrap(), 3);
    assert!(circle(1).save(odm).await.is_ok());
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_solids", kind(doc_type = "ball"))]
pub struct Ball {
    #[serde(rename = "_id")]
    pub id: Id<Ball, i64>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_solids", kind(doc_type = "cube"))]
pub struct Cube {
    #[serde(rename = "_id")]
    pub id: Id<Cube, i64>,
    #[deleted_at]
    pub removed: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
pub enum Solid {
    Ball(Ball),
    Cube(Cube),
}

impl Solid {
    fn number(&self) -> i64 {
        match self {
            Self::Ball(ball) => ball.id.into_key(),
            Self::Cube(cube) => cube.id.into_key(),
        }
    }
}

fn numbers(solids: &[Solid]) -> Vec<i64> {
    let mut numbers: Vec<i64> = solids.iter().map(Solid::number).collect();
    numbers.sort_unstable();
    numbers
}

#[tokio::test]
async fn an_enum_reads_the_deleted_documents_of_all_kinds() {
    let t = board("life_deleted_kinds").await;
    let odm = &t.odm;
    for number in [1, 2] {
        let ball = Ball {
            id: id(number),
            deleted_at: None,
        };
        ball.insert(odm).await.unwrap();
        let cube = Cube {
            id: id(number + 10),
            removed: None,
        };
        cube.insert(odm).await.unwrap();
    }
    Ball::delete(odm, id(1)).await.unwrap();
    Cube::delete(odm, id(12)).await.unwrap();
    assert_eq!(numbers(&Solid::find(odm).await.unwrap()), [2, 11]);
    let deleted = Solid::find(odm).only_deleted().await.unwrap();
    assert_eq!(numbers(&deleted), [1, 12]);
    let all = Solid::find(odm).with_deleted().await.unwrap();
    assert_eq!(numbers(&all), [1, 2, 11, 12]);
    assert_eq!(Solid::count(odm).only_deleted().await.unwrap(), 2);
    let cubes = Solid::of_kind(Filter::<Cube>::all());
    let deleted = Solid::find(odm).filter(cubes).only_deleted().await.unwrap();
    assert_eq!(numbers(&deleted), [12]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_staff", kind(role = "person"))]
pub struct Nurse {
    #[serde(rename = "_id")]
    pub id: Id<Nurse, i64>,
    #[deleted_at]
    #[serde(rename = "removed")]
    pub deleted: Option<DateTime>,
}

/// A model with a date that has the same name as the time of the delete in the other kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_staff", kind(role = "patient"))]
pub struct Patient {
    #[serde(rename = "_id")]
    pub id: Id<Patient, i64>,
    pub removed: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "role")]
pub enum Anyone {
    #[serde(rename = "person")]
    Nurse(Nurse),
    #[serde(rename = "patient")]
    Patient(Patient),
    #[serde(untagged)]
    Other(Document),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_visits")]
pub struct Visit {
    #[serde(rename = "_id")]
    pub id: Id<Visit, i64>,
    #[parent_ref(exists)]
    pub who: Id<Anyone, i64>,
}

#[tokio::test]
async fn an_ordinary_date_of_another_kind_hides_no_document() {
    let t = board("life_dates_of_kinds").await;
    let odm = &t.odm;
    let removed = Some(DateTime::now());
    let mut events = Anyone::watch(odm).await.unwrap();
    let nurse = |number| Nurse {
        id: id(number),
        deleted: None,
    };
    Nurse::insert_many(odm, &[nurse(1), nurse(2)])
        .await
        .unwrap();
    let patient = Patient {
        id: id(3),
        removed: None,
    };
    patient.insert(odm).await.unwrap();
    let robot = doc! { "_id": 4_i64, "role": "robot", "removed": removed };
    let staff = odm.database().collection::<Document>("life_staff");
    staff.insert_one(robot).await.unwrap();
    let update = Patient::update(odm, id(3)).set(Patient::fields().removed, removed);
    update.await.unwrap();
    Nurse::delete(odm, id(2)).await.unwrap();
    assert_eq!(Anyone::find(odm).await.unwrap().len(), 3);
    let patients = Anyone::of_kind(Filter::<Patient>::all());
    assert_eq!(Anyone::count(odm).filter(patients).await.unwrap(), 1);
    let visit = |number, who| Visit {
        id: id(number),
        who: id(who),
    };
    visit(1, 3).insert(odm).await.unwrap();
    visit(2, 2).insert(odm).await.unwrap_err();
    let loaded = visit(1, 3).load_who(odm).await.unwrap();
    assert!(matches!(loaded, Some(Anyone::Patient(_))), "{loaded:?}");
    let mut deleted = Vec::new();
    for _ in 0..6 {
        let event = events.try_next().await.unwrap().unwrap();
        if let DocumentChange::Deleted { id, .. } = event.change {
            deleted.push(id.into_key());
        }
    }
    assert_eq!(deleted, [2]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_solids", kind(doc_type = "cone"))]
pub struct Cone {
    #[serde(rename = "_id")]
    pub id: Id<Cone, i64>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

/// An enum whose kinds all keep their deleted documents, by a field of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
pub enum Round {
    Ball(Ball),
    Cone(Cone),
    #[serde(untagged)]
    Other(Document),
}

#[tokio::test]
async fn a_date_with_the_name_of_the_deletion_hides_no_document_of_an_unknown_kind() {
    let t = board("life_unknown_kinds").await;
    let odm = &t.odm;
    let ball = |number| Ball {
        id: id(number),
        deleted_at: None,
    };
    Ball::insert_many(odm, &[ball(1), ball(2)]).await.unwrap();
    let cone = Cone {
        id: id(3),
        deleted_at: None,
    };
    cone.insert(odm).await.unwrap();
    let unknown = [
        doc! { "_id": 4_i64, "doc_type": "prism", "deleted_at": DateTime::now() },
        doc! { "_id": 5_i64, "deleted_at": "yesterday" },
        doc! { "_id": 6_i64, "doc_type": "prism" },
    ];
    let solids = odm.database().collection::<Document>("life_solids");
    solids.insert_many(&unknown).await.unwrap();
    Ball::delete(odm, id(2)).await.unwrap();
    Cone::delete(odm, id(3)).await.unwrap();

    let mut found = Round::find(odm).sort(doc! { "_id": 1 }).await.unwrap();
    let others = found.split_off(1);
    assert_eq!(found, [Round::Ball(ball(1))]);
    assert_eq!(others, unknown.map(Round::Other));
    assert_eq!(Round::count(odm).await.unwrap(), 4);
    let deleted = Round::find(odm).only_deleted().await.unwrap();
    assert_eq!(deleted.len(), 2, "{deleted:?}");
    assert!(!deleted.iter().any(|it| matches!(it, Round::Other(_))));
    assert_eq!(Round::find(odm).with_deleted().await.unwrap().len(), 6);
}
