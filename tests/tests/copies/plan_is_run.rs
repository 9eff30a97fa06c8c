//! For each builder in each form, compares the printed plan with the driver's command events, statement by statement.

use mongo_odm::{
    Executor, Odm,
    mongodb::options::{Acknowledgment, Collation, WriteConcern},
    prelude::*,
};
use odm_tests::{Harness, planned::assert_sent};

use crate::{models::*, setting::*};

/// A person. Other documents copy fields of a person, refer to the person and are deleted with the person. The notes
/// have a bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "plan_people",
    has_many(toys = "Toy.keeper"),
    has_one(pet = "Pet.keeper")
)]
struct Keeper {
    #[serde(rename = "_id")]
    id: Id<Keeper>,
    name: String,
    #[serde(default)]
    age: i64,
    #[serde(default)]
    #[refs(many, max = 4)]
    notes: Vec<Id<Note>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note>,
    text: String,
    stars: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_pets")]
struct Pet {
    #[serde(rename = "_id")]
    id: Id<Pet>,
    #[refs(one, on_delete = "nullify")]
    keeper: Option<Id<Keeper>>,
    #[denorm(from = Keeper.name, on_delete = "nullify")]
    keeper_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_toys")]
struct Toy {
    #[serde(rename = "_id")]
    id: Id<Toy>,
    #[parent_ref(on_delete = "cascade")]
    keeper: Id<Keeper>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_contracts")]
struct Contract {
    #[serde(rename = "_id")]
    id: Id<Contract>,
    #[parent_ref(on_delete = "restrict")]
    keeper: Id<Keeper>,
}

/// Plans a builder, runs an equal builder, and compares the plan with the sent statements.
macro_rules! same {
    ($t:expr, $title:expr, $builder:expr) => {{
        let plan: mongo_odm::Plan = $builder.plan().unwrap();
        assert!(!plan.statements.is_empty(), "{}", $title);
        $t.forget();
        let done = $builder.await.unwrap();
        assert_sent(&$t, $title, &plan);
        done
    }};
}

// These modules use the macro above.
mod deletes;
mod kinds;
mod options;
mod parts;
mod pulls;
mod reads;
mod relations;
mod snapshots;
mod targets;

async fn setting(test: &str) -> Harness {
    let t = shop(test).await;
    let sync = t.odm.sync_indexes().only::<Keeper>().only::<Pet>();
    sync.only::<Toy>().only::<Contract>().await.unwrap();
    // Sends the statements that a handle sends only once.
    let (keeper, pet, toy) = family(&t.odm).await;
    let rename = Keeper::update(&t.odm, keeper.id).set(Keeper::fields().name, "first");
    rename.await.unwrap();
    Keeper::delete(&t.odm, keeper.id).await.unwrap();
    drop((pet, toy));
    let (part, product) = shelf(&t.odm, 1).await;
    Part::update(&t.odm, part.id)
        .set(Part::fields().name, "first")
        .await
        .unwrap();
    Product::update(&t.odm, product.id)
        .set(Product::fields().name, "first")
        .await
        .unwrap();
    t
}

/// A keeper with a pet and a toy.
async fn family(odm: &impl Executor) -> (Keeper, Pet, Toy) {
    let keeper = Keeper {
        id: Id::new(),
        name: "Kate".to_owned(),
        age: 40,
        notes: vec![Id::new()],
    };
    let pet = Pet {
        id: Id::new(),
        keeper: Some(keeper.id),
        keeper_name: Some("Kate".to_owned()),
    };
    let toy = Toy {
        id: Id::new(),
        keeper: keeper.id,
    };
    keeper.insert(odm).await.unwrap();
    pet.insert(odm).await.unwrap();
    toy.insert(odm).await.unwrap();
    (keeper, pet, toy)
}

/// A product with one part, each with copies of the other.
async fn shelf(odm: &Odm, number: i64) -> (Part, Product) {
    let part = part(number);
    let product = product(number, [&part]);
    part.insert(odm).await.unwrap();
    product.insert(odm).await.unwrap();
    (part, product)
}

/// Whether the last command was part of a transaction.
fn is_in_transaction(t: &Harness) -> bool {
    let commands = t.recorder().commands();
    let last = commands.last();
    last.is_some_and(|it| it.command.contains_key("autocommit"))
}

fn note(stars: i64) -> Note {
    Note {
        id: Id::new(),
        text: "buy milk".to_owned(),
        stars,
    }
}

#[tokio::test]
async fn plain_writes_send_what_they_plan() {
    let t = setting("plan_run_plain").await;
    plain_writes(&t, &t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        plain_writes(&t, &tx).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn plain_writes(t: &Harness, odm: &impl Executor) {
    let fields = Note::fields();
    let (one, two, three) = (note(1), note(2), note(3));
    same!(*t, "insert", one.insert(odm));
    same!(
        *t,
        "insert_many",
        Note::insert_many(odm, [&two, &three]).comment("a comment")
    );
    same!(
        *t,
        "update",
        Note::update(odm, one.id)
            .set(fields.text, "x")
            .inc(fields.stars, 1)
    );
    same!(
        *t,
        "update with options",
        Note::update(odm, one.id)
            .set(fields.text, "y")
            .hint(doc! { "_id": 1 })
            .comment("a comment")
            .let_vars(doc! { "x": 1 })
    );
    same!(
        *t,
        "update_many",
        Note::update_many(odm, fields.stars.gt(0)).set(fields.text, "z")
    );
    same!(
        *t,
        "find_one_and_update",
        Note::find_one_and_update(odm, fields.stars.gt(0))
            .sort(fields.stars.asc())
            .inc(fields.stars, 1)
            .return_new()
    );
    same!(*t, "save", one.save(odm));
    same!(*t, "replace", one.replace(odm));
    same!(
        *t,
        "upsert",
        Note::upsert(odm, fields.stars.eq(3)).set(fields.text, "u")
    );
    same!(*t, "delete", Note::delete(odm, one.id));
    same!(
        *t,
        "delete_many",
        Note::delete_many(odm, fields.stars.gt(0)).comment("a comment")
    );
}

#[tokio::test]
async fn writes_with_bounds_send_what_they_plan() {
    let t = setting("plan_run_bounds").await;
    bounded_writes(&t, &t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        bounded_writes(&t, &tx).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn bounded_writes(t: &Harness, odm: &impl Executor) {
    let keeper = Keeper {
        id: Id::new(),
        name: "Joe".to_owned(),
        age: 1,
        notes: Vec::new(),
    };
    keeper.insert(odm).await.unwrap();
    let notes = Keeper::fields().notes;
    let id = || Id::<Note>::new();
    let pushed = id();
    same!(
        *t,
        "push",
        Keeper::update(odm, keeper.id).push(notes, pushed)
    );
    let added = id();
    same!(
        *t,
        "add_to_set",
        Keeper::update(odm, keeper.id).add_to_set(notes, added)
    );
    let by_name = || Keeper::fields().name.eq("Joe");
    let many = id();
    same!(
        *t,
        "push to many",
        Keeper::update_many(odm, by_name()).push(notes, many)
    );
    same!(
        *t,
        "find_one_and_update, sorted",
        Keeper::find_one_and_update(odm, by_name())
            .sort(Keeper::fields().age.asc())
            .pull(notes, many)
    );
    same!(
        *t,
        "find_one_and_update, sorted, with a bound",
        Keeper::find_one_and_update(odm, by_name())
            .sort(Keeper::fields().age.asc())
            .push(notes, many)
    );
    same!(
        *t,
        "upsert",
        Keeper::upsert(odm, by_name()).push(notes, pushed)
    );
    Keeper::delete_many(odm, by_name()).await.unwrap();
}

#[tokio::test]
async fn writes_with_copies_send_what_they_plan() {
    let t = setting("plan_run_copies").await;
    let odm = &t.odm;
    let (name, fields) = (Keeper::fields().name, Keeper::fields());
    let (keeper, pet, _) = family(odm).await;
    same!(t, "rename", Keeper::update(odm, keeper.id).set(name, "a"));
    same!(
        t,
        "rename, atomic",
        Keeper::update(odm, keeper.id).set(name, "b").atomic()
    );
    same!(
        t,
        "rename, deferred",
        Keeper::update(odm, keeper.id).set(name, "c").deferred()
    );
    settle(odm).await;
    same!(
        t,
        "what nobody copies",
        Keeper::update(odm, keeper.id).set(fields.age, 41)
    );
    same!(
        t,
        "rename many",
        Keeper::update_many(odm, fields.id.eq(keeper.id)).set(name, "d")
    );
    same!(
        t,
        "rename and return",
        Keeper::find_one_and_update(odm, fields.id.eq(keeper.id)).set(name, "e")
    );
    same!(
        t,
        "rename and return the new one",
        Keeper::find_one_and_update(odm, fields.id.eq(keeper.id))
            .set(name, "f")
            .return_new()
    );
    let saved = Keeper {
        name: "g".to_owned(),
        ..keeper.clone()
    };
    same!(t, "save", saved.save(odm));
    let saved = Keeper {
        name: "h".to_owned(),
        ..keeper.clone()
    };
    same!(t, "replace", saved.replace(odm));
    same!(
        t,
        "upsert",
        Keeper::upsert(odm, fields.id.eq(keeper.id)).set(name, "i")
    );
    let other = Keeper {
        id: Id::new(),
        ..keeper.clone()
    };
    other.insert(odm).await.unwrap();
    same!(
        t,
        "another reference",
        Pet::update(odm, pet.id).set(Pet::fields().keeper, Some(other.id))
    );
    let new = Pet {
        id: Id::new(),
        ..pet.clone()
    };
    same!(t, "insert of a copy", new.insert(odm));
    same!(t, "save of a copy", new.save(odm));
}

/// Compares a write of a new keeper with copies in each form. The deferred write comes last, because later writes would
/// leave the copies to its pending job.
macro_rules! same_in_every_form {
    ($t:expr, $odm:expr, $title:literal, |$keeper:ident, $name:ident| $builder:expr) => {{
        let ($keeper, ..) = family($odm).await;
        let name = |form: &str| format!("{} {form}", $keeper.id);
        let $name = name("as it comes");
        same!($t, $title, $builder);
        let $name = name("atomic");
        same!($t, concat!($title, ", atomic"), $builder.atomic());
        let $name = name("deferred");
        same!($t, concat!($title, ", deferred"), $builder.deferred());
    }};
}

#[tokio::test]
async fn every_form_of_a_write_with_copies_sends_what_it_plans() {
    let t = setting("plan_run_forms").await;
    every_form(&t, &t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        every_form(&t, &tx).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    settle(&t.odm).await;
    let drift = t.odm.verify().only::<Pet>().references(false);
    let drift = drift.await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

async fn every_form(t: &Harness, odm: &impl Executor) {
    let fields = Keeper::fields();
    let by_id = |keeper: &Keeper| Keeper::fields().id.eq(keeper.id);
    let renamed = |keeper: &Keeper, name: &str| Keeper {
        name: name.to_owned(),
        ..keeper.clone()
    };
    same_in_every_form!(*t, odm, "update", |keeper, name| {
        Keeper::update(odm, keeper.id).set(fields.name, name.as_str())
    });
    same_in_every_form!(*t, odm, "update_many", |keeper, name| {
        Keeper::update_many(odm, by_id(&keeper)).set(fields.name, name.as_str())
    });
    same_in_every_form!(*t, odm, "find_one_and_update", |keeper, name| {
        Keeper::find_one_and_update(odm, by_id(&keeper)).set(fields.name, name.as_str())
    });
    same_in_every_form!(*t, odm, "upsert", |keeper, name| {
        Keeper::upsert(odm, by_id(&keeper)).set(fields.name, name.as_str())
    });
    same_in_every_form!(*t, odm, "save", |keeper, name| {
        renamed(&keeper, &name).save(odm)
    });
    same_in_every_form!(*t, odm, "replace", |keeper, name| {
        renamed(&keeper, &name).replace(odm)
    });
    let (_, pet, _) = family(odm).await;
    let [one, two, three] = [(); 3].map(|()| Pet {
        id: Id::new(),
        ..pet.clone()
    });
    same!(*t, "insert", one.insert(odm));
    same!(*t, "insert_many", Pet::insert_many(odm, [&two, &three]));
}

#[tokio::test]
async fn writes_with_copies_both_ways_send_what_they_plan() {
    let t = setting("plan_run_two_ways").await;
    let (part, product) = shelf(&t.odm, 2).await;
    two_ways(&t, &t.odm, &part, &product).await;
    let inside = async |tx: mongo_odm::Tx| {
        two_ways(&t, &tx, &part, &product).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn two_ways(t: &Harness, odm: &impl Executor, part: &Part, product: &Product) {
    let name = format!("#{} grommet", Id::<Part>::new());
    same!(
        *t,
        "array of copies",
        Part::update(odm, part.id).set(Part::fields().name, name.as_str())
    );
    same!(
        *t,
        "key in the source",
        Product::update(odm, product.id).set(Product::fields().name, name.as_str())
    );
}
