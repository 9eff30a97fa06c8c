//! What goes with its maker, three levels deep.
//!
//! It is inserted and moved in transactions that have seen the maker: so there is one in the end, whoever deletes
//! makers at the same moment.

use mongo_odm::{Result, prelude::*};

use super::{
    history::{How, Write},
    model::{Desk, Drawer, Maker, Office, old},
    perform::with,
};

/// Whether a write is right only in a transaction.
pub(super) const fn looks_first(write: &Write) -> bool {
    matches!(write, Write::Plant(..) | Write::Move(..))
}

async fn has_maker(on: &impl Executor, maker: i64) -> Result<bool> {
    Maker::exists(on, Maker::fields().id.eq(Id::from_key(maker))).await
}

/// Inserts an office, a desk and a drawer, which have one number.
pub(super) async fn plant(on: &impl Executor, maker: i64, number: i64, how: How) -> Result<()> {
    if !has_maker(on, maker).await? {
        return Ok(());
    }
    let office = Office {
        id: Id::from_key(number),
        maker: Id::from_key(maker),
        maker_name: old(),
        maker_count: -1,
    };
    with(office.insert(on), how).await?;
    let desk = Desk {
        id: Id::from_key(number),
        office: office.id,
        maker_name: old(),
    };
    with(desk.insert(on), how).await?;
    let drawer = Drawer {
        id: Id::from_key(number),
        desk: desk.id,
        maker_name: old(),
    };
    with(Drawer::insert_many(on, [&drawer]), how)
        .await
        .map(drop)
}

/// Gives one of the offices another maker.
pub(super) async fn relink(on: &impl Executor, nth: usize, maker: i64, how: How) -> Result<()> {
    let Some(office) = office(on, nth).await? else {
        return Ok(());
    };
    if !has_maker(on, maker).await? {
        return Ok(());
    }
    let office = Office::update(on, office).set(Office::fields().maker, Id::from_key(maker));
    with(office, how).await.map(drop)
}

/// Deletes one of the offices.
pub(super) async fn fell(on: &impl Executor, nth: usize, how: How) -> Result<()> {
    match office(on, nth).await? {
        Some(office) => with(Office::delete(on, office), how).await.map(drop),
        None => Ok(()),
    }
}

/// Returns the id of an office by its position in the order of ids.
async fn office(on: &impl Executor, nth: usize) -> Result<Option<Id<Office, i64>>> {
    // The hostile ones have other ids.
    let offices = Office::find(on).filter(doc! { "_id": { "$type": "long" } });
    let offices = offices.sort(Office::fields().id.asc());
    let mut office = offices.skip(nth).limit(1).await?;
    Ok(office.pop().map(|office| office.id))
}
