//! Inserts whose derived data changes the inserted documents.

use std::sync::Mutex;

use mongo_odm::{Committed, Odm, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_events")]
struct Event {
    #[serde(rename = "_id")]
    id: Id<Event, i32>,
    #[rollup(count, of = "Seat", via = "event")]
    sold: i64,
}

/// A seat with a copy of its event's number of seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_seats", hooks)]
struct Seat {
    #[serde(rename = "_id")]
    id: Id<Seat, i32>,
    #[parent_ref]
    event: Id<Event, i32>,
    #[denorm(from = "Event.sold")]
    sold: i64,
}

static COMMITTED: Mutex<Vec<i64>> = Mutex::new(Vec::new());

impl Hooks for Seat {
    async fn after_commit(&self, _: Committed, _: &Odm) -> mongo_odm::Result<()> {
        COMMITTED.lock().unwrap().push(self.sold);
        Ok(())
    }
}

#[derive(Clone, Debug, Deserialize, Insertable)]
#[insertable(of = "Seat")]
struct NewSeat {
    #[serde(rename = "_id")]
    id: Id<Seat, i32>,
    event: Id<Event, i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, i32>,
    #[refs(many, inverse = "friends")]
    friends: Vec<Id<Person, i32>>,
}

#[derive(Clone, Debug, Deserialize, Insertable)]
#[insertable(of = "Person")]
struct NewPerson {
    #[serde(rename = "_id")]
    id: Id<Person, i32>,
    friends: Vec<Id<Person, i32>>,
}

/// A document that can be its own parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "own_nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: Id<Node, i32>,
    name: String,
    #[parent_ref]
    parent: Option<Id<Node, i32>>,
    #[denorm(from = "Node.name", via = "parent")]
    parent_name: Option<String>,
    #[rollup(count, of = "Node", via = "parent")]
    children: i64,
}

#[derive(Clone, Debug, Deserialize, Insertable)]
#[insertable(of = "Node")]
struct NewNode {
    #[serde(rename = "_id")]
    id: Id<Node, i32>,
    name: String,
    parent: Option<Id<Node, i32>>,
}

#[tokio::test]
async fn a_copy_of_a_counter_contains_the_inserted_document() {
    let t = Harness::long_declared("ins_own_counter").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Seat>().await.unwrap();
    let event = Id::from_key(1);
    Event { id: event, sold: 0 }.insert(odm).await.unwrap();
    let new = |number| NewSeat {
        id: Id::from_key(number),
        event,
    };
    let seat = new(1).insert(odm).await.unwrap();
    assert_eq!(seat.sold, 1);
    assert_eq!(Seat::get(odm, seat.id).await.unwrap(), seat);
    let seats = NewSeat::insert_many(odm, &[new(2), new(3)]).await.unwrap();
    let numbers: Vec<_> = seats.iter().map(|seat| (seat.id, seat.sold)).collect();
    assert_eq!(numbers, [(Id::from_key(2), 3), (Id::from_key(3), 3)]);
    let seen = COMMITTED.lock().unwrap().clone();
    assert_eq!(seen, [1, 3, 3]);
}

#[tokio::test]
async fn a_two_way_reference_contains_the_other_inserted_document() {
    let t = Harness::long_declared("ins_own_friends").await;
    let new = |number, friends: &[i32]| NewPerson {
        id: Id::from_key(number),
        friends: friends.iter().copied().map(Id::from_key).collect(),
    };
    let all = [new(1, &[]), new(2, &[1])];
    let people = NewPerson::insert_many(&t.odm, &all).await.unwrap();
    assert_eq!(people[0].friends, [Id::from_key(2)]);
    let stored = Person::find(&t.odm).sort(Person::fields().id.asc());
    assert_eq!(stored.await.unwrap(), people);
}

#[tokio::test]
async fn a_document_can_be_its_own_parent() {
    let t = Harness::long_declared("ins_own_parent").await;
    t.odm.sync_indexes().only::<Node>().await.unwrap();
    let (id, name) = (Id::from_key(1), "root".to_owned());
    let parent = Some(id);
    let new = NewNode { id, name, parent };
    let node = new.insert(&t.odm).await.unwrap();
    assert_eq!(node.parent_name.as_deref(), Some("root"));
    assert_eq!(node.children, 1);
    assert_eq!(Node::get(&t.odm, id).await.unwrap(), node);
}
