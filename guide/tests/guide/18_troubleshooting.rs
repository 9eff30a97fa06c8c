//! Chapter 18: one entry for each error code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    time::Duration,
};

use mongo_odm::{
    Error, ErrorKind, Settle,
    action::{PageToken, ResumeToken},
    bson::Document,
    prelude::*,
};
use odm_guide::{Chapter, anchors, chapters, read, root, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "lodges")]
struct Lodge {
    #[serde(rename = "_id")]
    id: Id<Lodge, i32>,
    #[index(unique)]
    name: String,
    #[refs(many, max = 2)]
    guests: Vec<Id<Guest, i32>>,
    #[refs(many, inverse = "lodge")]
    keys: Vec<Id<RoomKey, i32>>,
    stars: u64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "guests", has_one(badge = "Badge.guest"))]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest, i32>,
    name: String,
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Guest")]
#[serde(default)]
struct GuestPatch {
    name: Presence<String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge, i32>,
    #[parent_ref(exists, on_delete = "restrict")]
    guest: Id<Guest, i32>,
    #[denorm(from = "Guest.name")]
    guest_name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "house_rules")]
struct HouseRule {
    #[serde(rename = "_id")]
    id: Id<HouseRule, i32>,
    text: String,
    #[version]
    version: i64,
}

#[derive(Debug, Serialize, Deserialize, Model, garde::Validate)]
#[model(collection = "permits", validate)]
struct Permit {
    #[serde(rename = "_id")]
    #[garde(skip)]
    id: Id<Permit, i32>,
    #[garde(length(min = 1))]
    text: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "notices", hooks)]
struct Notice {
    #[serde(rename = "_id")]
    id: Id<Notice, i32>,
    text: String,
}

impl Hooks for Notice {
    async fn before_insert(&mut self, _tx: &Tx) -> mongo_odm::Result<()> {
        Err(Error::custom("the board is full"))
    }
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "room_keys")]
struct RoomKey {
    #[serde(rename = "_id")]
    id: Id<RoomKey, i32>,
    #[parent_ref(inverse = "keys")]
    lodge: Option<Id<Lodge, i32>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "visitors")]
struct Visitor {
    #[serde(rename = "_id")]
    id: Id<Visitor, i32>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "room_rates")]
struct RoomRate {
    #[serde(rename = "_id")]
    id: Id<RoomRate, i32>,
    price: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "bills")]
struct Bill {
    #[serde(rename = "_id")]
    id: Id<Bill, i32>,
    #[rollup(sum, of = "Payment", via = "bill", field = "cents")]
    paid: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "payments")]
struct Payment {
    #[serde(rename = "_id")]
    id: Id<Payment, i32>,
    #[parent_ref]
    bill: Id<Bill, i32>,
    cents: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "reports")]
struct Report {
    #[serde(rename = "_id")]
    id: Id<Report, i32>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// Chooses the status of an HTTP response.
fn status(error: &Error) -> u16 {
    match error.kind() {
        ErrorKind::NotFound => 404,
        ErrorKind::DuplicateKey | ErrorKind::Restricted | ErrorKind::Reassigned => 409,
        ErrorKind::NoTarget | ErrorKind::BoundExceeded => 422,
        ErrorKind::InvalidPageToken => 400,
        ErrorKind::WriteConflict | ErrorKind::Timeout | ErrorKind::Unreachable => 503,
        _ => 500,
    }
}

/// The messages by code.
type Messages = BTreeMap<&'static str, String>;

/// Adds the message of an error with this code.
fn fails<T: Debug>(messages: &mut Messages, code: &'static str, done: mongo_odm::Result<T>) {
    let error = done.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    messages.insert(code, error.to_string());
}

fn key<M: Model>(key: i32) -> Id<M, i32> {
    Id::from_key(key)
}

fn lodge(id: i32, name: &str, guests: &[i32]) -> Lodge {
    Lodge {
        id: key(id),
        name: name.into(),
        guests: guests.iter().map(|id| key(*id)).collect(),
        keys: Vec::new(),
        stars: 3,
    }
}

fn badge(id: i32, guest: i32) -> Badge {
    Badge {
        id: key(id),
        guest: key(guest),
        guest_name: String::new(),
    }
}

async fn reads(messages: &mut Messages, odm: &Odm) -> mongo_odm::Result<()> {
    let alpine = lodge(1, "Alpine", &[1, 404]);
    let kim = Guest::get(odm, key::<Guest>(1)).await?;
    let missing = Guest::get(odm, key::<Guest>(404)).await;
    assert_eq!(missing.as_ref().map_err(status).unwrap_err(), 404);
    fails(messages, "odm.not_found", missing);
    let loaded = alpine.load_guests(odm).require_all().await;
    fails(messages, "odm.missing", loaded);
    let lee = Guest::fields().name.eq("Lee");
    let loaded = alpine.load_guests(odm).filter(lee).require_all().await;
    fails(messages, "odm.unmatched", loaded);
    fails(messages, "odm.ambiguous", kim.load_badge(odm).await);
    let both = lodge(2, "Both", &[1, 2]);
    let small = odm.with_settings(odm.settings().clone().max_documents(1));
    let loaded = both.load_guests(&small).await;
    fails(messages, "odm.too_many_documents", loaded);
    let mut settings = odm.settings().clone();
    settings.range_bytes = 8;
    let tight = odm.with_settings(settings);
    let sorted = both.load_guests(&tight).sort(Guest::fields().name.asc());
    fails(messages, "odm.too_many_keys", sorted.await);
    fails(messages, "odm.decode", Visitor::find(odm).await);
    let token = "next".parse::<PageToken>();
    fails(messages, "odm.invalid_page_token", token);
    let token = "nonsense".parse::<ResumeToken>();
    fails(messages, "odm.invalid_resume_token", token);
    Ok(())
}

async fn writes(messages: &mut Messages, odm: &Odm) -> mongo_odm::Result<()> {
    let twin = lodge(3, "Alpine", &[]).insert(odm).await;
    fails(messages, "odm.duplicate_key", twin);
    let push = Lodge::update(odm, key::<Lodge>(1)).push(Lodge::fields().guests, key::<Guest>(2));
    fails(messages, "odm.bound_exceeded", push.await);
    let delete = Guest::delete(odm, key::<Guest>(1)).await;
    fails(messages, "odm.restricted", delete);
    fails(messages, "odm.no_target", badge(9, 404).insert(odm).await);

    let room = RoomKey {
        id: key(5),
        lodge: Some(key(1)),
    };
    room.insert(odm).await?;
    for (id, name) in [(4, "Coast"), (5, "Dune")] {
        lodge(id, name, &[]).insert(odm).await?;
    }
    let moved = RoomKey::update(odm, room.id).set(RoomKey::fields().lodge, key::<Lodge>(4));
    moved.await?;
    let reassigned = room.reassign_lodge(odm, key::<Lodge>(5)).await;
    fails(messages, "odm.reassigned", reassigned);
    let rule = HouseRule {
        id: key(1),
        text: "no pets".into(),
        version: 0,
    };
    rule.insert(odm).await?;
    fails(messages, "odm.conflict", rule.save(odm).await);
    let payment = |id, cents| Payment {
        id: key(id),
        bill: key(3),
        cents,
    };
    let bill = Bill {
        id: key(3),
        paid: 0,
    };
    bill.insert(odm).await?;
    payment(1, i64::MAX).insert(odm).await?;
    fails(messages, "odm.overflow", payment(2, 1).insert(odm).await);
    let report = Report {
        id: key(7),
        deleted_at: None,
    };
    report.insert(odm).await?;
    Report::delete(odm, report.id).await?;
    fails(messages, "odm.deleted", report.save(odm).await);
    let permit = Permit {
        id: key(1),
        text: String::new(),
    };
    fails(messages, "odm.validation", permit.insert(odm).await);
    // A program with newer models has stored the validator.
    let newer = doc! { "$jsonSchema": { "required": ["colour"] } };
    let create = doc! { "create": "room_rates", "validator": newer };
    odm.database().run_command(create).await?;
    let rate = RoomRate {
        id: key(1),
        price: 90,
    };
    fails(messages, "odm.invalid_document", rate.insert(odm).await);
    let notice = Notice {
        id: key(1),
        text: String::new(),
    };
    fails(messages, "odm.hook", notice.insert(odm).await);
    let moving = odm.move_documents(|old: Visitor| Guest {
        id: key(9),
        name: old.name,
    });
    fails(messages, "odm.id_taken", moving.await);
    let stars = Lodge::update(odm, key::<Lodge>(1)).set(Lodge::fields().stars, u64::MAX);
    fails(messages, "odm.encode", stars.await);
    let unnamed = GuestPatch {
        name: Presence::Null,
    };
    let patched = Guest::update(odm, key::<Guest>(1)).patch(unnamed);
    fails(messages, "odm.invalid_patch", patched.await);
    let all = Guest::delete_many(odm, Filter::all()).await;
    fails(messages, "odm.invalid", all);
    Ok(())
}

async fn indexes(messages: &mut Messages, odm: &Odm) -> mongo_odm::Result<()> {
    let drop = doc! { "dropIndexes": "badges", "index": "guest_1__id_1" };
    odm.database().run_command(drop).await?;
    // The other handle has already found the index, so a new handle is needed.
    let unaware = Odm::new(odm.database().clone());
    let rename = Guest::update(&unaware, key::<Guest>(1)).set(Guest::fields().name, "Kimberly");
    fails(messages, "odm.no_index", rename.await);
    let drop = doc! { "dropIndexes": "lodges", "index": "name_1" };
    odm.database().run_command(drop).await?;
    let index = doc! { "key": { "name": 1 }, "name": "name_1" };
    let create = doc! { "createIndexes": "lodges", "indexes": [index] };
    odm.database().run_command(create).await?;
    let sync = odm.sync_indexes().only::<Lodge>().await;
    fails(messages, "odm.index_conflict", sync);
    odm.sync_indexes().only::<Badge>().await?;
    Ok(())
}

async fn server(messages: &mut Messages, odm: &Odm) -> mongo_odm::Result<()> {
    let slow = Guest::find(odm).filter(doc! { "$where": "sleep(200) || true" });
    let slow = slow.max_time(Duration::from_millis(10)).await;
    assert_eq!(slow.unwrap_err().kind(), ErrorKind::Timeout);
    let gone = Odm::connect("mongodb://127.0.0.1:1/shop?serverSelectionTimeoutMS=200").await;
    assert_eq!(gone.unwrap_err().kind(), ErrorKind::Unreachable);
    let stages = [doc! { "$match": { "$nothing": 1 } }];
    let aggregate = Guest::aggregate::<Document>(odm, stages).await;
    fails(messages, "odm.server", aggregate);

    let manual = odm.with_settings(odm.settings().clone().settle(Settle::Manual));
    let rename = Guest::update(&manual, key::<Guest>(1)).set(Guest::fields().name, "Kimberly");
    let report = rename.deferred().await?;
    let waited = manual.wait(report.token()).timeout(Duration::ZERO).await;
    assert_eq!(waited.unwrap_err().kind(), ErrorKind::Pending);

    let tx = odm.transaction(async |tx| Ok(tx)).await?;
    let count = Guest::count(&tx).await;
    fails(messages, "odm.transaction_ended", count);
    let ignored = odm.transaction(async |tx| {
        _ = lodge(1, "Alpine", &[]).insert(&tx).await;
        Ok(())
    });
    fails(messages, "odm.transaction_poisoned", ignored.await);
    let custom = odm.transaction(async |_| Err::<(), _>(Error::custom("no more rooms")));
    fails(messages, "odm.custom", custom.await);
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Lodge>().only::<Guest>();
    let sync = sync.only::<Badge>().only::<RoomKey>();
    sync.only::<Payment>().await?;
    for (id, name) in [(1, "Kim"), (2, "Lee")] {
        let guest = Guest {
            id: key(id),
            name: name.into(),
        };
        guest.insert(&odm).await?;
    }
    lodge(1, "Alpine", &[1, 404]).insert(&odm).await?;
    Badge::insert_many(&odm, &[badge(7, 1), badge(8, 1)]).await?;
    let visitors = odm.database().collection::<Document>("visitors");
    let visitor = |id: i32| doc! { "_id": id, "name": "Max" };
    visitors.insert_many([visitor(1), visitor(2)]).await?;
    visitors.insert_one(doc! { "_id": 3, "name": 12 }).await?;
    let mut messages = Messages::new();
    reads(&mut messages, &odm).await?;
    writes(&mut messages, &odm).await?;
    indexes(&mut messages, &odm).await?;
    server(&mut messages, &odm).await?;
    for message in messages.values() {
        chapter.shows(message);
    }
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("18-troubleshooting", program).await;
}

#[test]
fn each_code_has_an_entry() {
    let source = read(&root().join("odm/src/error/kind.rs"));
    let codes = source.lines().filter(|line| line.contains("=> \"odm."));
    let codes: BTreeSet<&str> = codes.filter_map(|line| line.split('"').nth(1)).collect();
    assert!(codes.len() >= 29, "{codes:?}");
    let text = read(&chapters().join("18-troubleshooting.md"));
    let entries: BTreeSet<String> = anchors(&text).into_iter().collect();
    for code in codes {
        let anchor = code.replace('.', "");
        assert!(entries.contains(&anchor), "{code} has no entry");
    }
}
