//! The keys that a join requests, and the positions of the returned documents: order, repeated
//! keys, gaps and nulls.

use futures_util::TryStreamExt;
use mongo_odm::{Error, bson::Bson, prelude::*, relation::Slot};
use odm_tests::{
    Harness,
    sent::{keys_of, only, stored},
    shop::*,
};

/// A kit whose array of parts may be missing or null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kits")]
struct Kit {
    #[serde(rename = "_id")]
    id: Id<Kit>,
    name: String,
    #[serde(default)]
    #[refs(many)]
    parts: Option<Vec<Id<Part>>>,
}

/// A rack with places that may be empty, and with an optional favorite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: Id<Rack>,
    #[refs(many)]
    places: Vec<Option<Id<Part>>>,
    #[refs(one)]
    best: Option<Id<Part>>,
}

fn rack(places: impl IntoIterator<Item = Option<Id<Part>>>, best: Option<Id<Part>>) -> Rack {
    Rack {
        id: Id::new(),
        places: places.into_iter().collect(),
        best,
    }
}

fn numbers<'a>(parts: impl IntoIterator<Item = &'a Part>) -> Vec<String> {
    parts.into_iter().map(|part| part.name.clone()).collect()
}

fn nth(at: usize) -> String {
    format!("#{at} grommet")
}

#[tokio::test]
async fn documents_come_in_stored_order_not_in_that_of_the_server() {
    let t = Harness::new("documents_come_in_stored_order").await;
    let parts = parts(5);
    t.given(&parts).await;
    let product = product(1, [4, 1, 3, 0, 2].map(|at| &parts[at]));
    let expected = [4, 1, 3, 0, 2].map(nth);
    assert_eq!(
        numbers(&product.load_parts(&t.odm).await.unwrap()),
        expected
    );
    let joined = Product::join_parts([&product], &t.odm).await.unwrap();
    assert_eq!(numbers(joined.of(&product)), expected);
    let streamed: Vec<Part> = product
        .load_parts(&t.odm)
        .stream()
        .try_collect()
        .await
        .unwrap();
    assert_eq!(numbers(&streamed), expected);
}

#[tokio::test]
async fn a_repeated_reference_is_sent_once_and_fills_every_position() {
    let t = Harness::new("a_repeated_reference").await;
    let parts = parts(3);
    t.given(&parts).await;
    let product = product(1, [2, 0, 2, 2, 1, 0].map(|at| &parts[at]));
    let expected = [2, 0, 2, 2, 1, 0].map(nth);
    t.forget();
    assert_eq!(
        numbers(&product.load_parts(&t.odm).await.unwrap()),
        expected
    );
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 3);
    t.forget();
    let joined = Product::join_parts([&product], &t.odm).await.unwrap();
    assert_eq!(numbers(joined.of(&product)), expected);
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 3);
    assert_eq!(joined.len(), 3);
}

#[tokio::test]
async fn owners_share_documents_that_are_sent_once() {
    let t = Harness::new("owners_share_documents").await;
    let parts = parts(3);
    t.given(&parts).await;
    let products = [
        product(1, [&parts[0], &parts[1]]),
        product(2, [&parts[1], &parts[0], &parts[1]]),
        product(3, [&parts[2]]),
    ];
    t.forget();
    let joined = Product::join_parts(&products, &t.odm).await.unwrap();
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 3);
    assert_eq!(joined.len(), 3);
    let of = |at: usize| numbers(joined.of(&products[at]));
    assert_eq!(of(0), [nth(0), nth(1)]);
    assert_eq!(of(1), [nth(1), nth(0), nth(1)]);
    assert_eq!(of(2), [nth(2)]);
    let first = joined.of(&products[0]).next().unwrap();
    assert!(
        std::ptr::eq(first, joined.of(&products[1]).nth(1).unwrap()),
        "owned once"
    );
    // The result also works with a clone of an owner, and for an owner that was not part of the join it contains the
    // documents with the owner's keys.
    assert_eq!(numbers(joined.of(&products[2].clone())), [nth(2)]);
    assert_eq!(joined.of(&product(4, [&part(9)])).len(), 0);
}

#[tokio::test]
async fn missing_documents_are_left_out_and_reported() {
    let t = Harness::new("missing_documents").await;
    let parts = parts(4);
    t.given(&[parts[0].clone(), parts[2].clone()]).await;
    let product = product(1, [3, 2, 1, 0, 3].map(|at| &parts[at]));
    let mut gone = [parts[1].id, parts[3].id].map(|id| format!("ObjectId(\"{id}\")"));
    gone.sort();

    let load = || product.load_parts(&t.odm);
    assert_eq!(numbers(&load().await.unwrap()), [nth(2), nth(0)]);
    let missing = load().missing().await.unwrap();
    assert_eq!(
        missing.iter().map(ToString::to_string).collect::<Vec<_>>(),
        gone
    );
    let places: Vec<_> = load()
        .slots()
        .await
        .unwrap()
        .into_iter()
        .map(Slot::found)
        .collect();
    let expected = [None, Some(&parts[2]), None, Some(&parts[0]), None];
    assert_eq!(places, expected.map(Option::<&Part>::cloned));

    let joined = Product::join_parts([&product], &t.odm).await.unwrap();
    assert_eq!(numbers(joined.of(&product)), [nth(2), nth(0)]);
    assert_eq!(
        joined
            .missing()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        gone
    );
    let slots = joined.slots_of(&product);
    assert_eq!(
        slots.iter().map(Slot::is_missing).collect::<Vec<_>>(),
        [true, false, true, false, true]
    );
    let Slot::Missing(key) = &slots[0] else {
        panic!("{slots:?}")
    };
    assert_eq!(key.to_bson(), Bson::from(parts[3].id));
}

#[tokio::test]
async fn require_all_names_the_relation_the_collection_and_the_keys() {
    let t = Harness::new("require_all").await;
    let parts = parts(15);
    t.given(&parts[..1]).await;
    let two_gone = product(1, &parts[..3]);
    let all_there = product(2, [&parts[0], &parts[0]]);
    let expected = format!(
        "2 of the documents for `Product.parts` are missing in `parts`: \
         ObjectId(\"{}\"), ObjectId(\"{}\"); insert these documents, or correct the references",
        parts[1].id, parts[2].id
    );
    let error = two_gone.load_parts(&t.odm).require_all().await.unwrap_err();
    assert_eq!(error.to_string(), expected);
    let error = Product::join_parts([&two_gone, &all_there], &t.odm)
        .require_all()
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), expected);
    let Error::Missing {
        relation,
        model,
        collection,
        keys,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (relation.as_str(), model, collection, keys.len()),
        ("Product.parts", "Part", "parts", 2)
    );
    let error = two_gone
        .load_parts(&t.odm)
        .require_all()
        .slots()
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), expected);
    let sorted = two_gone
        .load_parts(&t.odm)
        .sort(Part::fields().name.asc())
        .limit(1)
        .require_all();
    assert_eq!(sorted.await.unwrap_err().to_string(), expected);
    let streamed = two_gone.load_parts(&t.odm).require_all().stream();
    let error = streamed.try_collect::<Vec<_>>().await.unwrap_err();
    assert_eq!(error.to_string(), expected);

    assert_eq!(
        all_there
            .load_parts(&t.odm)
            .require_all()
            .await
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        Product::join_parts([&all_there], &t.odm)
            .require_all()
            .await
            .unwrap()
            .len(),
        1
    );

    let many_gone = product(3, &parts);
    let error = many_gone
        .load_parts(&t.odm)
        .require_all()
        .await
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("14 of the documents"), "{error}");
    assert!(error.contains(" and 4 more; insert"), "{error}");
}

#[tokio::test]
async fn no_keys_send_nothing() {
    let t = Harness::new("no_keys_send_nothing").await;
    let none = product(1, []);
    t.forget();
    assert!(none.load_parts(&t.odm).await.unwrap().is_empty());
    assert!(none.load_parts(&t.odm).slots().await.unwrap().is_empty());
    assert!(none.load_parts(&t.odm).missing().await.unwrap().is_empty());
    assert!(
        none.load_parts(&t.odm)
            .require_all()
            .sort(doc! { "name": 1 })
            .await
            .unwrap()
            .is_empty()
    );
    let stream = none
        .load_parts(&t.odm)
        .sort(doc! { "name": 1 })
        .limit(3)
        .stream();
    assert!(stream.try_collect::<Vec<_>>().await.unwrap().is_empty());
    assert_eq!(none.load_parts(&t.odm).plan().unwrap().to_string(), "");
    assert_eq!(none.count_parts(&t.odm).await.unwrap(), 0);
    let joined = Product::join_parts([&none, &none], &t.odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(joined.of(&none).len(), 0);
    assert!(joined.is_empty() && joined.slots_of(&none).is_empty());
    assert!(Product::join_parts(&[], &t.odm).await.unwrap().is_empty());
    let counts = Product::join_parts([&none], &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&none), 0);
    assert!(
        Host::join_messages(&[], &t.odm)
            .limit_each(3)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn absent_null_and_empty_arrays_send_nothing_and_stay_what_they_are() {
    let t = Harness::new("absent_null_and_empty").await;
    let kits = t.database().collection("kits");
    kits.insert_one(doc! { "_id": ObjectId::new(), "name": "absent" })
        .await
        .unwrap();
    kits.insert_one(doc! { "_id": ObjectId::new(), "name": "null", "parts": null })
        .await
        .unwrap();
    kits.insert_one(doc! { "_id": ObjectId::new(), "name": "empty", "parts": [] })
        .await
        .unwrap();
    // A document with the `_id` null. A wrong filter for a null key would match this document.
    t.database()
        .collection("parts")
        .insert_one(doc! { "_id": null, "name": "stray" })
        .await
        .unwrap();

    let found = Kit::find(&t.odm)
        .sort(Kit::fields().name.asc())
        .await
        .unwrap();
    let arrays: Vec<_> = found
        .iter()
        .map(|kit| kit.parts.as_ref().map(Vec::len))
        .collect();
    assert_eq!(arrays, [None, Some(0), None]);
    t.forget();
    for kit in &found {
        assert!(kit.load_parts(&t.odm).await.unwrap().is_empty());
        assert!(kit.load_parts(&t.odm).slots().await.unwrap().is_empty());
        assert_eq!(kit.count_parts(&t.odm).await.unwrap(), 0);
    }
    let joined = Kit::join_parts(&found, &t.odm).require_all().await.unwrap();
    assert!(found.iter().all(|kit| joined.slots_of(kit).is_empty()));
    assert_eq!(t.recorder().names(), [""; 0]);

    assert_eq!(
        stored(&t, "kits", doc! { "name": "absent" })
            .await
            .get("parts"),
        None
    );
    assert_eq!(
        stored(&t, "kits", doc! { "name": "null" })
            .await
            .get("parts"),
        Some(&Bson::Null)
    );
    assert_eq!(
        stored(&t, "kits", doc! { "name": "empty" })
            .await
            .get("parts"),
        Some(&Bson::Array(vec![]))
    );
}

#[tokio::test]
async fn owners_with_and_without_an_array_join_together() {
    let t = Harness::new("owners_with_and_without").await;
    let parts = parts(2);
    t.given(&parts).await;
    let kit = |parts: Option<Vec<Id<Part>>>| Kit {
        id: Id::new(),
        name: String::new(),
        parts,
    };
    let kits = [
        kit(None),
        kit(Some(vec![parts[1].id, parts[0].id])),
        kit(Some(vec![])),
    ];
    t.forget();
    let joined = Kit::join_parts(&kits, &t.odm).await.unwrap();
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 2);
    assert_eq!(kits.each_ref().map(|kit| joined.of(kit).len()), [0, 2, 0]);
    assert_eq!(numbers(joined.of(&kits[1])), [nth(1), nth(0)]);
}

#[tokio::test]
async fn a_null_in_an_array_keeps_its_position_and_is_never_sent() {
    let t = Harness::new("a_null_in_an_array").await;
    let parts = parts(3);
    t.given(&parts[..2]).await;
    t.database()
        .collection("parts")
        .insert_one(doc! { "_id": null })
        .await
        .unwrap();
    let ids = [
        Some(parts[1].id),
        None,
        Some(parts[2].id),
        None,
        Some(parts[0].id),
    ];
    let rack = rack(ids, None);
    t.forget();
    let slots = rack.load_places(&t.odm).slots().await.unwrap();
    let keys = keys_of(&only(&t, "find"), "_id");
    assert_eq!(keys.len(), 3);
    assert!(!keys.contains(&Bson::Null));
    assert!(matches!(&slots[..], [
        Slot::Found(second), Slot::Null, Slot::Missing(gone), Slot::Null, Slot::Found(first),
    ] if *second == parts[1] && *first == parts[0] && gone.to_bson() == parts[2].id.into()));

    let joined = Rack::join_places([&rack], &t.odm).await.unwrap();
    assert_eq!(
        joined.slots_of(&rack),
        slots.iter().map(by_reference).collect::<Vec<_>>()
    );
    assert_eq!(numbers(joined.of(&rack)), [nth(1), nth(0)]);
    assert_eq!(
        joined.missing().len(),
        1,
        "a null is not a missing document"
    );
}

fn by_reference(slot: &Slot<Part>) -> Slot<&Part> {
    match slot {
        Slot::Found(part) => Slot::Found(part),
        Slot::Missing(key) => Slot::Missing(key.clone()),
        _ => Slot::Null,
    }
}

#[tokio::test]
async fn nothing_but_nulls_sends_nothing() {
    let t = Harness::new("nothing_but_nulls").await;
    let rack = rack([None, None], None);
    t.forget();
    assert_eq!(
        rack.load_places(&t.odm).slots().await.unwrap(),
        [Slot::Null, Slot::Null]
    );
    assert!(
        rack.load_places(&t.odm)
            .require_all()
            .await
            .unwrap()
            .is_empty()
    );
    let joined = Rack::join_places([&rack], &t.odm).await.unwrap();
    assert_eq!(joined.slots_of(&rack), [Slot::Null, Slot::Null]);
    assert_eq!(rack.load_best(&t.odm).await.unwrap(), None);
    assert!(rack.load_best(&t.odm).plan().unwrap().statements.is_empty());
    let best = Rack::join_best([&rack], &t.odm).await.unwrap();
    assert_eq!(best.one_of(&rack), None);
    assert_eq!(best.slots_of(&rack), [Slot::Null]);
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_required_reference_that_is_null_or_leads_nowhere_is_an_error() {
    let t = Harness::new("a_required_reference").await;
    let parts = parts(2);
    t.given(&parts[..1]).await;
    let there = rack([], Some(parts[0].id));
    assert_eq!(there.load_best(&t.odm).require().await.unwrap(), parts[0]);
    let gone = rack([], Some(parts[1].id));
    assert_eq!(gone.load_best(&t.odm).await.unwrap(), None);
    assert_eq!(
        gone.load_best(&t.odm)
            .require()
            .await
            .unwrap_err()
            .to_string(),
        format!(
            "1 of the documents for `Rack.best` are missing in `parts`: ObjectId(\"{}\"); insert these documents, \
             or correct the references",
            parts[1].id
        )
    );
    let null = rack([], None);
    assert_eq!(
        null.load_best(&t.odm)
            .require()
            .await
            .unwrap_err()
            .to_string(),
        "1 of the documents for `Rack.best` are missing in `parts`: null; insert these documents, or correct the references"
    );
}

#[tokio::test]
async fn to_one_references_of_many_owners_join_with_nulls_and_gaps() {
    let t = Harness::new("to_one_references").await;
    let parts = parts(3);
    t.given(&parts[..2]).await;
    let racks = [Some(1), None, Some(0), Some(2), Some(1)]
        .map(|best: Option<usize>| rack([], best.map(|at| parts[at].id)));
    t.forget();
    let best = Rack::join_best(&racks, &t.odm).await.unwrap();
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 3);
    let found = racks
        .each_ref()
        .map(|rack| best.one_of(rack).map(|part| part.name.clone()));
    assert_eq!(
        found,
        [Some(nth(1)), None, Some(nth(0)), None, Some(nth(1))]
    );
    assert!(best.slots_of(&racks[3])[0].is_missing());
}
