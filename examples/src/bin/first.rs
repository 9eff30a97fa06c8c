//! A book refers to its author, and has a copy of the author's name.
use mongo_odm::prelude::*;

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
    #[parent_ref]
    author: Id<Author>,
    #[denorm(from = "Author.name")]
    author_name: String,
}

#[tokio::main]
async fn main() -> mongo_odm::Result<()> {
    let uri = std::env::args().nth(1);
    let odm = Odm::connect(uri.as_deref().unwrap_or("mongodb://localhost/library")).await?;
    // createIndexes: an index on `books.author`
    odm.sync_indexes().await?;
    let author = Author {
        id: Id::new(),
        name: "T. Jansson".into(),
    };
    // a transaction: insert, find books that already refer to the author; then find them again
    author.insert(&odm).await?;
    let book = Book {
        id: Id::new(),
        author: author.id,
        author_name: author.name.clone(),
    };
    // a transaction: find the current name of the author, insert; then find it again
    book.insert(&odm).await?;
    // one find for the books of all authors in the list
    let books = Author::join_books([&author], &odm).await?;
    println!("{} book", books.of(&author).len());
    // a transaction: findAndModify the author, store a job, count its stale books, update them
    let rename = Author::update(&odm, author.id).set(Author::fields().name, "Tove Jansson");
    rename.await?;
    // find: prints "Tove Jansson"
    println!("{}", Book::get(&odm, book.id).await?.author_name);
    Ok(())
}
