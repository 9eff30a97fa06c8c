//! Writes of a history, by the library.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use mongo_odm::{Error, Result, prelude::*};
use tokio::time::timeout;

use super::{
    history::{Act, Cut, How, Kind, Refs, Then, Write},
    model::{Item, Kit, Maker, Note, Shelf, item, kit, line, maker, note, rows, shelf},
    offices,
    world::Row,
};

/// A struct that was loaded, or is to be inserted.
#[derive(Clone, Debug)]
pub(super) enum Struct {
    Maker(Maker),
    Item(Item),
    Kit(Kit),
    Shelf(Shelf),
    Note(Note),
}

pub(super) type Structs = BTreeMap<(Kind, i64), Struct>;

/// The handles of a program: as it is, and one that takes three copies for many.
#[derive(Clone, Debug)]
pub(super) struct Handles {
    pub plain: Odm,
    pub large: Odm,
}

impl Handles {
    pub(super) async fn perform(self, act: Act, structs: Arc<Structs>) -> Result<()> {
        let (writes, how, cut) = match act {
            Act::Worker => return self.plain.run_pending_jobs().await.map(drop),
            Act::Repair => {
                let makers = self.plain.verify().only::<Maker>();
                return makers.repair().await.map(drop);
            }
            Act::Write(writes, how) => (writes, how, None),
            Act::Cancelled(writes, how, cut) => (writes, how, Some(cut)),
        };
        let odm = if how == How::Large {
            self.large
        } else {
            self.plain
        };
        if let ([one], None) = (writes.as_slice(), cut)
            && !offices::looks_first(one)
        {
            return write(&odm, one, how, &structs).await;
        }
        odm.transaction(|tx| {
            let (writes, structs) = (writes.clone(), Arc::clone(&structs));
            async move {
                match cut {
                    Some(cut) => cancelled(&tx, &writes, how, cut, &structs).await,
                    None => all(&tx, &writes, how, &structs).await,
                }
            }
        })
        .await
    }
}

async fn all(on: &impl Executor, writes: &[Write], how: How, structs: &Structs) -> Result<()> {
    for one in writes {
        write(on, one, how, structs).await?;
    }
    Ok(())
}

/// Stops to wait for one of the writes.
async fn cancelled(
    on: &impl Executor,
    writes: &[Write],
    how: How,
    cut: Cut,
    structs: &Structs,
) -> Result<()> {
    let (before, from) = writes.split_at(cut.at(writes));
    all(on, before, how, structs).await?;
    if let Some((dropped, after)) = from.split_first() {
        let dropped = write(on, dropped, how, structs);
        match timeout(Duration::from_micros(cut.after), dropped).await {
            Ok(done) => done?,
            Err(_) if cut.then == Then::Return => return Ok(()),
            Err(_) => {}
        }
        all(on, after, how, structs).await?;
    }
    match cut.then {
        Then::Refuse => Err(Error::custom("the application says no")),
        Then::GoOn | Then::Return => Ok(()),
    }
}

pub(super) fn with<B: CopyOptions>(builder: B, how: How) -> B {
    match how {
        How::Inline | How::Large => builder,
        How::Atomic => builder.atomic(),
        How::Deferred => builder.deferred(),
    }
}

async fn write(on: &impl Executor, write: &Write, how: How, structs: &Structs) -> Result<()> {
    match write {
        Write::Insert(kind, id, row) => Struct::new(*kind, *id, row).insert(on, how).await,
        Write::Save(kind, id) => match structs.get(&(*kind, *id)) {
            Some(loaded) => loaded.save(on, how).await,
            None => Ok(()),
        },
        Write::Rename(kind, id, name) => rename(on, *kind, *id, name, how).await,
        Write::RenameAll(kind, name) => rename_all(on, *kind, name, how).await,
        Write::Number(kind, id, number) => give_number(on, *kind, *id, *number, how).await,
        Write::Gather(maker) => {
            let items = Item::update_many(on, doc! { "_id": { "$gte": 0_i64 } });
            let items = items.set(Item::fields().maker, Some(Id::from_key(*maker)));
            with(items, how).await.map(drop)
        }
        Write::Relink(kind, id, refs) => relink(on, *kind, *id, refs, how).await,
        Write::Push(id, item) => {
            let update = Kit::update(on, Id::from_key(*id)).push(Kit::fields().lines, line(*item));
            with(update, how).await.map(drop)
        }
        Write::Pull(id, item) => {
            let update = Kit::update(on, Id::from_key(*id));
            let update = update.with(doc! { "$pull": { "lines": { "item": *item } } });
            with(update, how).await.map(drop)
        }
        Write::Delete(kind, id) => delete(on, *kind, *id, how).await,
        Write::Upsert(kind, id, name) => upsert(on, *kind, *id, name, how).await,
        Write::Plant(maker, number) => offices::plant(on, *maker, *number, how).await,
        Write::Move(nth, maker) => offices::relink(on, *nth, *maker, how).await,
        Write::Fell(nth) => offices::fell(on, *nth, how).await,
    }
}

async fn give_number(on: &impl Executor, kind: Kind, id: i64, number: i64, how: How) -> Result<()> {
    if kind == Kind::Item {
        let update = Item::update(on, Id::from_key(id)).set(Item::fields().number, Some(number));
        return with(update, how).await.map(drop);
    }
    let update = Kit::update(on, Id::from_key(id)).set(Kit::fields().number, number);
    with(update, how).await.map(drop)
}

async fn rename(on: &impl Executor, kind: Kind, id: i64, name: &str, how: How) -> Result<()> {
    match kind {
        Kind::Maker => {
            let update = Maker::update(on, Id::from_key(id)).set(Maker::fields().name, name);
            with(update, how).await.map(drop)
        }
        Kind::Item => {
            let update = Item::update(on, Id::from_key(id)).set(Item::fields().name, name);
            with(update, how).await.map(drop)
        }
        Kind::Kit => {
            // The third way to update one document.
            let update = Kit::find_one_and_update(on, Kit::fields().id.eq(Id::from_key(id)));
            with(update.set(Kit::fields().name, name), how)
                .await
                .map(drop)
        }
        Kind::Shelf | Kind::Note => Ok(()),
    }
}

async fn upsert(on: &impl Executor, kind: Kind, id: i64, name: &str, how: How) -> Result<()> {
    match kind {
        Kind::Maker => {
            let upsert = Maker::upsert(on, Maker::fields().id.eq(Id::from_key(id)));
            with(upsert.set(Maker::fields().name, name), how)
                .await
                .map(drop)
        }
        Kind::Item => {
            let upsert = Item::upsert(on, Item::fields().id.eq(Id::from_key(id)));
            with(upsert.set(Item::fields().name, name), how)
                .await
                .map(drop)
        }
        Kind::Kit => {
            let fields = Kit::fields();
            let upsert = Kit::upsert(on, fields.id.eq(Id::from_key(id))).set(fields.name, name);
            let upsert = upsert.set_on_insert(fields.number, 0);
            with(upsert.set_on_insert(fields.lines, Vec::new()), how)
                .await
                .map(drop)
        }
        Kind::Shelf | Kind::Note => Ok(()),
    }
}

async fn rename_all(on: &impl Executor, kind: Kind, name: &str, how: How) -> Result<()> {
    let all = || doc! { "_id": { "$gte": 0_i64 } };
    match kind {
        Kind::Maker => {
            let update = Maker::update_many(on, all()).set(Maker::fields().name, name);
            with(update, how).await.map(drop)
        }
        Kind::Item => {
            let update = Item::update_many(on, all()).set(Item::fields().name, name);
            with(update, how).await.map(drop)
        }
        Kind::Kit => {
            let update = Kit::update_many(on, all()).set(Kit::fields().name, name);
            with(update, how).await.map(drop)
        }
        Kind::Shelf | Kind::Note => Ok(()),
    }
}

async fn relink(on: &impl Executor, kind: Kind, id: i64, refs: &Refs, how: How) -> Result<()> {
    let first = refs.first().copied().flatten();
    match kind {
        Kind::Maker => Ok(()),
        Kind::Item => {
            let maker: Option<Id<Maker, i64>> = first.map(Id::from_key);
            let update = Item::update(on, Id::from_key(id)).set(Item::fields().maker, maker);
            with(update, how).await.map(drop)
        }
        Kind::Kit => {
            let lines: Vec<_> = refs.iter().flatten().map(|item| line(*item)).collect();
            let update = Kit::update(on, Id::from_key(id)).set(Kit::fields().lines, lines);
            with(update, how).await.map(drop)
        }
        Kind::Shelf => {
            let update = Shelf::update(on, Id::from_key(id));
            with(update.set(Shelf::fields().rows, rows(&pairs(refs))), how)
                .await
                .map(drop)
        }
        Kind::Note => {
            // As a part of the collection, which is another way through the library.
            let item: Id<Item, i64> = Id::from_key(first.unwrap_or(0));
            let update = Note::update_many(on, Note::fields().id.eq(Id::from_key(id)));
            with(update.set(Note::fields().item, item), how)
                .await
                .map(drop)
        }
    }
}

async fn delete(on: &impl Executor, kind: Kind, id: i64, how: How) -> Result<()> {
    match kind {
        Kind::Maker => with(Maker::delete(on, Id::from_key(id)), how)
            .await
            .map(drop),
        Kind::Item => with(Item::delete(on, Id::from_key(id)), how)
            .await
            .map(drop),
        Kind::Kit => {
            let delete = Kit::delete_many(on, Kit::fields().id.eq(Id::from_key(id)));
            with(delete, how).await.map(drop)
        }
        Kind::Shelf => with(Shelf::delete(on, Id::from_key(id)), how)
            .await
            .map(drop),
        Kind::Note => with(Note::delete(on, Id::from_key(id)), how)
            .await
            .map(drop),
    }
}

/// Spreads the slots of a shelf over rows of two.
fn pairs(refs: &Refs) -> Vec<Refs> {
    refs.chunks(2).map(<[_]>::to_vec).collect()
}

impl Struct {
    fn new(kind: Kind, id: i64, row: &Row) -> Self {
        let refs = &row.refs;
        let first = refs.first().copied().flatten();
        match kind {
            Kind::Maker => Self::Maker(maker(id, row.name.clone())),
            Kind::Item => Self::Item(item(id, row.name.clone(), row.number, first)),
            Kind::Kit => {
                let items: Vec<_> = refs.iter().flatten().copied().collect();
                Self::Kit(kit(id, row.name.clone(), row.number, &items))
            }
            Kind::Shelf => Self::Shelf(shelf(id, &pairs(refs))),
            Kind::Note => Self::Note(note(id, first.unwrap_or(0))),
        }
    }

    /// Loads a struct, if it is there.
    pub(super) async fn load(odm: &Odm, kind: Kind, id: i64) -> Option<Self> {
        let loaded = match kind {
            Kind::Maker => Maker::get(odm, Id::from_key(id)).await.map(Self::Maker),
            Kind::Item => Item::get(odm, Id::from_key(id)).await.map(Self::Item),
            Kind::Kit => Kit::get(odm, Id::from_key(id)).await.map(Self::Kit),
            Kind::Shelf => Shelf::get(odm, Id::from_key(id)).await.map(Self::Shelf),
            Kind::Note => Note::get(odm, Id::from_key(id)).await.map(Self::Note),
        };
        loaded.ok()
    }

    /// Returns what it holds apart from copies.
    pub(super) fn row(&self) -> Row {
        let named = |name: &String, number, refs| Row {
            name: name.clone(),
            number,
            refs,
        };
        let nameless = String::new();
        match self {
            Self::Maker(it) => named(&it.name, 0, Vec::new()),
            Self::Item(it) => {
                let number = it.number.unwrap_or_default();
                named(&it.name, number, vec![it.maker.map(Id::into_key)])
            }
            Self::Kit(it) => {
                let items = it.lines.iter().map(|line| Some(*line.item.key()));
                named(&it.name, it.number, items.collect())
            }
            Self::Shelf(it) => {
                let slots = it.rows.iter().flat_map(|row| &row.slots);
                let kits = slots.map(|slot| slot.kit.map(Id::into_key));
                named(&nameless, 0, kits.collect())
            }
            Self::Note(it) => named(&nameless, 0, vec![Some(*it.item.key())]),
        }
    }

    async fn insert(&self, on: &impl Executor, how: How) -> Result<()> {
        match self {
            Self::Maker(it) => with(it.insert(on), how).await.map(drop),
            Self::Item(it) => with(it.insert(on), how).await.map(drop),
            Self::Kit(it) => with(Kit::insert_many(on, [it]), how).await.map(drop),
            Self::Shelf(it) => with(it.insert(on), how).await.map(drop),
            Self::Note(it) => with(Note::insert_many(on, [it]), how).await.map(drop),
        }
    }

    async fn save(&self, on: &impl Executor, how: How) -> Result<()> {
        match self {
            Self::Maker(it) => with(it.save(on), how).await.map(drop),
            Self::Item(it) => with(it.save(on), how).await.map(drop),
            Self::Kit(it) => with(it.save(on), how).await.map(drop),
            Self::Shelf(it) => with(it.save(on), how).await.map(drop),
            Self::Note(it) => with(it.save(on), how).await.map(drop),
        }
    }
}
