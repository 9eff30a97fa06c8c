//! Trees of documents that are deleted with their root. A tree has three levels of references, and copies of copies. In
//! the opposite direction, each document counts its children. A root also sums up the counts of the level below it, and
//! lists the documents that refer to it.
//!
//! Documents are inserted and moved in transactions that have read their parent. So in the end, every document has a
//! parent, even if other processes delete documents concurrently.

use mongo_odm::{Result, Tx, bson::Document, prelude::*};

use crate::{
    program::{BLOGGERS, any, blogger_id},
    random::Random,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bloggers")]
pub(crate) struct Blogger {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Blogger>,
    pub(crate) name: String,
    #[rollup(count, of = "Post", via = "blogger")]
    pub(crate) posts: i64,
    #[rollup(sum, of = "Post", via = "blogger", field = "comments")]
    pub(crate) comments: i64,
    #[recent(of = "Post", via = "blogger", sort = "id", limit = 3)]
    pub(crate) latest: Vec<PostLine>,
    #[refs(many, inverse = "blogger")]
    pub(crate) all_posts: Vec<Id<Post>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Post")]
pub(crate) struct PostLine {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Post>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "posts")]
pub(crate) struct Post {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Post>,
    #[parent_ref(on_delete = "cascade", inverse = "all_posts")]
    pub(crate) blogger: Id<Blogger>,
    #[denorm(from = Blogger.name)]
    pub(crate) by: String,
    #[rollup(count, of = "Comment", via = "post")]
    pub(crate) comments: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "comments")]
pub(crate) struct Comment {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Comment>,
    #[parent_ref(on_delete = "cascade")]
    pub(crate) post: Id<Post>,
    #[denorm(from = Post.by)]
    pub(crate) by: String,
    #[rollup(count, of = "Like", via = "comment")]
    pub(crate) likes: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "likes")]
pub(crate) struct Like {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Like>,
    #[parent_ref(on_delete = "cascade")]
    pub(crate) comment: Id<Comment>,
    #[denorm(from = Comment.by)]
    pub(crate) by: String,
}

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Plant,
    Comment,
    MovePost,
    MoveComment,
    Upsert,
    DeleteBlogger,
    DeletePosts,
}

pub(crate) const ACTS: [(u64, &str, Act); 7] = [
    (25, "planted", Act::Plant),
    (15, "commented", Act::Comment),
    (12, "moved a branch", Act::MovePost),
    (12, "moved a branch", Act::MoveComment),
    (25, "upserted a root", Act::Upsert),
    (12, "deleted three deep", Act::DeleteBlogger),
    (4, "deleted two deep", Act::DeletePosts),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let blogger = blogger_id::<Blogger>(random.below(BLOGGERS));
    match act {
        Act::Plant => plant(odm, blogger).await,
        Act::Comment => comment(odm).await,
        Act::MovePost => move_post(odm, blogger).await,
        Act::MoveComment => move_comment(odm).await,
        Act::Upsert => {
            let root = Blogger::upsert(odm, Blogger::fields().id.eq(blogger));
            root.set(Blogger::fields().name, name).await?;
            Ok(1)
        }
        Act::DeleteBlogger => Ok(Blogger::delete(odm, blogger).await?.deleted),
        Act::DeletePosts => {
            let posts = Post::delete_many(odm, Post::fields().blogger.eq(blogger));
            Ok(posts.await?.deleted)
        }
    }
}

async fn plant(odm: &Odm, blogger: Id<Blogger>) -> Result<u64> {
    let planted = async |tx: Tx| {
        if !Blogger::exists(&tx)
            .filter(Blogger::fields().id.eq(blogger))
            .await?
        {
            return Ok(0);
        }
        let post = Post {
            id: Id::new(),
            blogger,
            by: stale(),
            comments: 0,
        };
        post.insert(&tx).await?;
        let comments = [post.id; 2].map(new_comment);
        Comment::insert_many(&tx, &comments).await?;
        let likes = comments.each_ref().map(|it| new_like(it.id));
        Like::insert_many(&tx, &likes).await?;
        Ok(5)
    };
    odm.transaction(planted).await
}

/// Adds a comment to a post that exists, and a like to the comment.
async fn comment(odm: &Odm) -> Result<u64> {
    let Some(post) = any::<Post>(odm, regular("blogger")).await? else {
        return Ok(0);
    };
    let added = async |tx: Tx| {
        if !Post::exists(&tx).filter(Post::fields().id.eq(post)).await? {
            return Ok(0);
        }
        let comment = new_comment(post);
        comment.insert(&tx).await?;
        new_like(comment.id).insert(&tx).await?;
        Ok(2)
    };
    odm.transaction(added).await
}

async fn move_post(odm: &Odm, to: Id<Blogger>) -> Result<u64> {
    // The post may also be one with a dangling reference.
    let Some(post) = any::<Post>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let moved = async |tx: Tx| {
        if !Blogger::exists(&tx)
            .filter(Blogger::fields().id.eq(to))
            .await?
        {
            return Ok(0);
        }
        let post = Post::update(&tx, post).set(Post::fields().blogger, to);
        post.await.map(|_| 1)
    };
    odm.transaction(moved).await
}

async fn move_comment(odm: &Odm) -> Result<u64> {
    let comment = any::<Comment>(odm, doc! {}).await?;
    let post = any::<Post>(odm, regular("blogger")).await?;
    let (Some(comment), Some(post)) = (comment, post) else {
        return Ok(0);
    };
    let moved = async |tx: Tx| {
        if !Post::exists(&tx).filter(Post::fields().id.eq(post)).await? {
            return Ok(0);
        }
        let comment = Comment::update(&tx, comment).set(Comment::fields().post, post);
        comment.await.map(|_| 1)
    };
    odm.transaction(moved).await
}

fn regular(reference: &str) -> Document {
    doc! { reference: { "$type": "objectId" } }
}

fn new_comment(post: Id<Post>) -> Comment {
    Comment {
        id: Id::new(),
        post,
        by: stale(),
        likes: 0,
    }
}

fn new_like(comment: Id<Comment>) -> Like {
    Like {
        id: Id::new(),
        comment,
        by: stale(),
    }
}

fn stale() -> String {
    "stale".to_owned()
}
