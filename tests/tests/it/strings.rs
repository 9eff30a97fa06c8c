//! Filters on strings: escaped patterns, case, and collations.

use mongo_odm::{mongodb::options::Collation, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "string_songs")]
struct Song {
    #[serde(rename = "_id")]
    id: Id<Song, i32>,
    title: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

fn song(id: i32, title: &str) -> Song {
    Song {
        id: Id::from_key(id),
        title: title.to_owned(),
        note: Some(title.to_lowercase()),
        tags: vec![title.to_owned()],
    }
}

async fn found(t: &Harness, filter: Filter<Song>) -> Vec<i32> {
    let songs = Song::find(&t.odm).filter(filter);
    let songs = songs.sort(Song::fields().id.asc()).await.unwrap();
    songs.iter().map(|song| *song.id.key()).collect()
}

#[tokio::test]
async fn case_is_ignored_and_patterns_are_escaped() {
    let t = Harness::new("strings_case").await;
    let titles = ["Été 3.5", "ÉTÉ 315", "été", "x.*", "a\nX.*"];
    let songs: Vec<Song> = (1..)
        .zip(titles)
        .map(|(id, title)| song(id, title))
        .collect();
    t.given(&songs).await;
    let fields = Song::fields();
    for (filter, expected) in [
        (fields.title.eq_ignore_case("ÉTÉ"), vec![3]),
        (fields.title.starts_with_ignore_case("ÉTÉ"), vec![1, 2, 3]),
        (fields.title.contains_ignore_case("É 3.5"), vec![1]),
        (fields.title.ends_with_ignore_case("X.*"), vec![4, 5]),
        (fields.title.eq_ignore_case("X.*"), vec![4]),
        (fields.note.contains_ignore_case("ÉTÉ 31"), vec![2]),
        (fields.tags.each().starts_with_ignore_case("X."), vec![4]),
        (fields.title.contains(".*"), vec![4, 5]),
        (fields.title.starts_with("x"), vec![4]),
        (fields.title.ends_with("5"), vec![1, 2]),
    ] {
        assert_eq!(found(&t, filter.clone()).await, expected, "{filter:?}");
    }
}

/// All kinds of calls compare strings by the given collation.
#[tokio::test]
async fn a_collation_applies_to_each_kind_of_call() {
    let t = Harness::new("strings_collation").await;
    let songs = [song(1, "b"), song(2, "A"), song(3, "a"), song(4, "C")];
    t.given(&songs).await;
    let collation = || {
        Collation::builder()
            .locale("en")
            .strength(mongo_odm::mongodb::options::CollationStrength::Secondary)
            .build()
    };
    let fields = Song::fields();
    let is_a = || fields.title.eq("a");
    let ids = |songs: &[Song]| songs.iter().map(|song| *song.id.key()).collect::<Vec<_>>();

    let order = fields.title.asc().then(fields.id.asc());
    let all = Song::find(&t.odm)
        .sort(order.clone())
        .collation(collation());
    assert_eq!(ids(&all.await.unwrap()), [2, 3, 1, 4]);
    let count = Song::count(&t.odm).filter(is_a()).collation(collation());
    assert_eq!(count.await.unwrap(), 2);
    let exists = Song::exists(&t.odm).filter(fields.title.eq("c"));
    assert!(exists.collation(collation()).await.unwrap());
    let distinct = Song::distinct(&t.odm, fields.title).collation(collation());
    assert_eq!(distinct.await.unwrap().len(), 3);

    let pages = || {
        let sorted = Song::find(&t.odm)
            .sort(fields.title.asc())
            .collation(collation());
        sorted.filter(fields.title.lt("c")).page(1).with_total()
    };
    let (mut token, mut read) = (None, Vec::new());
    loop {
        let page = pages().after(token).await.unwrap();
        assert_eq!(page.total, Some(3));
        read.extend(ids(&page.items));
        token = page.next;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(read, [2, 3, 1]);

    let updated = Song::update_many(&t.odm, is_a()).set(fields.note, "x");
    assert_eq!(updated.collation(collation()).await.unwrap().matched, 2);
    let one = Song::find_one_and_update(&t.odm, fields.title.eq("B")).set(fields.note, "y");
    let one = one.collation(collation()).await.unwrap();
    assert_eq!(one.map(|song| *song.id.key()), Some(1));
    let deleted = Song::delete_many(&t.odm, is_a()).collation(collation());
    assert_eq!(deleted.await.unwrap().deleted, 2);
    assert_eq!(Song::count(&t.odm).filter(is_a()).await.unwrap(), 0);
}
