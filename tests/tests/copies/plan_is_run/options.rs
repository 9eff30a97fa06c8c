//! Options of writes, in plans, in sent statements, and in writes that also update copies.

use mongo_odm::mongodb::options::{ReadConcern, ReadPreference, UpdateOptions};

use super::*;

#[tokio::test]
async fn options_of_writes_are_planned_and_sent() {
    let t = setting("plan_run_write_options").await;
    let (odm, fields) = (&t.odm, Note::fields());
    let [one, two, three] = [1, 2, 3].map(note);
    let concern = || {
        WriteConcern::builder()
            .w(Acknowledgment::Nodes(1))
            .journal(true)
            .build()
    };
    let by_text = || fields.text.eq("buy milk");
    let hint = doc! { "_id": 1 };
    macro_rules! with_options {
        ($title:literal, $builder:expr) => {{
            let sent = same!(t, $title, $builder.write_concern(concern()).comment("why"));
            let commands = t.recorder().commands();
            let command = &commands[0].command;
            assert!(command.contains_key("writeConcern"), "{command}");
            assert_eq!(command.get_str("comment").unwrap(), "why", "{command}");
            sent
        }};
    }
    with_options!("insert", one.insert(odm));
    with_options!("insert_many", Note::insert_many(odm, [&two, &three]));
    with_options!(
        "update",
        Note::update(odm, one.id)
            .inc(fields.stars, 1)
            .hint(hint.clone())
    );
    with_options!(
        "update_many",
        Note::update_many(odm, by_text())
            .inc(fields.stars, 1)
            .hint(hint.clone())
            .collation(Collation::builder().locale("en").build())
    );
    with_options!(
        "upsert",
        Note::upsert(odm, by_text())
            .inc(fields.stars, 1)
            .let_vars(doc! { "x": 1 })
    );
    with_options!(
        "find_one_and_update",
        Note::find_one_and_update(odm, by_text())
            .inc(fields.stars, 1)
            .max_time(std::time::Duration::from_secs(9))
    );
    with_options!("save", one.save(odm));
    with_options!("replace", one.replace(odm));
    with_options!("delete", Note::delete(odm, one.id).hint(hint.clone()));
    with_options!("delete_many", Note::delete_many(odm, by_text()));
}

#[tokio::test]
async fn options_of_writes_stay_where_copies_follow() {
    let t = setting("plan_run_options_copies").await;
    let odm = &t.odm;
    let name = Keeper::fields().name;
    let (keeper, ..) = family(odm).await;
    macro_rules! keeps_comment {
        ($title:literal, $builder:expr) => {{
            same!(t, $title, $builder.comment("why"));
            let commands = t.recorder().commands();
            let mut own = commands.iter().filter(|it| {
                let target = it.command.get_str(&it.name);
                target.is_ok_and(|target| target == <Keeper as Described>::SHAPE.collection)
            });
            let write = own.find(|it| it.name != "find").unwrap();
            assert_eq!(write.command.get_str("comment").unwrap(), "why");
        }};
    }
    keeps_comment!("update", Keeper::update(odm, keeper.id).set(name, "a"));
    let by_age = || Keeper::fields().age.gte(0);
    keeps_comment!(
        "update_many",
        Keeper::update_many(odm, by_age()).set(name, "b")
    );
    let found = |to: &str| Keeper::find_one_and_update(odm, by_age()).set(name, to);
    keeps_comment!("find_one_and_update", found("c"));
    let limited = || found("d").max_time(std::time::Duration::from_secs(9));
    same!(t, "find_one_and_update, limited", limited());
    let commands = t.recorder().commands();
    let is_limited = |name: &str| {
        let mut all = commands.iter().filter(|it| it.name == name);
        all.any(|it| it.command.contains_key("maxTimeMS"))
    };
    assert!(is_limited("find") && is_limited("findAndModify"));
    let renamed = |to: &str| Keeper {
        name: to.to_owned(),
        ..keeper.clone()
    };
    keeps_comment!("save", renamed("e").save(odm));
    keeps_comment!("replace", renamed("f").replace(odm));
    let by_id = || Keeper::fields().id.eq(keeper.id);
    keeps_comment!("upsert", Keeper::upsert(odm, by_id()).set(name, "g"));
    // No document copies from a new keeper.
    let new = Keeper {
        id: Id::new(),
        ..keeper.clone()
    };
    keeps_comment!("insert", new.insert(odm));
    keeps_comment!("delete", Keeper::delete(odm, keeper.id));
    // The first `find` reads the requested documents. The follow-up reads some of them without the comment.
    let asked = commands_on::<Keeper>(&t, "find");
    assert_eq!(asked[0].get_str("comment").unwrap(), "why");
    let (other, ..) = family(odm).await;
    let variables = doc! { "least": 1, "id": other.id };
    let old = doc! { "$expr": { "$and": [
        { "$gte": ["$age", "$$least"] }, { "$eq": ["$_id", "$$id"] },
    ] } };
    let delete = || {
        Keeper::delete_many(odm, old.clone())
            .let_vars(variables.clone())
            .hint(doc! { "_id": 1 })
            .collation(Collation::builder().locale("en").build())
    };
    let report = same!(t, "delete_many with all options", delete().comment("why"));
    assert_eq!(report.deleted, 1);
    let finds = commands_on::<Keeper>(&t, "find");
    let [listed, again, ..] = finds.as_slice() else {
        panic!("{finds:?}")
    };
    for option in ["let", "hint", "collation", "comment"] {
        assert!(listed.contains_key(option), "{option}: {listed}");
        assert!(again.contains_key(option), "{option}: {again}");
    }
}

/// Lists the commands with this name on the collection of a model.
fn commands_on<M: Model>(t: &Harness, name: &str) -> Vec<mongo_odm::bson::Document> {
    let mut all = odm_tests::sent::commands(t, name);
    all.retain(|it| it.get_str(name).is_ok_and(|it| it == M::SHAPE.collection));
    all
}

/// If a write has follow-ups, the commit waits for the write concern.
#[tokio::test]
async fn a_write_concern_is_no_hindrance_where_a_write_is_a_transaction() {
    let t = setting("plan_run_concern").await;
    let odm = &t.odm;
    let concern = || WriteConcern::builder().w(Acknowledgment::Nodes(1)).build();
    let (keeper, pet, _) = family(odm).await;
    let new = |pet: &Pet| Pet {
        id: Id::new(),
        ..pet.clone()
    };
    let (one, two) = (new(&pet), [new(&pet), new(&pet)]);
    same!(t, "insert", one.insert(odm).write_concern(concern()));
    same!(
        t,
        "insert_many",
        Pet::insert_many(odm, &two).write_concern(concern())
    );
    let born = Keeper {
        id: Id::new(),
        ..keeper.clone()
    };
    same!(
        t,
        "insert of a source",
        born.insert(odm).write_concern(concern())
    );
    let milk = Note {
        id: Id::new(),
        ..note(1)
    };
    let tried = milk.insert(odm).write_concern(concern()).dry_run();
    tried.await.unwrap();
    assert_eq!(
        Note::find_one(odm)
            .filter(Note::fields().id.eq(milk.id))
            .await
            .unwrap(),
        None
    );
    milk.insert(odm).await.unwrap();
    let stars = Note::fields().stars;
    let tried = Note::update(odm, milk.id)
        .inc(stars, 1)
        .write_concern(concern());
    assert_eq!(tried.dry_run().await.unwrap().modified, 1);
    let tried = Note::delete(odm, milk.id).write_concern(concern());
    assert_eq!(tried.dry_run().await.unwrap().deleted, 1);
}

/// A transaction of the application has these concerns once, for all its statements.
#[tokio::test]
async fn concerns_of_single_statements_are_refused_in_a_transaction() {
    let t = setting("plan_run_concern_in_tx").await;
    let milk = note(1);
    milk.insert(&t.odm).await.unwrap();
    let refused = |error: mongo_odm::Error, option: &str| {
        assert_eq!(error.kind(), mongo_odm::ErrorKind::Invalid, "{error:?}");
        assert!(
            error.to_string().contains(&format!("has no `{option}`")),
            "{error}"
        );
    };
    let in_transaction = t.odm.transaction(async |tx| {
        let concern = WriteConcern::majority();
        let update = || {
            let stars = Note::fields().stars;
            Note::update(&tx, milk.id)
                .inc(stars, 1)
                .write_concern(concern.clone())
        };
        refused(update().plan().unwrap_err(), "write_concern");
        refused(update().await.unwrap_err(), "write_concern");
        let find = || Note::find(&tx).read_concern(ReadConcern::local());
        refused(find().plan().unwrap_err(), "read_concern");
        refused(find().await.unwrap_err(), "read_concern");
        let all = || {
            let pipeline = vec![doc! { "$match": {} }];
            Note::aggregate::<mongo_odm::bson::Document>(&tx, pipeline)
                .read_concern(ReadConcern::local())
        };
        refused(all().plan().unwrap_err(), "read_concern");
        refused(all().await.unwrap_err(), "read_concern");
        let nearest = ReadPreference::Nearest {
            options: Option::default(),
        };
        let count = Note::count(&tx).read_preference(nearest);
        refused(count.await.unwrap_err(), "read_preference");
        let primary = Note::count(&tx).read_preference(ReadPreference::Primary);
        primary.await
    });
    assert_eq!(in_transaction.await.unwrap(), 1);
}

/// A document that a validator rejects is stored nevertheless, with its copies.
#[tokio::test]
async fn a_write_that_bypasses_validation_brings_its_copies_past_it_too() {
    let t = setting("plan_run_bypass").await;
    let odm = &t.odm;
    let (keeper, pet, _) = family(odm).await;
    let other = Keeper {
        id: Id::new(),
        name: "Zoe".to_owned(),
        ..keeper.clone()
    };
    other.insert(odm).await.unwrap();
    validate(odm, "plan_pets", doc! { "never": true }).await;
    let fields = Pet::fields();
    let bypassing = |options: &mut UpdateOptions| options.bypass_document_validation = Some(true);
    let pipeline = vec![doc! { "$set": { "keeper": other.id } }];
    let update = Pet::update(odm, pet.id).modifications(pipeline);
    update.options(bypassing).await.unwrap();
    let moved = Pet::get(odm, pet.id).await.unwrap();
    assert_eq!(moved.keeper_name.as_deref(), Some("Zoe"));
    let id = Id::new();
    let upsert = Pet::upsert(odm, fields.id.eq(id)).set(fields.keeper, Some(other.id));
    upsert.options(bypassing).await.unwrap();
    let new = Pet::get(odm, id).await.unwrap();
    assert_eq!(new.keeper_name.as_deref(), Some("Zoe"));
}
