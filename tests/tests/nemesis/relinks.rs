//! Inserts documents with copies, changes references, and inserts and deletes sources.

use mongo_odm::{Result, prelude::*};

use crate::{
    models::{Host, LogMsg, Part, PartLine, Product},
    program::{ALL_PARTS, HOSTS, NUMBERS, PARTS, any, host_id, part_id},
    random::Random,
};

#[derive(Clone, Copy)]
pub(crate) enum Act {
    InsertMessages,
    InsertProduct,
    RelinkMessage,
    RelinkMessages,
    RelinkProduct,
    PushPart,
    PullPart,
    UpsertHost,
    UpsertPart,
    DeletePart,
    DeleteProduct,
}

pub(crate) const ACTS: [(u64, &str, Act); 11] = [
    (30, "inserted", Act::InsertMessages),
    (15, "inserted", Act::InsertProduct),
    (20, "relinked", Act::RelinkMessage),
    (4, "relinked many", Act::RelinkMessages),
    (12, "relinked", Act::RelinkProduct),
    (6, "relinked by a push", Act::PushPart),
    (6, "relinked by a pull", Act::PullPart),
    (8, "upserted by a name", Act::UpsertHost),
    (12, "upserted", Act::UpsertPart),
    (4, "deleted a source", Act::DeletePart),
    (4, "deleted a source", Act::DeleteProduct),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    match act {
        Act::InsertMessages => {
            let messages = messages(1 + random.below(20), random);
            LogMsg::insert_many(odm, &messages).await?;
            Ok(messages.len() as u64)
        }
        Act::InsertProduct => product(random).insert(odm).await.map(|_| 1),
        Act::RelinkMessage => {
            let Some(message) = any::<LogMsg>(odm, doc! {}).await? else {
                return Ok(0);
            };
            let message = LogMsg::update(odm, message);
            let message = message.set(LogMsg::fields().host, host_id(random.below(HOSTS)));
            message.await.map(|_| 1)
        }
        Act::RelinkMessages => relink_messages(odm, random).await,
        Act::RelinkProduct | Act::PushPart | Act::PullPart => {
            relink_product(act, odm, random).await
        }
        Act::UpsertHost => {
            // Hosts keep their names, so the upsert is an update, unless the name is new.
            let name = format!("goofy{}.example.com", random.below(HOSTS + 1));
            let host = Host::upsert(odm, Host::fields().name.eq(name.as_str()));
            host.set(Host::fields().ipaddr, name).await.map(|_| 1)
        }
        Act::UpsertPart => upsert_part(odm, random, name).await,
        Act::DeletePart => {
            let part = part_id(PARTS + random.below(ALL_PARTS - PARTS));
            Part::delete(odm, part).await.map(|_| 1)
        }
        Act::DeleteProduct => match any::<Product>(odm, doc! {}).await? {
            Some(product) => Product::delete(odm, product).await.map(|_| 1),
            None => Ok(0),
        },
    }
}

/// Changes the host of messages, except those of the first two hosts, which have many messages.
async fn relink_messages(odm: &Odm, random: &mut Random) -> Result<u64> {
    let [from, to] = [2 + random.below(HOSTS - 2), random.below(HOSTS)];
    let messages = LogMsg::update_many(odm, LogMsg::fields().host.eq(host_id(from)));
    messages.set(LogMsg::fields().host, host_id(to)).await?;
    Ok(1)
}

async fn relink_product(act: Act, odm: &Odm, random: &mut Random) -> Result<u64> {
    let filter = match act {
        // Only if the value is an array of parts can a part be pushed or pulled.
        Act::PushPart | Act::PullPart => doc! { "parts.0.id": { "$type": "objectId" } },
        _ => doc! {},
    };
    let Some(product) = any::<Product>(odm, filter).await? else {
        return Ok(0);
    };
    let (product, parts) = (Product::update(odm, product), Product::fields().parts);
    match act {
        Act::PushPart => product.push(parts, line(random)).await?,
        Act::PullPart => {
            let part: Id<Part> = part_id(random.below(ALL_PARTS));
            let pull = doc! { "$pull": { "parts": { "id": part } } };
            product.with(pull).await?
        }
        _ => {
            let lines: Vec<_> = (0..3).map(|_| line(random)).collect();
            product.set(parts, lines).await?
        }
    };
    Ok(1)
}

/// Inserts or updates a part. Products may already refer to it.
async fn upsert_part(odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let (fields, number) = (Part::fields(), PARTS + random.below(ALL_PARTS - PARTS));
    let part = Part::upsert(odm, fields.id.eq(part_id(number)));
    let part = part.set(fields.name, name).set(fields.partno, name);
    part.set(fields.qty, 1).await?;
    Ok(1)
}

/// Returns messages whose copies are stale from the start.
pub(crate) fn messages(count: u64, random: &mut Random) -> Vec<LogMsg> {
    let message = |_| LogMsg {
        id: Id::new(),
        time: DateTime::now(),
        message: "cpu is on fire".to_owned(),
        host: host_id(random.below(HOSTS)),
        ipaddr: "stale".to_owned(),
    };
    (0..count).map(message).collect()
}

/// Returns a product with a random id. If the id is the lowest, the parts of the product copy from it.
fn product(random: &mut Random) -> Product {
    let mut id = [0; 12];
    id[..8].copy_from_slice(&random.next().to_be_bytes());
    Product {
        id: Id::from_key(ObjectId::from_bytes(id)),
        name: "new".to_owned(),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: random.below(NUMBERS).cast_signed(),
        parts: (0..3).map(|_| line(random)).collect(),
    }
}

fn line(random: &mut Random) -> PartLine {
    PartLine {
        id: part_id(random.below(ALL_PARTS)),
        name: "stale".to_owned(),
    }
}
