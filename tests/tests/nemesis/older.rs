//! An older version of the program. It is a separate executable, because all models that are linked into a program
//! belong to it.
//!
//! | collection | the newer version | this one |
//! |---|---|---|
//! | `logmsg` | `LogMsg` | the same model under a different name |
//! | `products` | copies `parts[].name` | only the keys |
//! | `parts` | copies name and number of the product | only the name |
//! | `posts` | the target of comments | `Article`; comments and likes are not declared |
//! | `stickers` | not declared | are deleted with their blogger, and copy the name |

#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a part of a test: it panics to fail"
)]

mod life;
mod program;
mod random;

use std::env;

use life::Life;
use mongo_odm::{Result, Tx, prelude::*};
use program::{ALL_PARTS, BLOGGERS, HOSTS, any, blogger_id, host_id, part_id};
use random::Random;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host>,
    name: String,
    ipaddr: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg")]
struct Entry {
    #[serde(rename = "_id")]
    id: Id<Entry>,
    #[parent_ref]
    host: Id<Host>,
    #[denorm(from = Host.ipaddr)]
    ipaddr: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    id: Id<Part>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    name: String,
    #[embed]
    #[refs(many)]
    parts: Vec<Line>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part>,
    name: String,
    #[denorm(from = Product.name, via = Product.parts)]
    product_name: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bloggers")]
struct Blogger {
    #[serde(rename = "_id")]
    id: Id<Blogger>,
    name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "posts")]
struct Article {
    #[serde(rename = "_id")]
    id: Id<Article>,
    #[parent_ref(on_delete = "cascade")]
    blogger: Id<Blogger>,
    #[denorm(from = Blogger.name)]
    by: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "stickers")]
struct Sticker {
    #[serde(rename = "_id")]
    id: Id<Sticker>,
    #[parent_ref(on_delete = "cascade")]
    blogger: Id<Blogger>,
    #[denorm(from = Blogger.name)]
    by: String,
}

#[derive(Clone, Copy)]
enum Act {
    RenameHost,
    RenamePart,
    RenameProduct,
    InsertEntries,
    InsertProduct,
    RelinkEntry,
    RelinkProduct,
    Plant,
    MoveArticle,
    Upsert,
    DeleteBlogger,
    DeleteArticle,
}

const ACTS: [(u64, &str, Act); 12] = [
    (12, "renamed by the older program", Act::RenameHost),
    (12, "renamed by the older program", Act::RenamePart),
    (12, "renamed by the older program", Act::RenameProduct),
    (8, "inserted by the older program", Act::InsertEntries),
    (8, "inserted by the older program", Act::InsertProduct),
    (8, "relinked by the older program", Act::RelinkEntry),
    (8, "relinked by the older program", Act::RelinkProduct),
    (12, "planted by the older program", Act::Plant),
    (6, "relinked by the older program", Act::MoveArticle),
    (12, "upserted by the older program", Act::Upsert),
    (4, "deleted by the older program", Act::DeleteBlogger),
    (4, "deleted by the older program", Act::DeleteArticle),
];

async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let blogger = blogger_id::<Blogger>(random.below(BLOGGERS));
    match act {
        Act::RenameHost | Act::RenamePart | Act::RenameProduct => {
            rename(act, odm, random, name).await
        }
        Act::InsertEntries | Act::InsertProduct => insert(act, odm, random).await,
        Act::RelinkEntry | Act::RelinkProduct => relink(act, odm, random).await,
        Act::Plant => plant(odm, blogger).await,
        Act::MoveArticle => move_article(odm, blogger).await,
        Act::Upsert => {
            let root = Blogger::upsert(odm, Blogger::fields().id.eq(blogger));
            root.set(Blogger::fields().name, name).await?;
            Ok(1)
        }
        Act::DeleteBlogger => Ok(Blogger::delete(odm, blogger).await?.deleted),
        Act::DeleteArticle => match any::<Article>(odm, doc! {}).await? {
            Some(article) => Ok(Article::delete(odm, article).await?.deleted),
            None => Ok(0),
        },
    }
}

async fn rename(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    match act {
        Act::RenameHost => {
            let host = Host::update(odm, host_id(random.below(HOSTS)));
            host.set(Host::fields().ipaddr, name).await?;
        }
        Act::RenamePart => {
            let part = Part::update(odm, part_id(random.below(ALL_PARTS)));
            part.set(Part::fields().name, name).await?;
        }
        _ => {
            let Some(product) = any::<Product>(odm, doc! {}).await? else {
                return Ok(0);
            };
            let product = Product::update(odm, product);
            product.set(Product::fields().name, name).await?;
        }
    }
    Ok(1)
}

async fn insert(act: Act, odm: &Odm, random: &mut Random) -> Result<u64> {
    if matches!(act, Act::InsertEntries) {
        let entry = |_| Entry {
            id: Id::new(),
            host: host_id(random.below(HOSTS)),
            ipaddr: "stale".to_owned(),
        };
        let entries: Vec<_> = (0..5).map(entry).collect();
        Entry::insert_many(odm, &entries).await?;
        return Ok(5);
    }
    let product = Product {
        id: Id::new(),
        name: "old".to_owned(),
        parts: lines(random),
    };
    product.insert(odm).await.map(|_| 1)
}

async fn relink(act: Act, odm: &Odm, random: &mut Random) -> Result<u64> {
    if matches!(act, Act::RelinkEntry) {
        let Some(entry) = any::<Entry>(odm, doc! {}).await? else {
            return Ok(0);
        };
        let entry = Entry::update(odm, entry);
        let entry = entry.set(Entry::fields().host, host_id::<Host>(random.below(HOSTS)));
        return entry.await.map(|_| 1);
    }
    let Some(product) = any::<Product>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let product = Product::update(odm, product).set(Product::fields().parts, lines(random));
    product.await.map(|_| 1)
}

async fn plant(odm: &Odm, blogger: Id<Blogger>) -> Result<u64> {
    let planted = async |tx: Tx| {
        if !Blogger::exists(&tx)
            .filter(Blogger::fields().id.eq(blogger))
            .await?
        {
            return Ok(0);
        }
        let article = Article {
            id: Id::new(),
            blogger,
            by: "stale".to_owned(),
        };
        article.insert(&tx).await?;
        let sticker = Sticker {
            id: Id::new(),
            blogger,
            by: "stale".to_owned(),
        };
        sticker.insert(&tx).await?;
        Ok(2)
    };
    odm.transaction(planted).await
}

async fn move_article(odm: &Odm, to: Id<Blogger>) -> Result<u64> {
    let Some(article) = any::<Article>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let moved = async |tx: Tx| {
        if !Blogger::exists(&tx)
            .filter(Blogger::fields().id.eq(to))
            .await?
        {
            return Ok(0);
        }
        let article = Article::update(&tx, article).set(Article::fields().blogger, to);
        article.await.map(|_| 1)
    };
    odm.transaction(moved).await
}

fn lines(random: &mut Random) -> Vec<Line> {
    let line = |_| Line {
        id: part_id(random.below(ALL_PARTS)),
    };
    (0..2).map(line).collect()
}

#[tokio::main]
async fn main() {
    program::die_with_parent();
    let Some(life) = Life::begin().await else {
        return;
    };
    match env::var("ODM_NEMESIS_ROLE").as_deref() {
        Ok("older program") => life.repeat(&ACTS, perform).await,
        Ok("declare") => life.declare().await,
        _ => life.work().await,
    }
}
