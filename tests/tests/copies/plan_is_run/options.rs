//! Options of writes: planned, sent, and kept where copies follow.

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
    // Nothing copies from a keeper that is new.
    let new = Keeper {
        id: Id::new(),
        ..keeper.clone()
    };
    keeps_comment!("insert", new.insert(odm));
    keeps_comment!("delete", Keeper::delete(odm, keeper.id));
    // The documents that were asked for; what follows reads some of them without it.
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

/// Lists the commands of a name on the collection of a model.
fn commands_on<M: Model>(t: &Harness, name: &str) -> Vec<mongo_odm::bson::Document> {
    let mut all = odm_tests::sent::commands(t, name);
    all.retain(|it| it.get_str(name).is_ok_and(|it| it == M::SHAPE.collection));
    all
}
