//! Relations that declare an order for their documents, or a filter.

use mongo_odm::{Filter, bson::Document, prelude::*, relation::Slot};
use odm_tests::{
    Harness,
    sent::{number, only},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "authors",
    has_many(best = "Story.author", sort(likes = -1, id = 1)),
    has_many(liked = "Story.author", sort(likes = 1), filter = "Story::liked"),
    has_one(hit = "Story.author", filter = "Story::is_hit")
)]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i32>,
    #[refs(many, sort(likes = -1), filter = "Story::liked")]
    shelf: Vec<Id<Story, i32>>,
    #[refs(one, filter = "Story::liked")]
    first: Option<Id<Story, i32>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "stories")]
struct Story {
    #[serde(rename = "_id")]
    id: Id<Story, i32>,
    #[parent_ref]
    author: Id<Author, i32>,
    likes: i64,
}

impl Story {
    fn liked() -> Filter<Self> {
        Self::fields().likes.gt(0)
    }

    fn is_hit() -> Filter<Self> {
        Self::fields().likes.gte(100)
    }
}

fn ids<'s>(stories: impl IntoIterator<Item = &'s Story>) -> Vec<i32> {
    stories.into_iter().map(|story| *story.id.key()).collect()
}

/// Two authors: the stories of the first have 5, 0, 100 and 5 likes, and the only story of the second has none.
async fn given(test: &str) -> (Harness, [Author; 2]) {
    let t = Harness::new(test).await;
    let author = |id: i32, shelf: &[i32]| Author {
        id: Id::from_key(id),
        shelf: shelf.iter().copied().map(Id::from_key).collect(),
        first: shelf.first().copied().map(Id::from_key),
    };
    let authors = [author(1, &[2, 4, 3, 1, 9]), author(2, &[3, 5])];
    let story = |(id, author, likes): (i32, i32, i64)| Story {
        id: Id::from_key(id),
        author: Id::from_key(author),
        likes,
    };
    let stories = [(1, 1, 5), (2, 1, 0), (3, 1, 100), (4, 1, 5), (5, 2, 0)].map(story);
    t.given(&authors).await;
    t.given(&stories).await;
    t.forget();
    (t, authors)
}

fn sort(find: &Document) -> &Document {
    find.get_document("sort").unwrap()
}

#[tokio::test]
async fn documents_come_in_the_declared_order() {
    let (t, [first, second]) = given("scope_order").await;
    assert_eq!(ids(&first.load_best(&t.odm).await.unwrap()), [3, 1, 4, 2]);
    assert_eq!(sort(&only(&t, "find")), &doc! { "likes": -1, "_id": 1 });
    t.forget();
    let two = first.load_best(&t.odm).limit(2).await.unwrap();
    assert_eq!(ids(&two), [3, 1]);
    assert_eq!(number(&only(&t, "find"), "limit"), Some(2));
    let owners = [first, second];
    t.forget();
    let joined = Author::join_best(&owners, &t.odm).await.unwrap();
    only(&t, "find");
    assert_eq!(ids(joined.of(&owners[0])), [3, 1, 4, 2]);
    assert_eq!(ids(joined.of(&owners[1])), [5]);
    let join = Author::join_best(&owners, &t.odm);
    let joined = join.skip_each(1).limit_each(2).await.unwrap();
    assert_eq!(ids(joined.of(&owners[0])), [1, 4]);
    assert!(ids(joined.of(&owners[1])).is_empty());
}

#[tokio::test]
async fn an_order_of_the_load_replaces_the_declared_one() {
    let (t, [first, _]) = given("scope_replaced").await;
    let oldest = Story::fields().id.asc();
    let loaded = first.load_best(&t.odm).sort(oldest).await.unwrap();
    assert_eq!(ids(&loaded), [1, 2, 3, 4]);
    assert_eq!(sort(&only(&t, "find")), &doc! { "_id": 1 });
}

#[tokio::test]
async fn documents_outside_the_declared_filter_are_neither_loaded_nor_counted() {
    let (t, owners) = given("scope_filter").await;
    let [first, second] = &owners;
    assert_eq!(ids(&first.load_liked(&t.odm).await.unwrap()), [1, 4, 3]);
    // A filter of the load applies in addition to the declared one.
    let few = || Story::fields().likes.lt(100);
    let loaded = first.load_liked(&t.odm).filter(few()).await.unwrap();
    assert_eq!(ids(&loaded), [1, 4]);
    assert_eq!(first.count_liked(&t.odm).await.unwrap(), 3);
    let counted = first.count_liked(&t.odm).filter(few());
    assert_eq!(counted.await.unwrap(), 2);
    assert!(second.load_liked(&t.odm).await.unwrap().is_empty());
    let joined = Author::join_liked(&owners, &t.odm).await.unwrap();
    assert_eq!(ids(joined.of(first)), [1, 4, 3]);
    assert_eq!(joined.unmatched().len(), 1);
    let counts = Author::join_liked(&owners, &t.odm).count_each().await;
    let counts = counts.unwrap();
    assert_eq!((counts.of(first), counts.of(second)), (3, 0));
}

#[tokio::test]
async fn the_one_document_of_the_declared_filter_is_loaded() {
    let (t, owners) = given("scope_one").await;
    let hit = owners[0].load_hit(&t.odm).await.unwrap();
    assert_eq!(ids(&hit), [3], "three others refer here as well");
    assert_eq!(owners[1].load_hit(&t.odm).await.unwrap(), None);
    let joined = Author::join_hit(&owners, &t.odm).await.unwrap();
    assert_eq!(ids(joined.one_of(&owners[0])), [3]);
    // The story exists, but it has no likes.
    assert_eq!(owners[0].load_first(&t.odm).await.unwrap(), None);
    assert_eq!(ids(&owners[1].load_first(&t.odm).await.unwrap()), [3]);
}

#[tokio::test]
async fn references_that_are_stored_here_have_an_order_and_a_filter_too() {
    let (t, owners) = given("scope_stored").await;
    let loaded = owners[0].load_shelf(&t.odm).await.unwrap();
    assert_eq!(
        loaded.iter().map(|it| it.likes).collect::<Vec<_>>(),
        [100, 5, 5]
    );
    assert_eq!(owners[0].count_shelf(&t.odm).await.unwrap(), 3);
    let joined = Author::join_shelf(&owners, &t.odm).await.unwrap();
    assert_eq!(ids(joined.of(&owners[1])), [3]);
    // The slots have the order of the stored references, whatever the declared order.
    let slots = owners[0].load_shelf(&t.odm).slots().await.unwrap();
    let found = slots.iter().map(|slot| matches!(slot, Slot::Found(_)));
    assert_eq!(found.collect::<Vec<_>>(), [false, true, true, true, false]);
    assert!(matches!(slots[0], Slot::Unmatched(_)), "{:?}", slots[0]);
    // Missing documents are reported independently of the filter.
    let missing = owners[0].load_shelf(&t.odm).missing().await.unwrap();
    assert_eq!(missing.len(), 1);
}

#[tokio::test]
async fn a_plan_shows_the_declared_order_and_filter() {
    let (t, [first, _]) = given("scope_plan").await;
    let plan = first.load_liked(&t.odm).plan().unwrap().to_string();
    assert_eq!(
        plan,
        "db.stories.find({ $and: [{ author: NumberLong(\"1\") }, { likes: { $gt: NumberLong(\"0\") } }] }).sort({ likes: 1 })"
    );
}

/// A load can request the stored order instead of the declared one.
#[tokio::test]
async fn an_empty_sort_of_the_load_brings_back_the_stored_order() {
    let (t, owners) = given("scope_unsorted").await;
    let loaded = owners[0].load_shelf(&t.odm).sort(doc! {}).await.unwrap();
    assert_eq!(ids(&loaded), [4, 3, 1]);
}
