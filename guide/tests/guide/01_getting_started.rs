//! Chapter 1: from an empty folder to the first join.

use mongo_odm::prelude::*;
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "authors", has_many(books = "Book.author"))]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book>,
    title: String,
    #[parent_ref]
    author: Id<Author>,
}

// Not run: the test opens its own database.
#[allow(dead_code)]
#[tokio::main]
async fn main() -> mongo_odm::Result<()> {
    let odm = Odm::connect("mongodb://localhost:27017/library").await?;
    odm.sync_indexes().await?;
    store(&odm).await?;
    for line in list(&odm).await? {
        println!("{line}");
    }
    Ok(())
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let author = |name: &str| Author {
        id: Id::new(),
        name: name.into(),
    };
    let book = |title: &str, author: &Author| Book {
        id: Id::new(),
        title: title.into(),
        author: author.id,
    };
    let (tove, selma) = (author("Tove Jansson"), author("Selma Lagerlöf"));
    let books = [
        book("The Summer Book", &tove),
        book("Fair Play", &tove),
        book("Jerusalem", &selma),
    ];
    Author::insert_many(odm, [&tove, &selma]).await?;
    Book::insert_many(odm, &books).await?;
    Ok(())
}

async fn list(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let books = Book::find(odm).sort(Book::fields().title.asc()).await?;
    let authors = Book::join_author(&books, odm).await?;
    let line = |book: &Book| match authors.one_of(book) {
        Some(author) => format!("{} by {}", book.title, author.name),
        None => format!("{} by an unknown author", book.title),
    };
    Ok(books.iter().map(line).collect())
}

async fn print_plan(odm: &Odm, book: &Book) -> mongo_odm::Result<mongo_odm::Plan> {
    let plan = book.load_author(odm).plan()?;
    println!("{plan}");
    Ok(plan)
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().await?;
    chapter.sends(&odm, store(&odm)).await?;
    chapter.stores(&odm, "authors").await?;
    chapter.stores(&odm, "books").await?;
    let lines = chapter.sends(&odm, list(&odm)).await?;
    chapter.shows(lines.join("\n"));

    chapter
        .sends(&odm, async {
            let tove = Author::find(&odm)
                .filter(Author::fields().name.eq("Tove Jansson"))
                .await?;
            let books = Author::join_books(&tove, &odm).await?;
            for author in &tove {
                println!("{}: {} books", author.name, books.of(author).len());
            }
            Ok(())
        })
        .await?;

    let books = Book::find(&odm).await?;
    chapter.plans(&print_plan(&odm, &books[0]).await?);
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("01-getting-started", program).await;
}
