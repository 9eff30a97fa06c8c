//! Values that serde leaves out, in structs that a document might not contain.

use std::collections::BTreeSet;

use mongo_odm::{Filter, IntoFilter, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Address {
    zip: i32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    city: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

/// An address whose city and tags are left out.
fn without_city(zip: i32) -> Address {
    Address {
        zip,
        city: String::new(),
        tags: Vec::new(),
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Extra {
    room: i32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    floor: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Embedded)]
struct Label {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
}

impl Label {
    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// A house whose label is left out as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct House {
    second: Option<Address>,
    number: i32,
    #[serde(default, skip_serializing_if = "Label::is_empty")]
    label: Label,
    plain: Label,
}

fn house(second: Option<&Address>) -> House {
    House {
        second: second.cloned(),
        number: 1,
        label: Label::default(),
        plain: Label::default(),
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "left_out_people", has_many(visits = "Visit.person"))]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, i32>,
    home: Option<Address>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<Address>,
    house: House,
    hut: Option<House>,
    huts: Vec<House>,
    #[serde(flatten)]
    extra: Option<Extra>,
    list: Option<Vec<Address>>,
    #[rollup(count, of = "Visit", via = "person", filter = "Visit::without_city")]
    unknown: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "left_out_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    #[parent_ref]
    person: Id<Person, i32>,
    place: Option<Address>,
}

impl Visit {
    fn without_city() -> Filter<Visit> {
        Visit::fields().place.city.eq("")
    }
}

fn person(id: i32, home: Option<&Address>) -> Person {
    Person {
        id: Id::from_key(id),
        home: home.cloned(),
        work: home.cloned(),
        house: house(home),
        hut: home.map(|_| house(home)),
        huts: home.map(|_| house(home)).into_iter().collect(),
        extra: home.map(|home| Extra {
            room: 1,
            floor: home.city.clone(),
        }),
        list: home.map(|home| vec![home.clone()]),
        unknown: 0,
    }
}

async fn ids(t: &Harness, filter: impl IntoFilter<Person>) -> BTreeSet<i32> {
    let found = Person::find(&t.odm).filter(filter).await.unwrap();
    found.iter().map(|found| *found.id.key()).collect()
}

/// Inserts one person without a city, one with a city, and one without addresses.
async fn people(test: &str) -> Harness {
    let t = Harness::new(test).await;
    let mut chur = without_city(2);
    "Chur".clone_into(&mut chur.city);
    chur.tags = vec!["old".to_owned()];
    let all = [
        person(1, Some(&without_city(1))),
        person(2, Some(&chur)),
        person(3, None),
    ];
    Person::insert_many(&t.odm, &all).await.unwrap();
    t
}

#[tokio::test]
async fn a_document_without_the_struct_has_no_value_that_serde_leaves_out() {
    let t = people("left_out_structs").await;
    let of = Person::fields();
    let (first, others) = (BTreeSet::from([1]), BTreeSet::from([2, 3]));
    assert_eq!(ids(&t, of.home.city.eq("")).await, first);
    assert_eq!(ids(&t, of.home.city.is_in(["", "Bern"])).await, first);
    assert_eq!(ids(&t, of.home.city.ne("")).await, others);
    assert_eq!(ids(&t, of.home.city.is_not_in([""])).await, others);
    assert_eq!(ids(&t, of.home.tags.size(0)).await, first);
    assert_eq!(ids(&t, of.home.tags.eq(Vec::new())).await, first);
    assert_eq!(ids(&t, of.work.city.eq("")).await, first);
    assert_eq!(ids(&t, of.house.second.city.eq("")).await, first);
    assert_eq!(ids(&t, of.extra.floor.eq("")).await, first);
    assert_eq!(ids(&t, of.list.city.eq("")).await, first);
    assert_eq!(ids(&t, of.list.at::<0>().city.eq("")).await, first);
    let list = of.list.elem_match(|address| address.city.eq(""));
    assert_eq!(ids(&t, list).await, first);
    let empty = BTreeSet::new();
    assert_eq!(ids(&t, of.list.at::<1>().city.eq("")).await, empty);
    let with_hut = BTreeSet::from([1, 2]);
    assert_eq!(ids(&t, of.hut.label.text.eq("")).await, with_hut);
    assert_eq!(ids(&t, of.hut.plain.text.eq("")).await, with_hut);
    assert_eq!(ids(&t, of.hut.label.text.ne("")).await, BTreeSet::from([3]));
    let third = of.huts.at::<0>().plain.text.eq("");
    assert_eq!(ids(&t, third).await, with_hut);
    assert_eq!(ids(&t, of.huts.at::<1>().plain.text.eq("")).await, empty);
}

#[tokio::test]
async fn the_struct_and_the_missing_value_are_in_the_same_element() {
    let t = Harness::new("left_out_elements").await;
    let mut chur = without_city(2);
    chur.city = "Chur".into();
    let mut first = person(1, None);
    first.huts = vec![house(None), house(Some(&chur))];
    let mut second = person(2, None);
    second.huts = vec![house(None), house(Some(&without_city(3)))];
    Person::insert_many(&t.odm, &[first, second]).await.unwrap();
    let city = Person::fields().huts.second.city;
    assert_eq!(ids(&t, city.eq("")).await, BTreeSet::from([2]));
    assert_eq!(ids(&t, city.ne("")).await, BTreeSet::from([1]));
    let tags = Person::fields().huts.second.tags;
    assert_eq!(ids(&t, tags.size(0)).await, BTreeSet::from([1, 2]));
}

#[tokio::test]
async fn an_update_with_such_a_filter_adds_no_struct() {
    let t = people("left_out_updates").await;
    let of = Person::fields();
    let changed = Person::update_many(&t.odm, of.work.city.eq("")).set(of.work.zip, 99);
    assert_eq!(changed.await.unwrap().matched, 1);
    let third: Person = Person::get(&t.odm, Id::from_key(3)).await.unwrap();
    assert_eq!(third.work, None);
}

#[tokio::test]
async fn a_summary_does_not_count_children_without_the_struct() {
    let t = people("left_out_counted").await;
    let mut visits = vec![];
    for (id, place) in [(1, Some(without_city(1))), (2, None), (3, None)] {
        let person = Id::from_key(1);
        let id = Id::from_key(id);
        visits.push(Visit { id, person, place });
    }
    Visit::insert_many(&t.odm, &visits).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let first: Person = Person::get(&t.odm, Id::from_key(1)).await.unwrap();
    assert_eq!(first.unknown, 1);
    Visit::delete(&t.odm, Id::from_key(2)).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let first: Person = Person::get(&t.odm, Id::from_key(1)).await.unwrap();
    assert_eq!(first.unknown, 1);
    assert!(t.odm.verify().await.unwrap().is_empty());
}
