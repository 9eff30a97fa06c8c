//! The statements of writes with hooks, and of models without hooks.

use odm_tests::planned::assert_sent;

use super::*;

/// A model with a single hook, without derived data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_lines", hooks)]
struct Line {
    #[serde(rename = "_id")]
    id: Id<Line, i64>,
    text: String,
}

impl Hooks for Line {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        self.text.push('!');
        Ok(())
    }
}

/// A model in the same collection, without hooks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_plain_lines")]
struct PlainLine {
    #[serde(rename = "_id")]
    id: Id<PlainLine, i64>,
    text: String,
}

#[tokio::test]
async fn a_hook_that_a_model_does_not_implement_costs_nothing() {
    let t = empty("hooks_statements").await;
    let (odm, line) = (&t.odm, |id| Line {
        id: self::id(id),
        text: "x".into(),
    });
    line(1).insert(odm).await.unwrap();
    let (_, sent) = t.sent(line(2).insert(odm).into_future()).await;
    assert_eq!(sent, ["insert", "commitTransaction"]);
    // The model does not implement `before_update`.
    let update = Line::update(odm, id(1)).set(Line::fields().text, "y");
    let (_, sent) = t.sent(update.into_future()).await;
    assert_eq!(sent, ["update"]);
    let update = Line::update_many(odm, Filter::all()).set(Line::fields().text, "y");
    let (_, sent) = t.sent(update.into_future()).await;
    assert_eq!(sent, ["update"]);
    let (_, sent) = t
        .sent(line(3).insert(odm).without_hooks().into_future())
        .await;
    assert_eq!(sent, ["insert"]);
    let texts: Vec<String> = Line::find(odm)
        .sort(Line::fields().id.asc())
        .await
        .unwrap()
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert_eq!(texts, ["y", "y", "x"]);
}

#[tokio::test]
async fn a_model_without_hooks_sends_one_statement_for_each_write() {
    let t = empty("hooks_plain").await;
    let (odm, fields) = (&t.odm, PlainLine::fields());
    let line = |id| PlainLine {
        id: self::id(id),
        text: "x".into(),
    };
    line(1).insert(odm).await.unwrap();
    t.forget();
    line(2).insert(odm).await.unwrap();
    PlainLine::insert_many(odm, &[line(3), line(4)])
        .await
        .unwrap();
    line(2).save(odm).await.unwrap();
    PlainLine::update(odm, id(2))
        .set(fields.text, "y")
        .await
        .unwrap();
    PlainLine::update_many(odm, Filter::all())
        .set(fields.text, "z")
        .await
        .unwrap();
    PlainLine::upsert(odm, fields.id.eq(id(5)))
        .set(fields.text, "y")
        .await
        .unwrap();
    let found = PlainLine::find_one_and_update(odm, fields.id.eq(id(2))).set(fields.text, "y");
    found.await.unwrap();
    let sent = [
        "insert",
        "insert",
        "update",
        "update",
        "update",
        "update",
        "findAndModify",
    ];
    assert_eq!(t.recorder().names(), sent);
}

#[tokio::test]
async fn a_plan_contains_the_statements_for_a_hook_that_changes_nothing() {
    let t = with_tasks("hooks_plan", &["one"]).await;
    let odm = &t.odm;
    let events = t.recorder();
    let quiet = |it: &str| !it.contains("hook_events") && !it.contains("hook_calls");
    let plan = Line {
        id: id(1),
        text: "x".into(),
    }
    .insert(odm)
    .plan()
    .unwrap();
    assert!(
        plan.to_string()
            .contains("after `before_insert` of each document"),
        "{plan}"
    );
    let update = || Task::update(odm, id(1)).set(Task::fields().title, "unchanged");
    let plan = update().plan().unwrap();
    assert!(plan.to_string().contains("after `before_update`"), "{plan}");
    t.forget();
    update().await.unwrap();
    let names = |it: &mongo_odm::Statement| it.to_string();
    let planned = plan
        .statements
        .iter()
        .map(names)
        .filter(|it| quiet(it))
        .count();
    let sent = events
        .commands()
        .into_iter()
        .filter(|it| quiet(&it.command.to_string()) && !it.name.ends_with("Transaction"));
    assert_eq!(sent.count(), planned, "{plan}");
    let line = Line {
        id: id(7),
        text: "x".into(),
    };
    let plan = line.insert(odm).plan().unwrap();
    t.forget();
    Line {
        id: id(7),
        text: "x".into(),
    }
    .insert(odm)
    .without_hooks()
    .await
    .unwrap();
    assert_sent(&t, "without hooks", &plan);
}
