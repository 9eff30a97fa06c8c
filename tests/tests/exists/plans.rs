//! Compares the plans of writes with the statements that are sent.

use mongo_odm::prelude::*;
use odm_tests::planned::assert_sent;

use crate::models::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "planned_shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "planned_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    #[index]
    #[parent_ref(exists, on_delete = "restrict")]
    shelf: Id<Shelf, i64>,
    #[refs(one, exists)]
    sequel: Option<Id<Book, i64>>,
}

fn book(number: i64) -> Book {
    Book {
        id: id(number),
        shelf: id(1),
        sequel: Some(id(1)),
    }
}

#[tokio::test]
async fn what_is_planned_is_what_runs() {
    let t = workshop("exists_plans").await;
    let odm = &t.odm;
    t.given(&[
        Shelf { id: id(1) },
        Shelf { id: id(2) },
        Shelf { id: id(3) },
    ])
    .await;
    t.given(&[book(1)]).await;
    macro_rules! same {
        ($title:literal, $builder:expr) => {{
            let plan: mongo_odm::Plan = $builder.plan().unwrap();
            t.forget();
            $builder.await.unwrap();
            assert_sent(&t, $title, &plan);
            plan.to_string()
        }};
    }
    let fields = Book::fields();
    let inserted = same!("insert", book(2).insert(odm));
    assert!(
        inserted.contains("Book.shelf -> Shelf: `exists`"),
        "{inserted}"
    );
    same!("insert many", Book::insert_many(odm, &[book(3), book(4)]));
    same!(
        "save",
        Book {
            shelf: id(2),
            sequel: Some(id(2)),
            ..book(2)
        }
        .save(odm)
    );
    same!("update", Book::update(odm, id(2)).set(fields.shelf, id(1)));
    same!(
        "update of a key",
        Book::update(odm, id(2)).set(fields.sequel, id(3))
    );
    same!(
        "many",
        Book::update_many(odm, fields.id.eq(id(2)))
            .set(fields.shelf, id(2))
            .atomic()
    );
    same!("delete", Shelf::delete(odm, id(3)));
}

/// A dry run checks the same references as the write, and stores nothing.
#[tokio::test]
async fn a_dry_run_is_refused_as_the_write_is() {
    let t = workshop("exists_dry_run").await;
    let wrong = Book {
        shelf: id(7),
        ..book(1)
    };
    assert_eq!(
        refused(wrong.insert(&t.odm).dry_run().await),
        no("shelf", [7])
    );
    assert_eq!(Book::count(&t.odm).await.unwrap(), 0);
}
