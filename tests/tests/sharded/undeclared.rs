//! A model that does not declare the shard key of its collection, which is sharded by `_id`.

use mongo_odm::{
    ErrorKind, IndexSpec, Odm,
    bson::{Bson, Document, doc},
    mongodb::{Client, IndexModel},
    prelude::*,
};
use mongo_odm_testkit::{Recorder, Sent};

use crate::models::{cluster, empty};

/// A ticket of a queue. The collection has a shard key that the model does not declare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "undeclared_tickets", has_many(notes = "Note.ticket"))]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
    state: String,
}

/// A note in a collection that is not sharded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "undeclared_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i32>,
    #[parent_ref]
    ticket: Id<Ticket, i32>,
}

/// Returns a handle to a database with twelve tickets. Each shard has some of them.
async fn tickets(name: &str) -> Odm {
    let odm = empty(name).await;
    let namespace = format!("{name}.undeclared_tickets");
    let key = doc! { "_id": "hashed" };
    cluster()
        .await
        .shard_collection(&namespace, key)
        .await
        .unwrap();
    let all = (0..12).map(|id| Ticket {
        id: Id::from_key(id),
        state: "new".into(),
    });
    let all: Vec<Ticket> = all.collect();
    Ticket::insert_many(&odm, &all).await.unwrap();
    let per_shard = cluster().await.documents_per_shard(&namespace).await;
    assert!(!per_shard.unwrap().contains(&0));
    odm
}

#[tokio::test]
async fn the_id_of_the_document_is_found_first() {
    let odm = tickets("undeclared_outside").await;
    let fields = Ticket::fields();
    let take = || {
        let take = Ticket::find_one_and_update(&odm, fields.state.eq("new"));
        take.set(fields.state, "taken").sort(fields.id.desc())
    };
    assert_eq!(take().await.unwrap().unwrap().id, Id::from_key(11));
    assert_eq!(take().await.unwrap().unwrap().id, Id::from_key(10));
    let none = Ticket::find_one_and_update(&odm, fields.state.eq("none"));
    assert_eq!(none.set(fields.state, "taken").await.unwrap(), None);
    assert_eq!(
        Ticket::count(&odm)
            .filter(fields.state.eq("taken"))
            .await
            .unwrap(),
        2
    );
}

/// If the cluster rejected a statement, the transaction would be aborted.
#[tokio::test]
async fn the_id_of_the_document_is_found_first_in_a_transaction() {
    let odm = tickets("undeclared_inside").await;
    let fields = Ticket::fields();
    let taken = odm
        .transaction(async |tx| {
            let take = || {
                let take = Ticket::find_one_and_update(&tx, fields.state.eq("new"));
                take.set(fields.state, "taken").sort(fields.id.desc())
            };
            Ok([take().await?, take().await?])
        })
        .await
        .unwrap();
    assert_eq!(taken.map(|it| it.unwrap().id), [11, 10].map(Id::from_key));
}

/// This collection is not sharded, so the cluster accepts any filter.
#[tokio::test]
async fn a_collection_that_is_not_sharded_needs_one_statement() {
    let odm = empty("undeclared_whole").await;
    let ticket = Ticket {
        id: Id::from_key(1),
        state: "new".into(),
    };
    ticket.insert(&odm).await.unwrap();
    let fields = Ticket::fields();
    let take = Ticket::find_one_and_update(&odm, fields.state.eq("new"));
    let observed = odm
        .observe(take.set(fields.state, "taken").into_future())
        .await;
    assert!(observed.value.unwrap().is_some());
    assert_eq!(observed.sent.len(), 1, "{:#?}", observed.sent);
}

/// The cluster also requires the `_id` in the filter if no document matches yet.
#[tokio::test]
async fn an_upsert_finds_or_chooses_the_id() {
    let odm = tickets("undeclared_upsert").await;
    let fields = Ticket::fields();
    let take = |id| {
        let filter = fields.state.eq("reopened");
        let upsert = Ticket::upsert(&odm, filter);
        upsert.set_on_insert(fields.id, Id::from_key(id))
    };
    let inserted = take(20).await.unwrap();
    assert_eq!(inserted.upserted_id, Some(20.into()));
    let found = take(21).set(fields.state, "new").await.unwrap();
    assert_eq!((found.matched, found.upserted_id), (1, None));
    assert_eq!(
        Ticket::get(&odm, Id::from_key(20)).await.unwrap().state,
        "new"
    );
}

/// Several calls find the same ticket first. A call that finds no ticket inserts one.
#[tokio::test]
async fn concurrent_upserts_take_different_documents() {
    let odm = tickets("undeclared_concurrent").await;
    let fields = Ticket::fields();
    let calls = (0..20).map(|number| {
        let upsert = Ticket::upsert(&odm, fields.state.eq("new")).set(fields.state, "taken");
        let upsert = upsert.set_on_insert(fields.id, Id::from_key(100 + number));
        async { upsert.await.unwrap() }
    });
    let reports = futures_util::future::join_all(calls).await;
    let matched: u64 = reports.iter().map(|it| it.matched).sum();
    let inserted = reports.iter().filter(|it| it.upserted_id.is_some());
    assert_eq!((matched, inserted.count()), (12, 8));
    let taken = Ticket::count(&odm).filter(fields.state.eq("taken"));
    assert_eq!(taken.await.unwrap(), 20);
}

/// In a shared command, the cluster would reject each upsert whose filter lacks the `_id`.
#[tokio::test]
async fn upserts_of_a_bulk_write_find_or_choose_the_id() {
    let odm = tickets("undeclared_bulk").await;
    let fields = Ticket::fields();
    let upsert = |state: &str, id: i32| {
        let upsert = Ticket::upsert(&odm, fields.state.eq(state));
        upsert.set_on_insert(fields.id, Id::from_key(id))
    };
    let update = || Ticket::update(&odm, Id::from_key(3)).set(fields.state, "seen");
    let ordered = odm.bulk_write().add(upsert("a", 20)).add(upsert("b", 21));
    let counts = ordered.add(update()).await.unwrap().counts;
    assert_eq!((counts.upserted.len(), counts.matched), (2, 1));
    let unordered = odm.bulk_write().unordered().add(upsert("a", 22));
    let unordered = unordered.add(update()).add(upsert("c", 23));
    let counts = unordered.await.unwrap().counts;
    let upserted: Vec<(usize, Bson)> = counts.upserted.into_iter().collect();
    assert_eq!((upserted, counts.matched), (vec![(2, Bson::Int32(23))], 2));
    let inside = odm.transaction(async |tx| {
        let upsert = |state: &str, id: i32| {
            let upsert = Ticket::upsert(&tx, fields.state.eq(state));
            upsert.set_on_insert(fields.id, Id::from_key(id))
        };
        let bulk = tx.bulk_write().add(upsert("d", 24));
        bulk.add(upsert("a", 25)).await
    });
    let counts = inside.await.unwrap().counts;
    assert_eq!((counts.upserted.len(), counts.matched), (1, 1));
    assert_eq!(Ticket::count(&odm).await.unwrap(), 16);
}

/// On this collection, the cluster rejects a `$lookup` after `$documents`, because only the router can run
/// `$documents`.
#[tokio::test]
async fn limits_for_each_parent_hold_in_a_collection_that_is_not_sharded() {
    let odm = tickets("undeclared_limits").await;
    odm.sync_indexes().only::<Note>().await.unwrap();
    let notes: Vec<Note> = (0..36)
        .map(|id| Note {
            id: Id::from_key(id),
            ticket: Id::from_key(id % 12),
        })
        .collect();
    Note::insert_many(&odm, &notes).await.unwrap();
    let tickets = Ticket::find(&odm)
        .sort(Ticket::fields().id.asc())
        .await
        .unwrap();
    let newest = Ticket::join_notes(&tickets, &odm)
        .sort(Note::fields().id.desc())
        .limit_each(2)
        .await
        .unwrap();
    for ticket in &tickets {
        let expected = [24, 12].map(|more| Id::from_key(ticket.id.key() + more));
        assert!(newest.of(ticket).map(|note| note.id).eq(expected));
    }
}

/// A cluster does not allow the index of a shard key to be dropped.
#[tokio::test]
async fn the_index_of_the_shard_key_is_not_undeclared() {
    let odm = tickets("undeclared_indexes").await;
    let tickets = odm.database().collection::<Document>("undeclared_tickets");
    let other = IndexModel::builder().keys(doc! { "state": 1 }).build();
    tickets.create_index(other).await.unwrap();
    let names = |all: &[IndexSpec]| all.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let diff = odm.index_diff().only::<Ticket>().await.unwrap();
    assert_eq!(names(&diff.undeclared), ["state_1"]);
    assert_eq!(names(&diff.present), ["_id_hashed"]);
    let sync = odm.sync_indexes().only::<Ticket>().drop_undeclared();
    let report = sync.await.unwrap();
    assert_eq!(report.dropped.len(), 1, "{report}");
    let left = tickets.list_index_names().await.unwrap();
    assert_eq!(left, ["_id_", "_id_hashed"]);
}

/// A queue that counts its calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "undeclared_queues")]
struct Queue {
    #[serde(rename = "_id")]
    id: Id<Queue, i32>,
    #[rollup(count, of = Call, via = queue)]
    calls: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "undeclared_calls")]
struct Call {
    #[serde(rename = "_id")]
    id: Id<Call, i32>,
    #[parent_ref]
    queue: Option<Id<Queue, i32>>,
}

/// Another program has stored an array in place of the reference. A cluster rejects an update of one document if the
/// filter contains an array.
#[tokio::test]
async fn a_reference_that_was_an_array_is_replaced() {
    let odm = empty("undeclared_arrays").await;
    let key = doc! { "_id": "hashed" };
    let sharded = cluster()
        .await
        .shard_collection("undeclared_arrays.undeclared_queues", key);
    sharded.await.unwrap();
    let queue = Id::from_key(1);
    let new = Queue {
        id: queue,
        calls: 0,
    };
    new.insert(&odm).await.unwrap();
    let call = Call {
        id: Id::from_key(1),
        queue: None,
    };
    call.insert(&odm).await.unwrap();
    let calls = odm.database().collection::<Document>("undeclared_calls");
    let array = doc! { "$set": { "queue": [[1, 2]] } };
    calls.update_one(doc! { "_id": 1 }, array).await.unwrap();
    let to_queue = Call::update(&odm, call.id).set(Call::fields().queue, Some(queue));
    to_queue.await.unwrap();
    assert_eq!(Queue::get(&odm, queue).await.unwrap().calls, 1);
}

/// A cluster splits an ordered insert into one statement for each sequence of documents of the same shard.
#[tokio::test]
async fn inserts_in_transactions_have_no_order() {
    let name = "undeclared_inserts";
    empty(name).await;
    let mut options = cluster().await.client_options().await.unwrap();
    let recorder = Recorder::attached_to(&mut options);
    let client = Client::with_options(options).unwrap();
    let odm = Odm::new(client.database(name));
    let queue = Queue {
        id: Id::from_key(1),
        calls: 0,
    };
    queue.insert(&odm).await.unwrap();
    let calls = |ids: std::ops::Range<i32>| -> Vec<Call> {
        let call = |id| Call {
            id: Id::from_key(id),
            queue: Some(queue.id),
        };
        ids.map(call).collect()
    };
    let is_ordered = |sent: &[Sent]| {
        let inserts = sent.iter().filter(|it| it.name == "insert");
        inserts
            .map(|it| it.command.get_bool("ordered").unwrap())
            .collect::<Vec<_>>()
    };
    recorder.clear();
    Call::insert_many(&odm, &calls(0..50)).await.unwrap();
    assert_eq!(is_ordered(&recorder.commands()), [false]);
    let stored = Queue::get(&odm, queue.id).await.unwrap();
    assert_eq!(stored.calls, 50);
    // The transaction ends at the document that is rejected.
    let rejected = Call::insert_many(&odm, &calls(49..60)).await.unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::DuplicateKey, "{rejected}");
    let stored = Queue::get(&odm, queue.id).await.unwrap();
    assert_eq!((stored.calls, Call::count(&odm).await.unwrap()), (50, 50));
    recorder.clear();
    let ticket = |id| Ticket {
        id: Id::from_key(id),
        state: "new".into(),
    };
    Ticket::insert_many(&odm, &[1, 2].map(ticket))
        .await
        .unwrap();
    assert_eq!(is_ordered(&recorder.commands()), [true]);
}

/// The handle has not asked the server yet whether it is a cluster.
#[tokio::test]
async fn the_first_insert_of_a_handle_in_a_transaction_has_no_order() {
    let name = "undeclared_first_insert";
    empty(name).await;
    let mut options = cluster().await.client_options().await.unwrap();
    let recorder = Recorder::attached_to(&mut options);
    let odm = Odm::new(Client::with_options(options).unwrap().database(name));
    let tickets = [1, 2].map(|id| Ticket {
        id: Id::from_key(id),
        state: "new".into(),
    });
    let inserted = odm.transaction(async |tx| Ticket::insert_many(&tx, &tickets).await);
    assert_eq!(inserted.await.unwrap().inserted, 2);
    // If the cluster must create the collection first, the transaction runs again.
    let sent = recorder.commands();
    let mut inserts = sent.iter().filter(|it| it.name == "insert");
    assert!(inserts.all(|it| !it.command.get_bool("ordered").unwrap()));
}

/// A crate. Other programs store single values and arrays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "undeclared_crates")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate, i32>,
    size: Bson,
    boxes: CrateBox,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct CrateBox {
    kind: Bson,
    marks: Bson,
}

/// Returns a handle to a database with twelve crates. Each shard has some of them.
async fn crates(name: &str) -> Odm {
    let odm = empty(name).await;
    let namespace = format!("{name}.undeclared_crates");
    let key = doc! { "_id": "hashed" };
    let sharded = cluster().await.shard_collection(&namespace, key);
    sharded.await.unwrap();
    let of = |kind: &str, marks: &[&str]| doc! { "kind": kind, "marks": marks };
    let kinds = [
        doc! { "size": 1_i64, "boxes": [of("x", &["m", "n"]), of("y", &[])] },
        doc! { "size": [2, 1.0, []], "boxes": of("x", &["n"]) },
        doc! { "size": Bson::Null, "boxes": [{ "kind": ["z", "x"], "marks": "o" }] },
        doc! { "size": [], "boxes": Bson::Null },
    ];
    let all = (0..12_i32).zip(kinds.iter().cycle()).map(|(id, fields)| {
        let mut whole = doc! { "_id": id };
        whole.extend(fields.clone());
        whole
    });
    let crates = odm.database().collection("undeclared_crates");
    crates.insert_many(all).await.unwrap();
    let per_shard = cluster().await.documents_per_shard(&namespace).await;
    assert!(!per_shard.unwrap().contains(&0));
    odm
}

/// A cluster rejects `distinct` on a sharded collection in a transaction.
#[tokio::test]
async fn distinct_values_are_the_same_in_a_transaction() {
    let odm = crates("undeclared_distinct").await;
    let fields = Crate::fields();
    macro_rules! same {
        ($field:expr, $number:literal) => {{
            let some = || fields.id.gte(Id::from_key(4));
            let outside = Crate::distinct(&odm, $field).filter(some());
            let mut outside = outside.await.unwrap();
            let inside = odm.transaction(async |tx| {
                let inside = Crate::distinct(&tx, $field).filter(some());
                inside.await
            });
            let mut inside = inside.await.unwrap();
            // The same number can have a different type.
            let text = |value: &Bson| {
                value
                    .as_f64()
                    .map_or(value.to_string(), |it| it.to_string())
            };
            outside.sort_by_key(text);
            inside.sort_by_key(text);
            let [outside, inside] =
                [outside, inside].map(|all| all.iter().map(text).collect::<Vec<_>>());
            assert_eq!(inside, outside);
            assert_eq!(inside.len(), $number, "{inside:?}");
        }};
    }
    same!(fields.size, 4);
    same!(fields.boxes.kind, 3);
    same!(fields.boxes.marks, 3);
}
