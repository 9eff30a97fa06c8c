//! Array elements with outdated copies, which are identified by their other fields.

use std::time::Duration;

use mongo_odm::{
    Settings, Update,
    bson::{Bson, Document},
    mongodb::options::UpdateModifications,
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::raw;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "outdated_tracks")]
struct Track {
    #[serde(rename = "_id")]
    id: Id<Track, i64>,
    title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Item {
    #[refs(one)]
    track: Id<Track, i64>,
    #[denorm(from = Track.title)]
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    stars: Option<i32>,
    labels: Vec<String>,
}

/// An item with the title that its track had when it was sold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Sale {
    #[refs(one)]
    track: Id<Track, i64>,
    #[denorm(from = Track.title)]
    title: String,
    #[denorm(from = Track.title, snapshot)]
    sold_as: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Side {
    name: String,
    #[embed]
    items: Vec<Item>,
    #[serde(default)]
    #[embed]
    first: Option<Item>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "outdated_lists")]
struct Playlist {
    #[serde(rename = "_id")]
    id: Id<Playlist, i64>,
    #[embed]
    items: Vec<Item>,
    #[embed]
    sales: Vec<Sale>,
    #[embed]
    sides: Vec<Side>,
    #[embed]
    best: Option<Item>,
    #[serde(default)]
    #[embed]
    maybe: Vec<Option<Item>>,
}

fn item(track: i64, note: Option<&str>) -> Item {
    Item {
        track: Id::from_key(track),
        title: format!("track {track}"),
        note: note.map(str::to_owned),
        stars: None,
        labels: vec!["a".to_owned(), "b".to_owned()],
    }
}

fn side(name: &str, tracks: &[i64]) -> Side {
    Side {
        name: name.to_owned(),
        items: tracks.iter().map(|track| item(*track, None)).collect(),
        first: Some(item(4, Some(name))),
    }
}

/// Stores a list, renames its tracks, and returns the list as it was before the renames.
async fn renamed(test: &str) -> (Harness, Playlist) {
    let mut t = Harness::new(test).await;
    t.odm =
        Odm::new(t.odm.database().clone()).with_settings(Settings::default().grace(Duration::ZERO));
    let sync = t.odm.sync_indexes().only::<Track>().only::<Playlist>();
    sync.await.unwrap();
    for number in 1..5 {
        let (id, title) = (Id::from_key(number), format!("track {number}"));
        Track { id, title }.insert(&t.odm).await.unwrap();
    }
    let sale = |track: i64| Sale {
        track: Id::from_key(track),
        title: String::new(),
        sold_as: String::new(),
    };
    let list = Playlist {
        id: Id::from_key(1),
        items: vec![
            item(1, Some("loud")),
            item(1, None),
            item(2, None),
            item(3, None),
            item(4, None),
        ],
        sales: vec![sale(1), sale(2)],
        sides: vec![side("a", &[1, 2]), side("b", &[1, 2]), side("a", &[2])],
        best: Some(item(2, None)),
        maybe: vec![Some(item(1, None)), None, Some(item(2, None))],
    };
    list.insert(&t.odm).await.unwrap();
    let before = Playlist::get(&t.odm, list.id).await.unwrap();
    let titles = doc! { "$set": { "title": "renamed" } };
    Track::update_many(&t.odm, doc! {})
        .with(titles)
        .await
        .unwrap();
    (t, before)
}

/// Returns the track and the note of each item in the list.
async fn tracks(t: &Harness) -> Vec<(i64, Option<String>)> {
    let stored = raw(&t.odm, "outdated_lists", 1_i64).await;
    let items = stored.get_array("items").unwrap().iter();
    let items = items.map(|item| item.as_document().unwrap());
    let of = |item: &Document| {
        let note = item.get_str("note").ok().map(str::to_owned);
        (item.get_i64("track").unwrap(), note)
    };
    items.map(of).collect()
}

#[tokio::test]
async fn pull_removes_an_element_whose_copies_are_outdated() {
    let (t, before) = renamed("outdated_pull").await;
    let fields = Playlist::fields();
    let update = Playlist::update(&t.odm, before.id).pull(fields.items, &before.items[1]);
    assert_eq!(update.await.unwrap().modified, 1);
    let loud = (1, Some("loud".to_owned()));
    let left = [loud, (2, None), (3, None), (4, None)];
    assert_eq!(tracks(&t).await, left);
    // Several elements are removed with two calls, in an `update_many`.
    Playlist::update_many(&t.odm, doc! {})
        .pull(fields.items, &before.items[2])
        .pull_all(fields.items, &before.items[3..])
        .await
        .unwrap();
    assert_eq!(tracks(&t).await, left[..1]);
}

#[tokio::test]
async fn pull_compares_every_other_field() {
    let (t, before) = renamed("outdated_other").await;
    let fields = Playlist::fields();
    let mut other = before.items[2].clone();
    other.labels.reverse();
    Playlist::update(&t.odm, before.id)
        .pull(fields.items, &other)
        .await
        .unwrap();
    other.labels.reverse();
    other.stars = Some(3);
    Playlist::update(&t.odm, before.id)
        .pull(fields.items, &other)
        .await
        .unwrap();
    other.stars = None;
    other.note = Some("quiet".to_owned());
    Playlist::update(&t.odm, before.id)
        .pull(fields.items, &other)
        .await
        .unwrap();
    assert_eq!(tracks(&t).await.len(), 5);
    // An element with a different order of fields and a different number type is the same element.
    let stored = doc! { "labels": ["a", "b"], "stars": null, "title": "renamed", "track": 2.0 };
    let put = doc! { "$set": { "items.2": stored } };
    let lists = t.odm.database().collection::<Document>("outdated_lists");
    lists.update_many(doc! {}, put).await.unwrap();
    let update = Playlist::update(&t.odm, before.id).pull(fields.items, &before.items[2]);
    assert_eq!(update.await.unwrap().modified, 1);
}

#[tokio::test]
async fn a_snapshot_is_a_part_of_the_element() {
    let (t, before) = renamed("outdated_snapshot").await;
    let fields = Playlist::fields();
    let mut other = before.sales[0].clone();
    other.sold_as = "renamed".to_owned();
    let update = Playlist::update(&t.odm, before.id).pull(fields.sales, &other);
    assert_eq!(update.await.unwrap().modified, 0);
    let update = Playlist::update(&t.odm, before.id).pull(fields.sales, &before.sales[0]);
    assert_eq!(update.await.unwrap().modified, 1);
    let stored = raw(&t.odm, "outdated_lists", 1_i64).await;
    assert_eq!(stored.get_array("sales").unwrap().len(), 1);
}

#[tokio::test]
async fn elements_in_elements_are_recognized_as_well() {
    let (t, before) = renamed("outdated_nested").await;
    let fields = Playlist::fields();
    let inner = fields.sides.every().items;
    Playlist::update(&t.odm, before.id)
        .pull(inner, &before.sides[0].items[0])
        .await
        .unwrap();
    let now = Playlist::get(&t.odm, before.id).await.unwrap();
    let lengths: Vec<usize> = now.sides.iter().map(|side| side.items.len()).collect();
    assert_eq!(lengths, [1, 1, 1]);
    Playlist::update(&t.odm, before.id)
        .pull(fields.sides, &before.sides[2])
        .await
        .unwrap();
    let now = Playlist::get(&t.odm, before.id).await.unwrap();
    let names: Vec<&str> = now.sides.iter().map(|side| &*side.name).collect();
    assert_eq!(names, ["b"]);
}

#[tokio::test]
async fn add_to_set_and_pull_take_the_same_element_for_the_same() {
    let (t, before) = renamed("outdated_add").await;
    let fields = Playlist::fields();
    Playlist::update(&t.odm, before.id)
        .add_all_to_set(fields.items, &before.items)
        .await
        .unwrap();
    assert_eq!(tracks(&t).await.len(), 5);
    Playlist::update(&t.odm, before.id)
        .pull_all(fields.items, &before.items)
        .await
        .unwrap();
    assert_eq!(tracks(&t).await.len(), 0);
}

#[tokio::test]
async fn filters_find_an_element_whose_copies_are_outdated() {
    let (t, before) = renamed("outdated_filters").await;
    let fields = Playlist::fields();
    let count =
        async |filter: Filter<Playlist>| Playlist::count(&t.odm).filter(filter).await.unwrap();
    let [first, second] = [&before.items[0], &before.items[1]];
    let mut other = second.clone();
    other.note = Some("quiet".to_owned());
    assert_eq!(count(fields.items.contains(second)).await, 1);
    assert_eq!(count(fields.items.contains(&other)).await, 0);
    assert_eq!(count(fields.items.contains_all([first, second])).await, 1);
    assert_eq!(count(fields.items.contains_all([first, &other])).await, 0);
    assert_eq!(count(fields.items.contains_any([second, &other])).await, 1);
    assert_eq!(count(fields.items.each().eq(second)).await, 1);
    assert_eq!(count(fields.items.each().eq(&other)).await, 0);
    let best = before.best.clone().unwrap();
    assert_eq!(count(fields.best.eq(&best)).await, 1);
    assert_eq!(count(fields.best.eq(&other)).await, 0);
    assert_eq!(count(fields.best.eq(None)).await, 0);
    let by_element = fields.id.eq(before.id) & fields.items.contains(second);
    let upsert = Playlist::upsert(&t.odm, by_element);
    let upsert = upsert
        .set_on_insert(fields.items, Vec::new())
        .set_on_insert(fields.sides, Vec::new());
    let report = upsert.set(fields.sales, Vec::new()).await;
    assert_eq!(report.unwrap().matched, 1);
}

#[tokio::test]
async fn the_statement_names_every_field_but_the_copies() {
    let update = Update::<Playlist>::new().pull(Playlist::fields().items, item(1, None));
    let expected = doc! { "$pull": { "items": { "$or": [
        { "track": 1_i64, "stars": Bson::Null, "labels": ["a", "b"], "note": Bson::Null },
    ] } } };
    let update = update.into_modifications().unwrap();
    assert_eq!(
        format!("{update:?}"),
        format!("{:?}", UpdateModifications::Document(expected))
    );
}

#[tokio::test]
async fn every_comparison_leaves_the_copies_out() {
    let (t, old) = renamed("outdated_comparisons").await;
    let fields = Playlist::fields();
    let finds = async |filter: mongo_odm::Filter<Playlist>| {
        Playlist::find(&t.odm).filter(filter).await.unwrap().len()
    };
    let (best, other) = (old.best.clone(), Some(item(4, Some("other"))));
    assert!(best.is_some() && best != other);
    for (filter, found) in [
        (fields.best.eq(best.clone()), 1),
        (fields.best.ne(best.clone()), 0),
        (fields.best.ne(other.clone()), 1),
        (fields.best.is_in([best.clone(), None]), 1),
        (fields.best.is_in([other.clone(), None]), 0),
        (fields.best.is_not_in([best.clone(), None]), 0),
        (fields.best.is_not_in([other.clone(), None]), 1),
        (fields.items.eq(old.items.clone()), 1),
        (fields.items.ne(old.items.clone()), 0),
        (fields.items.eq(old.items[1..].to_vec()), 0),
        (fields.maybe.contains_all([None, old.maybe[0].clone()]), 1),
        (fields.maybe.contains_all([None, other.clone()]), 0),
        (
            fields
                .maybe
                .contains_any([other.clone(), old.maybe[2].clone()]),
            1,
        ),
        (fields.maybe.contains_any([None, other.clone()]), 1),
        (fields.maybe.contains(None), 1),
        (fields.items.each().eq(old.items[1].clone()), 1),
        (fields.items.each().ne(old.items[1].clone()), 0),
        (fields.items.each().is_in([old.items[1].clone()]), 1),
        (fields.items.each().is_not_in([old.items[1].clone()]), 0),
        (fields.items.at::<1>().eq(old.items[1].clone()), 1),
        (fields.items.at::<2>().eq(old.items[1].clone()), 0),
        (fields.items.at::<1>().ne(old.items[1].clone()), 0),
        (fields.items.at::<2>().is_in([old.items[1].clone()]), 0),
        (fields.items.at::<1>().is_not_in([old.items[1].clone()]), 0),
        (fields.maybe.at::<0>().eq(old.maybe[0].clone()), 1),
        (fields.maybe.at::<1>().eq(None), 1),
        (fields.sides.first.eq(old.sides[0].first.clone()), 1),
        (fields.sides.first.ne(old.sides[0].first.clone()), 0),
        (fields.sides.first.eq(other.clone()), 0),
        (
            fields.sides.at::<0>().first.eq(old.sides[0].first.clone()),
            1,
        ),
        (
            fields.sides.at::<1>().first.eq(old.sides[0].first.clone()),
            0,
        ),
        (fields.sides.at::<1>().items.at::<0>().eq(item(1, None)), 1),
        (fields.sides.at::<1>().items.at::<1>().eq(item(1, None)), 0),
    ] {
        let shown = format!("{filter:?}");
        assert_eq!(finds(filter).await, found, "{shown}");
    }
}

#[tokio::test]
async fn pull_takes_none_or_structs_with_copies() {
    let (t, old) = renamed("outdated_none").await;
    let (id, maybe) = (old.id, Playlist::fields().maybe);
    let both = [None, old.maybe[2].clone()];
    let error = Playlist::update(&t.odm, id).pull_all(maybe, both).await;
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("remove `None` by a second update"),
        "{message}"
    );
    let one = Playlist::update(&t.odm, id).pull(maybe, old.maybe[2].clone());
    one.await.unwrap();
    Playlist::update(&t.odm, id)
        .pull(maybe, None)
        .await
        .unwrap();
    let left = Playlist::get(&t.odm, id).await.unwrap().maybe;
    assert_eq!(left.iter().map(Option::is_some).collect::<Vec<_>>(), [true]);
}

#[tokio::test]
async fn a_condition_on_named_elements_leaves_the_copies_out() {
    let (t, old) = renamed("outdated_named").await;
    let item = Playlist::fields().items.named::<'i'>();
    let update = Playlist::update(&t.odm, old.id).set(item.stars, Some(5));
    let same = item.when(|it| it.eq(old.items[1].clone()));
    assert_eq!(update.array_filter(same).await.unwrap().modified, 1);
    let now = Playlist::get(&t.odm, old.id).await.unwrap();
    let stars: Vec<_> = now.items.iter().map(|item| item.stars).collect();
    assert_eq!(stars, [None, Some(5), None, None, None]);
}
