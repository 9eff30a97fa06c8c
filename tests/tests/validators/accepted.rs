//! Documents that a validator must accept, because the library or other versions of the program store them.

use super::*;

#[tokio::test]
async fn every_write_of_the_library_is_accepted() {
    let t = Harness::new("validators_writes").await;
    let strict = t.odm.sync_validators().level(ValidationLevel::Strict);
    strict.only::<Order>().await.unwrap();
    let odm = &t.odm;
    let mut first = order().insert(odm).returning().await.unwrap();
    let fields = Order::fields();
    Order::insert_many(odm, [&order(), &order()]).await.unwrap();
    first.title = "second".into();
    first.sent = None;
    let first = first.save(odm).returning().await.unwrap();
    let update = Order::update(odm, first.id)
        .inc(fields.number, 5_000_000_000_i64)
        .mul(fields.price, 0.5)
        .set(fields.state, State::Done)
        .push(
            fields.lines,
            Line {
                sku: "b".into(),
                qty: 2,
                note: Some("n".into()),
            },
        );
    update.await.unwrap();
    let update = Order::update(odm, first.id)
        .unset(fields.tags)
        .set(fields.next, Some(first.id))
        .set(fields.lines.at::<0>().qty, 5);
    update.await.unwrap();
    let all = Order::update_many(odm, fields.paid.eq(true));
    all.set(fields.next, None).await.unwrap();
    let new = Order {
        number: 99,
        ..order()
    };
    Order::get_or_create(odm, fields.id.eq(new.id), &new)
        .await
        .unwrap();
    let found = Order::find_one_and_update(odm, fields.number.eq(99))
        .set(fields.anything, Bson::from("x"))
        .await
        .unwrap();
    let found = found.unwrap().reload(odm).await.unwrap();
    found.replace(odm).await.unwrap();
    odm.transaction(async |tx| {
        order().insert(&tx).await?;
        Order::update(&tx, first.id)
            .set(Order::fields().email, Email("c@d".into()))
            .await?;
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(Order::find(odm).await.unwrap().len(), 5);
}

/// `Order` can still read the document after each of these changes.
#[tokio::test]
async fn documents_of_other_programs_are_accepted() {
    let t = Harness::new("validators_others").await;
    sync_orders(&t).await;
    let id = order().insert(&t.odm).returning().await.unwrap().id;
    let orders = t
        .database()
        .database()
        .collection::<Document>("valid_orders");
    for change in [
        // Fields with a default, an alias or an `Option`.
        doc! { "$unset": { "tags": 1, "next": 1, "version": 1 } },
        doc! { "$rename": { "title": "old_title" } },
        doc! { "$unset": { "lines.0.note": 1 } },
        // Aliases, and other names of enum variants.
        doc! { "$set": { "state": "closed", "colour": "Green" } },
        // Numbers of different types.
        doc! { "$set": { "number": 5, "price": 5, "lines.0.qty": 5_i64 } },
        // Fields of newer programs.
        doc! { "$set": { "newer": { "a": 1 }, "lines.0.newer": true } },
        doc! { "$set": { "anything": { "a": [1, "b"] } } },
    ] {
        let filter = doc! { "_id": id };
        orders.update_one(filter, change.clone()).await.unwrap();
        let read = Order::get(&t.odm, id).await;
        assert!(read.is_ok(), "{change} {read:?}");
    }
}

/// Returns invalid writes that are sent with the driver: the change, and the path and the operator of the violated
/// rule.
fn hostile() -> Vec<(Document, &'static str, &'static str)> {
    let line = doc! { "sku": "a", "qty": 1 };
    let lines = vec![line.clone(), line.clone(), line];
    vec![
        (doc! { "$set": { "number": "7" } }, "number", "bsonType"),
        (doc! { "$set": { "number": 7.0 } }, "number", "bsonType"),
        (doc! { "$unset": { "sent": 1 } }, "sent", "required"),
        (doc! { "$set": { "paid": 1 } }, "paid", "bsonType"),
        (doc! { "$set": { "state": "lost" } }, "state", "enum"),
        (doc! { "$set": { "state": 1 } }, "state", "enum"),
        (doc! { "$set": { "colour": 1 } }, "", ""),
        (
            doc! { "$set": { "states": ["open", "lost"] } },
            "states.1",
            "enum",
        ),
        (doc! { "$set": { "email": 1 } }, "email", "bsonType"),
        (doc! { "$set": { "at": "2026-01-01" } }, "at", "bsonType"),
        (
            doc! { "$set": { "sent": "2026-01-01" } },
            "sent",
            "bsonType",
        ),
        (doc! { "$set": { "device": "text" } }, "device", "bsonType"),
        (
            doc! { "$set": { "token": ObjectId::new() } },
            "token",
            "bsonType",
        ),
        (doc! { "$set": { "lines": lines } }, "lines", "maxItems"),
        (
            doc! { "$set": { "lines.0.qty": "2" } },
            "lines.0.qty",
            "bsonType",
        ),
        (
            doc! { "$unset": { "lines.0.sku": 1 } },
            "lines.0.sku",
            "required",
        ),
        (
            doc! { "$set": { "lines": { "sku": "a" } } },
            "lines",
            "bsonType",
        ),
        (doc! { "$unset": { "number": 1 } }, "number", "required"),
        (doc! { "$unset": { "city": 1 } }, "city", "required"),
        (doc! { "$set": { "city": 5 } }, "city", "bsonType"),
        (doc! { "$set": { "next": "x" } }, "next", "bsonType"),
        (doc! { "$set": { "tags": ["a", 1] } }, "tags.1", "bsonType"),
        (doc! { "$set": { "scores": [1] } }, "scores", "bsonType"),
        (doc! { "$set": { "version": "x" } }, "version", "bsonType"),
    ]
}

#[tokio::test]
async fn an_invalid_write_of_the_driver_is_rejected_with_its_field_and_rule() {
    let t = Harness::new("validators_hostile").await;
    sync_orders(&t).await;
    let stored = order().insert(&t.odm).returning().await.unwrap();
    let orders = t
        .database()
        .database()
        .collection::<Document>("valid_orders");
    for (change, path, rule) in hostile() {
        let updated = orders
            .update_one(doc! { "_id": stored.id }, change.clone())
            .await;
        if path.is_empty() {
            // The derive does not know the field's type, so the server accepts the value.
            updated.unwrap();
            let back = doc! { "$set": { "colour": "Red" } };
            orders
                .update_one(doc! { "_id": stored.id }, back)
                .await
                .unwrap();
            continue;
        }
        let error = Error::from(updated.expect_err(&change.to_string()));
        assert_eq!(error.kind(), ErrorKind::InvalidDocument);
        let Error::InvalidDocument { rules, id, .. } = &error else {
            panic!("{error}")
        };
        let broken: Vec<_> = rules.iter().map(|it| (&*it.path, &*it.rule)).collect();
        assert_eq!(broken, [(path, rule)], "{change}: {error}");
        assert_eq!(id.as_deref(), Some(&Bson::from(*stored.id.key())));
    }
    assert_eq!(Order::get(&t.odm, stored.id).await.unwrap(), stored);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "valid_clubs")]
struct Club {
    #[serde(rename = "_id")]
    id: Id<Club, i64>,
    name: String,
    #[refs(many, inverse = "club")]
    players: Vec<Id<Player, i64>>,
    #[rollup(count, of = Player, via = club)]
    count: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "valid_players")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player, i64>,
    #[parent_ref(inverse = "players")]
    club: Id<Club, i64>,
}

#[tokio::test]
async fn an_upsert_does_not_set_what_the_library_adds() {
    let t = Harness::long_declared("validators_upsert").await;
    let odm = &t.odm;
    odm.sync_indexes()
        .only::<Club>()
        .only::<Player>()
        .await
        .unwrap();
    let sync = odm.sync_validators().only::<Club>().only::<Player>();
    sync.level(ValidationLevel::Strict).await.unwrap();
    let (id, club) = (Id::from_key(1), Id::from_key(1));
    Player { id, club }.insert(odm).await.unwrap();
    let f = Club::fields();
    let upsert = Club::upsert(odm, f.id.eq(club)).set(f.name, "north");
    upsert.await.unwrap();
    let found: Club = Club::get(odm, club).await.unwrap();
    assert_eq!((found.players, found.count), (vec![id], 1));
}

/// A date that a newtype stores in its BSON type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct When(#[serde(with = "mongo_odm::with::native")] DateTime);

/// A key that a newtype stores in its BSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Token(#[serde(with = "mongo_odm::with::native")] uuid::Uuid);

impl mongo_odm::Key for Token {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "valid_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, Token>,
    at: When,
    seen: Vec<When>,
}

#[tokio::test]
async fn a_newtype_around_a_codec_is_accepted() {
    let t = Harness::new("validators_newtypes").await;
    t.odm.sync_validators().only::<Visit>().await.unwrap();
    let at = When(DateTime::from_millis(5));
    let visit = Visit {
        id: Id::from_key(Token(uuid::Uuid::from_bytes([1; 16]))),
        at,
        seen: vec![at],
    };
    visit.insert(&t.odm).await.unwrap();
    assert_eq!(Visit::get(&t.odm, visit.id).await.unwrap(), visit);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "owner_type", content = "owner_id")]
enum Owner {
    Visit(Id<Visit, Token>),
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "valid_owned")]
struct Owned {
    #[serde(rename = "_id")]
    id: Id<Owned>,
    #[serde(flatten)]
    #[refs(one, polymorphic)]
    owner: Owner,
    #[refs(one, polymorphic)]
    buyer: Owner,
    #[refs(one, polymorphic)]
    maybe: Option<Owner>,
    #[refs(many, polymorphic)]
    also: Vec<Owner>,
}

#[tokio::test]
async fn a_polymorphic_reference_without_a_key_is_accepted() {
    let t = Harness::new("validators_flattened_kinds").await;
    t.odm.sync_validators().only::<Owned>().await.unwrap();
    let token = Token(uuid::Uuid::from_bytes([1; 16]));
    for owner in [Owner::Nothing, Owner::Visit(Id::from_key(token))] {
        let owned = Owned {
            id: Id::new(),
            owner: owner.clone(),
            buyer: owner.clone(),
            maybe: Some(owner.clone()),
            also: vec![owner.clone(), Owner::Nothing, owner],
        };
        owned.insert(&t.odm).await.unwrap();
        assert_eq!(Owned::get(&t.odm, owned.id).await.unwrap(), owned);
    }
    let without_kind = doc! { "buyer": { "owner_type": "Nothing" }, "also": [] };
    let stored = t.odm.database().collection::<Document>("valid_owned");
    stored.insert_one(without_kind).await.unwrap_err();
}
