//! Deletes that cascade to referring documents, level by level and to any depth.

mod chains;
mod embedded;
mod parts;
mod reports;
mod restricts;
mod statements;

use mongo_odm::{bson::Bson, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

/// A node of a tree or of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_nodes")]
pub struct Node {
    #[serde(rename = "_id")]
    pub id: Id<Node, i64>,
    #[refs(one, on_delete = "cascade")]
    pub parent: Option<Id<Node, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_bloggers")]
pub struct Blogger {
    #[serde(rename = "_id")]
    pub id: Id<Blogger, i64>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_posts")]
pub struct Post {
    #[serde(rename = "_id")]
    pub id: Id<Post, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub blogger: Id<Blogger, i64>,
    pub title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_comments")]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: Id<Comment, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub post: Id<Post, i64>,
    #[refs(one, on_delete = "cascade")]
    pub blogger: Option<Id<Blogger, i64>>,
}

/// A feed, which remains when a post is deleted. It has keys of posts in an array and in a struct, and a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_feeds")]
pub struct Feed {
    #[serde(rename = "_id")]
    pub id: Id<Feed, i64>,
    #[refs(many, on_delete = "pull")]
    pub posts: Vec<Id<Post, i64>>,
    #[embed]
    pub top: Vec<Teaser>,
    #[refs(one, on_delete = "nullify")]
    pub newest: Option<Id<Post, i64>>,
    #[denorm(from = Post.title, via = newest)]
    pub newest_title: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Teaser {
    #[refs(one, on_delete = "pull")]
    pub post: Id<Post, i64>,
    #[denorm(from = Post.title)]
    pub title: String,
}

/// The headline of a feed. It copies a field of the feed, which remains when a post is deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_headlines")]
pub struct Headline {
    #[serde(rename = "_id")]
    pub id: Id<Headline, i64>,
    #[refs(one)]
    pub feed: Id<Feed, i64>,
    #[denorm(from = Feed.newest_title)]
    pub title: Option<String>,
}

/// One of two models whose documents are deleted with each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_hens")]
pub struct Hen {
    #[serde(rename = "_id")]
    pub id: Id<Hen, i64>,
    #[refs(one, on_delete = "cascade")]
    pub egg: Option<Id<Egg, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_eggs")]
pub struct Egg {
    #[serde(rename = "_id")]
    pub id: Id<Egg, i64>,
    #[refs(one, on_delete = "cascade")]
    pub hen: Option<Id<Hen, i64>>,
}

/// An edition, which is identified by a code that several editions can share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_editions")]
pub struct Edition {
    #[serde(rename = "_id")]
    pub id: Id<Edition, i64>,
    #[index]
    pub isbn: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_reviews")]
pub struct Review {
    #[serde(rename = "_id")]
    pub id: Id<Review, i64>,
    #[parent_ref(to = "Edition.isbn", on_delete = "cascade")]
    pub isbn: String,
}

/// An order. Its lines cannot be deleted separately, because an invoice of the same order refers to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_orders")]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: Id<Order, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_order_lines")]
pub struct OrderLine {
    #[serde(rename = "_id")]
    pub id: Id<OrderLine, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub order: Id<Order, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_invoices")]
pub struct Invoice {
    #[serde(rename = "_id")]
    pub id: Id<Invoice, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub order: Option<Id<Order, i64>>,
    #[refs(one, on_delete = "restrict")]
    pub line: Id<OrderLine, i64>,
}

/// A folder that cannot be deleted before its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_folders")]
pub struct Folder {
    #[serde(rename = "_id")]
    pub id: Id<Folder, i64>,
    #[refs(one, on_delete = "restrict")]
    pub parent: Option<Id<Folder, i64>>,
}

/// A file, which is deleted with its folder. The folder that shows the file cannot be deleted before the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_files")]
pub struct File {
    #[serde(rename = "_id")]
    pub id: Id<File, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub folder: Id<Folder, i64>,
    #[refs(one, on_delete = "restrict")]
    pub shown_in: Option<Id<Folder, i64>>,
}

fn id<M: Model>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

async fn cascades(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Node>().only::<Post>();
    let sync = sync.only::<Comment>().only::<Feed>().only::<Headline>();
    let sync = sync.only::<Hen>().only::<Egg>().only::<Review>();
    let sync = sync.only::<Edition>().only::<OrderLine>();
    let sync = sync.only::<Invoice>().only::<Folder>();
    sync.only::<File>().await.unwrap();
    t
}

/// A tree with `depth` levels below the root. Each inner node has `width` children, and the root has the number 1.
fn tree(width: i64, depth: u32) -> Vec<Node> {
    let count = (0..=depth).map(|level| width.pow(level)).sum();
    let node = |number: i64| Node {
        id: id(number),
        parent: (number > 1).then(|| id((number - 2) / width + 1)),
    };
    (1..=count).map(node).collect()
}

fn blogger(number: i64) -> Blogger {
    Blogger {
        id: id(number),
        name: format!("blogger {number}"),
    }
}

fn posts(of: i64, numbers: std::ops::Range<i64>) -> Vec<Post> {
    let post = |number| Post {
        id: id(number),
        blogger: id(of),
        title: format!("post {number}"),
    };
    numbers.map(post).collect()
}

fn comments(of: i64, numbers: std::ops::Range<i64>) -> Vec<Comment> {
    let comment = |number| Comment {
        id: id(number),
        post: id(of),
        blogger: None,
    };
    numbers.map(comment).collect()
}

fn feed(number: i64, posts: &[Post]) -> Feed {
    let teaser = |post: &Post| Teaser {
        post: post.id,
        title: post.title.clone(),
    };
    Feed {
        id: id(number),
        posts: posts.iter().map(|post| post.id).collect(),
        top: posts.iter().map(teaser).collect(),
        newest: posts.last().map(|post| post.id),
        newest_title: posts.last().map(|post| post.title.clone()),
    }
}
