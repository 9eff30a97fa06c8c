//! Two models in one collection, each as a source and with copies.

use mongo_odm::prelude::*;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "media")]
pub struct Book {
    #[serde(rename = "_id")]
    pub id: Id<Book>,
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "media")]
pub struct Film {
    #[serde(rename = "_id")]
    pub id: Id<Film>,
    pub title: String,
    pub minutes: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "media_notes")]
pub struct Review {
    #[serde(rename = "_id")]
    pub id: Id<Review>,
    #[parent_ref]
    pub book: Id<Book>,
    #[denorm(from = Book.title)]
    pub book_title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "media_notes")]
pub struct Trailer {
    #[serde(rename = "_id")]
    pub id: Id<Trailer>,
    #[parent_ref]
    pub film: Id<Film>,
    #[denorm(from = Film.title)]
    pub film_title: String,
}

/// A write through either model is a write to the source.
#[tokio::test]
async fn models_of_one_collection_keep_each_others_copies() {
    let t = empty("shared_collection").await;
    let sync = t.odm.sync_indexes().only::<Book>().only::<Review>();
    sync.await.unwrap();
    let title = "Solaris".to_owned();
    let book = Book {
        id: Id::new(),
        title: title.clone(),
    };
    let film = Film {
        id: Id::new(),
        title: title.clone(),
        minutes: 167,
    };
    t.given(&[book.clone()]).await;
    t.given(&[film.clone()]).await;
    let review = Review {
        id: Id::new(),
        book: book.id,
        book_title: "?".to_owned(),
    };
    let trailer = Trailer {
        id: Id::new(),
        film: film.id,
        film_title: "?".to_owned(),
    };
    review.insert(&t.odm).await.unwrap();
    trailer.insert(&t.odm).await.unwrap();
    let titles = async || {
        let review = Review::get(&t.odm, review.id).await.unwrap().book_title;
        let trailer = Trailer::get(&t.odm, trailer.id).await.unwrap().film_title;
        [review, trailer]
    };
    assert_eq!(titles().await, ["Solaris", "Solaris"]);
    for (way, odm) in both_ways(&t.odm) {
        let book_title = format!("{way} book");
        Book::update(&odm, book.id)
            .set(Book::fields().title, &book_title)
            .await
            .unwrap();
        assert_eq!(titles().await[0], book_title);
        // The write can also use the other model.
        let as_film: Id<Film> = Id::from_key(*book.id.key());
        let report = Film::update(&odm, as_film)
            .set(Film::fields().title, way)
            .await
            .unwrap();
        assert_eq!(report.matched, 1);
        assert_eq!(titles().await[0], way);
        Film::update_many(&odm, Film::fields().minutes.eq(167))
            .set(Film::fields().title, way)
            .await
            .unwrap();
        assert_eq!(titles().await, [way, way]);
        settle(&odm).await;
    }
}
