//! Relations over string keys with a collation that the caller sets, in which `a` equals `A`.

use mongo_odm::{
    Error,
    mongodb::options::{Collation, CollationStrength},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tags", has_many(notes = "Note.tag"))]
struct Tag {
    #[serde(rename = "_id")]
    id: Id<Tag, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i32>,
    #[parent_ref]
    tag: Id<Tag, String>,
}

fn collation() -> Collation {
    let builder = Collation::builder().locale("en");
    builder.strength(CollationStrength::Secondary).build()
}

fn ids<'n>(notes: impl IntoIterator<Item = &'n Note>) -> Vec<i32> {
    notes.into_iter().map(|note| *note.id.key()).collect()
}

/// Stores nine notes that refer to `a`, `A` and `b` in turn.
async fn given(test: &str) -> (Harness, [Tag; 3]) {
    let t = Harness::new(test).await;
    let tags = ["a", "A", "b"].map(|id| Tag {
        id: Id::from_key(id.to_owned()),
    });
    let note = |id: i32| Note {
        id: Id::from_key(id),
        tag: tags[usize::try_from(id % 3).unwrap()].id.clone(),
    };
    let notes: Vec<Note> = (0..9).map(note).collect();
    t.given(&tags).await;
    t.given(&notes).await;
    (t, tags)
}

#[tokio::test]
async fn limits_are_those_of_the_keys_that_were_asked_for() {
    let (t, tags) = given("collated_limits").await;
    let newest = || Note::fields().id.desc();
    let load = || {
        tags[0]
            .load_notes(&t.odm)
            .sort(newest())
            .collation(collation())
    };
    assert_eq!(ids(&load().limit(2).await.unwrap()), [6, 3]);
    assert_eq!(ids(&load().skip(1).limit(2).await.unwrap()), [3, 0]);
    let join = Tag::join_notes(&tags, &t.odm).sort(newest());
    let joined = join.collation(collation()).limit_each(2).await.unwrap();
    let of: Vec<_> = tags.iter().map(|tag| ids(joined.of(tag))).collect();
    assert_eq!(of, [[6, 3], [7, 4], [8, 5]]);
}

#[tokio::test]
async fn what_the_server_would_count_too_much_is_refused() {
    let (t, tags) = given("collated_counts").await;
    assert_eq!(tags[0].count_notes(&t.odm).await.unwrap(), 3);
    let count = tags[0].count_notes(&t.odm).collation(collation());
    refused(count.await, "`collation`");
    let each = || Tag::join_notes(&tags, &t.odm);
    refused(
        each().collation(collation()).count_each().await,
        "`collation`",
    );
    refused(each().limit_each(1).count_each().await, "`limit_each`");
    refused(each().skip_each(1).count_each().await, "`skip_each`");
    refused(each().require_all().count_each().await, "`require_all`");
    let plan = each().require_all().count_each().plan();
    refused(plan, "`require_all`");
}

fn refused<T: std::fmt::Debug>(result: mongo_odm::Result<T>, word: &str) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    assert!(error.to_string().contains(word), "{error}");
    assert!(error.to_string().contains("`Tag.notes`"), "{error}");
}

#[tokio::test]
async fn a_plain_projection_is_the_same_with_a_limit_for_each() {
    let (t, tags) = given("collated_projection").await;
    let join = || Tag::join_notes(&tags, &t.odm).project::<mongo_odm::bson::Document>(doc! {});
    assert_eq!(join().await.unwrap().len(), 9);
    assert_eq!(join().limit_each(2).await.unwrap().len(), 6);
    let wrong = Tag::join_notes(&tags, &t.odm).filter(doc! { "$nothing": 1 });
    let error = wrong.limit_each(1).await.unwrap_err().to_string();
    assert!(
        error.starts_with("while `aggregate` on `notes` (`Note`): "),
        "{error}"
    );
}

#[tokio::test]
async fn options_that_mean_something_else_or_nothing_are_not_sent() {
    let (t, tags) = given("collated_options").await;
    let short = std::time::Duration::from_micros(1);
    let plan = Note::find(&t.odm)
        .max_time(short)
        .plan()
        .unwrap()
        .to_string();
    assert!(plan.contains("maxTimeMS(1)"), "0 is no limit: {plan}");
    let count = Note::find(&t.odm).let_vars(doc! { "x": 1 }).count();
    let error = count.await.unwrap_err();
    assert!(error.to_string().contains("`let_vars`"), "{error}");
    let refused = |error: mongo_odm::Error, option: &str| {
        assert_eq!(error.kind(), mongo_odm::ErrorKind::Invalid, "{error:?}");
        assert!(error.to_string().contains(option), "{error}");
    };
    let least = Note::find(&t.odm).options(|it| it.min = Some(doc! { "_id": 1 }));
    refused(least.count().await.unwrap_err(), "`min`");
    let ids = || Note::find_one(&t.odm).options(|it| it.projection = Some(doc! { "_id": 1 }));
    refused(ids().plan().unwrap_err(), "`select` or `project`");
    refused(ids().await.unwrap_err(), "`select` or `project`");
    let sorted = || {
        tags[0]
            .load_notes(&t.odm)
            .options(|it| it.sort = Some(doc! { "_id": 1 }))
    };
    refused(sorted().plan().unwrap_err(), "`sort`");
    refused(sorted().await.unwrap_err(), "`sort`");
    let patient = Note::find(&t.odm).options(|it| it.no_cursor_timeout = Some(true));
    let plan = patient.plan().unwrap().to_string();
    assert!(plan.contains(".noCursorTimeout(true)"), "{plan}");
    let id = Note::fields().id;
    let twice = Note::find_one_and_update(&t.odm, doc! {}).sort(id.asc());
    let twice = twice
        .sort(doc! { "other": -1 })
        .modifications(doc! { "$set": { "x": 1 } });
    let plan = twice.plan().unwrap().to_string();
    assert!(plan.contains("sort: { _id: 1, other: -1 }"), "{plan}");
    let far = Note::find(&t.odm).skip(usize::MAX).await.unwrap();
    assert!(far.is_empty());
    let far = tags[0].load_notes(&t.odm).skip(usize::MAX).await.unwrap();
    assert!(far.is_empty());
}

/// The driver accepts only batch sizes that fit into an `i32`.
#[tokio::test]
async fn a_limit_can_be_larger_than_any_batch() {
    let (t, tags) = given("collated_limits").await;
    for limit in [i32::MAX.unsigned_abs(), u32::MAX - 2, u32::MAX] {
        let many = usize::try_from(limit).unwrap();
        assert_eq!(Note::find(&t.odm).limit(many).await.unwrap().len(), 9);
        let of_tag = tags[0].load_notes(&t.odm).limit(many);
        assert_eq!(of_tag.await.unwrap().len(), 3);
        let page = Note::find(&t.odm).page(limit).await.unwrap();
        assert_eq!((page.items.len(), page.next), (9, None));
    }
}

/// A city whose code is unique only if case matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "collated_cities")]
struct City {
    #[serde(rename = "_id")]
    id: Id<City, i32>,
    #[index]
    code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "collated_streets")]
struct Street {
    #[serde(rename = "_id")]
    id: Id<Street, i32>,
    #[refs(one, to = "City.code")]
    city: String,
}

#[tokio::test]
async fn one_document_is_found_among_others_whose_keys_are_equal_by_the_collation() {
    let t = Harness::new("collated_one").await;
    let city = |(code, id): (&str, i32)| City {
        id: Id::from_key(id),
        code: code.to_owned(),
    };
    let cities: Vec<City> = ["ab", "AB", "aB", "Ab"]
        .into_iter()
        .zip(1..)
        .map(city)
        .collect();
    t.given(&cities).await;
    let street = |city: &str| Street {
        id: Id::from_key(1),
        city: city.to_owned(),
    };
    for city in &cities {
        let street = street(&city.code);
        let load = || street.load_city(&t.odm).collation(collation());
        assert_eq!(load().await.unwrap().as_ref(), Some(city));
        assert_eq!(&load().require().await.unwrap(), city);
    }
    let none = street("ac");
    let load = || none.load_city(&t.odm).collation(collation());
    assert_eq!(load().await.unwrap(), None);
    t.given(&[city(("Ab", 5))]).await;
    let twice = street("Ab");
    let failed = twice.load_city(&t.odm).collation(collation()).await;
    let failed = failed.unwrap_err();
    assert!(matches!(failed, Error::Ambiguous { .. }), "{failed:?}");
}
