//! Deletes of documents in a two-way reference whose arrays have delete rules.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_shelves")]
pub struct Shelf {
    #[serde(rename = "_id")]
    pub id: Id<Shelf>,
    #[refs(many, inverse = "shelves", on_delete = "cascade")]
    pub books: Vec<Id<Book>>,
    #[refs(many, inverse = "places", on_delete = "pull")]
    pub maps: Vec<Id<Map>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_books")]
pub struct Book {
    #[serde(rename = "_id")]
    pub id: Id<Book>,
    #[refs(many, inverse = "books", on_delete = "restrict")]
    pub shelves: Vec<Id<Shelf>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_maps")]
pub struct Map {
    #[serde(rename = "_id")]
    pub id: Id<Map>,
    #[refs(many, inverse = "maps")]
    pub places: Vec<Id<Shelf>>,
}

#[tokio::test]
async fn what_a_rule_deals_with_is_left_to_it() {
    let t = empty("mirrored_rules").await;
    let sync = t.odm.sync_indexes().only::<Shelf>().only::<Book>();
    sync.only::<Map>().await.unwrap();
    for odm in [t.odm.clone(), by_jobs(&t.odm)] {
        let (book, other) = (
            Book {
                id: Id::new(),
                shelves: vec![],
            },
            Book {
                id: Id::new(),
                shelves: vec![],
            },
        );
        let map = Map {
            id: Id::new(),
            places: vec![],
        };
        t.given(&[book.clone(), other.clone()]).await;
        t.given(&[map.clone()]).await;
        let shelf = |books: &[&Book]| Shelf {
            id: Id::new(),
            books: books.iter().map(|it| it.id).collect(),
            maps: vec![map.id],
        };
        let shelves = [shelf(&[&book]), shelf(&[&book, &other]), shelf(&[&other])];
        t.given(&shelves).await;
        Map::delete(&odm, map.id).await.unwrap();
        settle(&odm).await;
        for shelf in Shelf::find(&t.odm).await.unwrap() {
            assert!(shelf.maps.is_empty(), "{shelf:?}");
        }
        let refused = Shelf::delete(&odm, shelves[0].id).await.unwrap_err();
        assert_eq!(
            refused.kind(),
            mongo_odm::ErrorKind::Restricted,
            "{refused}"
        );
        // The shelves that contain the book are deleted with it, and the other book is updated.
        Book::update(&t.odm, other.id)
            .set(Book::fields().shelves, vec![shelves[2].id])
            .await
            .unwrap();
        Book::delete(&odm, book.id).await.unwrap();
        settle(&odm).await;
        let left = Shelf::find(&t.odm).await.unwrap();
        let left: Vec<_> = left.iter().map(|it| it.id).collect();
        assert_eq!(left, [shelves[2].id]);
        let other = Book::get(&t.odm, other.id).await.unwrap();
        assert_eq!(other.shelves, [shelves[2].id]);
        let drift = t.odm.verify().await.unwrap();
        assert!(drift.is_empty(), "{drift}");
        Book::update(&t.odm, other.id)
            .set(Book::fields().shelves, vec![])
            .await
            .unwrap();
        Shelf::delete(&t.odm, shelves[2].id).await.unwrap();
        settle(&t.odm).await;
    }
}
