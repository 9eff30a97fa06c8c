//! The actors that writes store in `#[created_by]` and `#[updated_by]`.

use mongo_odm::{
    Settle,
    bson::{Bson, oid::ObjectId},
    prelude::*,
};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_editors")]
pub struct Editor {
    #[serde(rename = "_id")]
    pub id: Id<Editor, i64>,
    pub name: String,
}

/// A document that stores its actors in references. A copy depends on each of the two references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_articles")]
pub struct Article {
    #[serde(rename = "_id")]
    pub id: Id<Article, i64>,
    pub title: String,
    #[created_by]
    #[parent_ref]
    pub creator: Id<Editor, i64>,
    #[denorm(from = Editor.name, via = creator)]
    pub creator_name: Option<String>,
    #[updated_by]
    #[parent_ref]
    pub editor: Id<Editor, i64>,
    #[denorm(from = Editor.name, via = editor)]
    pub editor_name: Option<String>,
    #[parent_ref(inverse = "articles", on_delete = "nullify")]
    pub photo: Option<Id<Photo, i64>>,
    #[version]
    #[serde(default)]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_photos")]
pub struct Photo {
    #[serde(rename = "_id")]
    pub id: Id<Photo, i64>,
    #[created_by]
    pub creator: Option<String>,
    #[updated_by]
    #[serde(rename = "by", default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<String>,
    #[refs(many, inverse = "photo")]
    #[serde(default)]
    pub articles: Vec<Id<Article, i64>>,
}

fn article(number: i64) -> Article {
    Article {
        id: id(number),
        title: "#1".into(),
        creator: id(GIVEN),
        creator_name: None,
        editor: id(GIVEN),
        editor_name: None,
        photo: None,
        version: 0,
    }
}

fn photo(number: i64) -> Photo {
    Photo {
        id: id(number),
        creator: Some("given".into()),
        editor: None,
        articles: Vec::new(),
    }
}

/// Opens a database that contains two editors. Returns handles that act as the first and the second one.
async fn opened(test: &str) -> (Harness, Odm, Odm) {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Article>().only::<Editor>();
    sync.only::<Photo>().await.unwrap();
    for (number, name) in [(1, "Ada"), (2, "Bo"), (GIVEN, "given")] {
        let name = name.to_owned();
        let editor = Editor {
            id: id(number),
            name,
        };
        editor.insert(&t.odm).await.unwrap();
    }
    let handle = |number| t.odm.acting_as(id::<Editor>(number));
    let (first, second) = (handle(1), handle(2));
    (t, first, second)
}

/// Returns the creator, the editor and the name of the editor in an article.
async fn actors(odm: &Odm, number: i64) -> (i64, i64, String) {
    let stored = Article::get(odm, id(number)).await.unwrap();
    let name = stored.editor_name.unwrap_or_default();
    (*stored.creator.key(), *stored.editor.key(), name)
}

fn are(creator: i64, editor: i64, name: &str) -> (i64, i64, String) {
    (creator, editor, name.to_owned())
}

#[tokio::test]
async fn a_write_of_each_kind_stores_the_actor_and_its_copies() {
    let (t, first, second) = opened("actors_each_write").await;
    let fields = Article::fields();
    article(1).insert(&first).await.unwrap();
    let many = [2, 3, 4, 5, 6].map(article);
    Article::insert_many(&first, &many).await.unwrap();
    assert_eq!(actors(&first, 1).await, are(1, 1, "Ada"));
    assert_eq!(actors(&first, 6).await, are(1, 1, "Ada"));
    let update = Article::update(&second, id(1)).set(fields.title, "#2");
    update.await.unwrap();
    let many = Article::update_many(&second, fields.id.eq(id(2)));
    many.set(fields.title, "#2").await.unwrap();
    let found = Article::find_one_and_update(&second, fields.id.eq(id(3)));
    let found = found.set(fields.title, "#2").return_new().await.unwrap();
    assert_eq!(found.unwrap().editor_name.as_deref(), Some("Bo"));
    let upsert = Article::upsert(&second, fields.id.eq(id(4)));
    upsert.set(fields.title, "#2").await.unwrap();
    let loaded = Article::get(&second, id(5)).await.unwrap();
    loaded.save(&second).await.unwrap();
    let pipeline = vec![doc! { "$set": { "title": { "$concat": ["$title", "!"] } } }];
    let update = Article::update(&second, id(6)).modifications(pipeline);
    update.await.unwrap();
    let upsert = Article::upsert(&second, fields.id.eq(id(7)));
    upsert.set(fields.title, "#7").await.unwrap();
    photo(1).insert(&t.odm).await.unwrap();
    article(8).insert(&first).await.unwrap();
    let loaded = Article::get(&first, id(8)).await.unwrap();
    loaded.reassign_photo(&second, Some(id(1))).await.unwrap();
    article(9).insert(&first).await.unwrap();
    let photo = Photo::get(&first, id(1)).await.unwrap();
    photo.take_articles(&second, [id(9)]).await.unwrap();
    for number in [1, 2, 3, 4, 5, 6, 8, 9] {
        assert_eq!(actors(&first, number).await, are(1, 2, "Bo"), "{number}");
        let stored = Article::get(&first, id(number)).await.unwrap();
        assert_eq!(stored.creator_name.as_deref(), Some("Ada"), "{number}");
    }
    assert_eq!(actors(&first, 7).await, are(2, 2, "Bo"));
}

#[tokio::test]
async fn a_transaction_and_its_closure_have_the_actor_of_the_handle() {
    let (t, first, second) = opened("actors_transaction").await;
    article(1).insert(&first).await.unwrap();
    let renamed = second.transaction(async |tx| {
        let title = Article::fields().title;
        Article::update(&tx, id(1)).set(title, "#2").await?;
        article(2).insert(tx.odm()).await?;
        Ok(())
    });
    renamed.await.unwrap();
    assert_eq!(actors(&t.odm, 1).await, are(1, 2, "Bo"));
    assert_eq!(actors(&t.odm, 2).await, are(2, 2, "Bo"));
}

#[tokio::test]
async fn a_required_actor_that_is_missing_or_of_another_type_fails_before_anything_is_sent() {
    let (t, first, _) = opened("actors_missing").await;
    article(1).insert(&first).await.unwrap();
    t.forget();
    let title = Article::fields().title;
    let all = || Article::fields().id.gt(id(0));
    let without = "`Article.creator` stores the actor of each write, and this handle has no actor; write with \
                   `odm.acting_as(user.id)`, or make the field an `Option`";
    let other = |actor: &str| {
        format!(
            "`Article.creator` cannot store the actor {actor}; pass a key of the field's type to `acting_as`"
        )
    };
    let oid = ObjectId::from_bytes([7; 12]);
    for (odm, message) in [
        (t.odm.clone(), without.to_owned()),
        (t.odm.acting_as(Bson::Null), without.to_owned()),
        (t.odm.acting_as("ada"), other("\"ada\"")),
        (t.odm.acting_as(oid), other(&format!("ObjectId(\"{oid}\")"))),
    ] {
        let errors = [
            article(2).insert(&odm).await.err(),
            Article::insert_many(&odm, &[article(2)]).await.err(),
            article(1).save(&odm).await.err(),
            Article::update(&odm, id(1)).set(title, "x").await.err(),
            Article::update_many(&odm, all())
                .set(title, "x")
                .await
                .err(),
            Article::find_one_and_update(&odm, all())
                .set(title, "x")
                .await
                .err(),
            Article::upsert(&odm, Article::fields().id.eq(id(1)))
                .set(title, "x")
                .await
                .err(),
        ];
        for (at, error) in errors.into_iter().enumerate() {
            let text = error.map(|error| error.to_string()).unwrap_or_default();
            // The updates at these positions keep the creator.
            let message = match at {
                3..=5 => message.replace("creator", "editor"),
                _ => message.clone(),
            };
            assert!(text.contains(&message), "{at}: {text}");
        }
    }
    assert_eq!(t.recorder().names(), [""; 0]);
}

/// A document that stores only the actor of its insert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_letters", on_delete = "archive")]
struct Letter {
    #[serde(rename = "_id")]
    id: Id<Letter, i64>,
    text: String,
    #[created_by]
    writer: String,
}

#[tokio::test]
async fn a_change_keeps_the_creator_and_needs_no_actor() {
    let (t, ..) = opened("actors_kept").await;
    let (odm, first) = (&t.odm, t.odm.acting_as("ada"));
    let letter = Letter {
        id: id(1),
        text: "#1".into(),
        writer: String::new(),
    };
    letter.insert(&first).await.unwrap();
    let fields = Letter::fields();
    let update = Letter::update(odm, id(1)).set(fields.text, "#2");
    update.await.unwrap();
    Letter::delete(odm, id(1)).await.unwrap();
    Letter::restore(odm, id(1)).await.unwrap();
    let stored = Letter::get(odm, id(1)).await.unwrap();
    assert_eq!((&*stored.text, &*stored.writer), ("#2", "ada"));
    let upsert = Letter::upsert(odm, fields.id.eq(id(1)));
    let error = upsert.set(fields.text, "#3").await.unwrap_err().to_string();
    assert!(
        error.contains("`Letter.writer` stores the actor"),
        "{error}"
    );
}

#[tokio::test]
async fn an_optional_actor_is_null_without_an_actor() {
    let (t, ..) = opened("actors_optional").await;
    photo(1).insert(&t.odm).await.unwrap();
    let stored = raw(&t.odm, "maintained_photos", 1).await;
    assert_eq!(
        stored,
        doc! { "_id": 1_i64, "creator": Bson::Null, "by": Bson::Null, "articles": [] }
    );
    // Text that looks like a path is stored unchanged, even by a pipeline.
    let odm = t.odm.acting_as("$creator");
    photo(1).save(&odm).await.unwrap();
    let pipeline = vec![doc! { "$set": { "x": 1 } }];
    let update = Photo::update(&odm, id(1)).modifications(pipeline);
    update.await.unwrap();
    let stored = Photo::get(&t.odm, id(1)).await.unwrap();
    let text = Some("$creator".to_owned());
    assert_eq!((&stored.creator, &stored.editor), (&None, &text));
    let unknown = Photo::update(&t.odm, id(1)).with(doc! { "$unset": { "x": 1 } });
    unknown.await.unwrap();
    let stored = Photo::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((stored.creator, stored.editor), (None, None));
    photo(2).save(&odm).await.unwrap();
    let new = Photo::get(&t.odm, id(2)).await.unwrap();
    assert_eq!((&new.creator, &new.editor), (&text, &text));
}

#[tokio::test]
async fn imports_keep_the_actors_of_their_structs() {
    let (t, ..) = opened("actors_imports").await;
    let odm = t.odm.acting_as(id::<Editor>(1));
    article(1).insert(&odm).keep_timestamps().await.unwrap();
    assert_eq!(actors(&odm, 1).await, are(GIVEN, GIVEN, "given"));
    // A handle without an actor, or with an actor of another type, also stores these actors.
    for odm in [&t.odm, &t.odm.acting_as("text")] {
        article(2).save(odm).keep_timestamps().await.unwrap();
        let third = [article(3)];
        let many = Article::insert_many(odm, &third).keep_timestamps();
        many.await.unwrap();
        for number in [2, 3] {
            assert_eq!(actors(odm, number).await, are(GIVEN, GIVEN, "given"));
        }
        for number in [2, 3] {
            Article::delete(odm, id(number)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_delete_rule_keeps_the_actor_in_the_call_and_in_a_job() {
    for inline in [1_000, 0] {
        let (t, first, second) = opened("actors_delete_rule").await;
        photo(1).insert(&t.odm).await.unwrap();
        let mut with_photo = article(1);
        with_photo.photo = Some(id(1));
        with_photo.insert(&first).await.unwrap();
        let settings = t.odm.settings().clone().inline_copies(inline);
        let settings = settings.settle(Settle::Manual);
        let odm = second.with_settings(settings);
        Photo::delete(&odm, id(1)).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let stored = Article::get(&odm, id(1)).await.unwrap();
        assert_eq!((stored.photo, stored.version), (None, 2));
        assert_eq!(actors(&odm, 1).await, are(1, 1, "Ada"), "{inline}");
    }
}

#[tokio::test]
async fn a_writer_whose_handle_is_dropped_still_settles_in_the_background() {
    let (t, ..) = opened("actors_background").await;
    article(1)
        .insert(&t.odm.acting_as(id::<Editor>(1)))
        .await
        .unwrap();
    let odm = t.odm.with_settings(
        t.odm
            .settings()
            .clone()
            .settle(Settle::Background)
            .grace(std::time::Duration::from_millis(1)),
    );
    // The handle that has the actor is dropped at the end of this statement.
    let update = Editor::update(&odm.acting_as(id::<Editor>(2)), id(1));
    let update = update.set(Editor::fields().name, "Eve").deferred();
    update.await.unwrap();
    assert_eq!(actors(&odm, 1).await.2, "Ada");
    for _ in 0..300 {
        if actors(&odm, 1).await.2 == "Eve" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("no task has updated the copy");
}
