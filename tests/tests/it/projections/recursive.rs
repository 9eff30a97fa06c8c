//! Projections of structs that embed themselves. The inner structs are requested as a whole.

use mongo_odm::{bson::Document, prelude::*};
use odm_tests::{Harness, sent::only};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Comment {
    text: String,
    likes: i64,
    answers: Vec<Comment>,
    best: Option<Box<Comment>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "recursive_posts")]
struct Post {
    #[serde(rename = "_id")]
    id: Id<Post, i32>,
    title: String,
    comments: Vec<Comment>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Post")]
struct Comments {
    comments: Vec<Comment>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Post")]
struct Texts {
    #[embed]
    comments: Vec<Text>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Comment")]
struct Text {
    text: String,
    #[embed]
    answers: Vec<Text>,
}

fn comment(text: &str, answers: Vec<Comment>) -> Comment {
    Comment {
        text: text.to_owned(),
        likes: 1,
        answers,
        best: None,
    }
}

fn text(text: &str, answers: Vec<Text>) -> Text {
    Text {
        text: text.to_owned(),
        answers,
    }
}

async fn given(name: &str) -> (Harness, Post) {
    let t = Harness::new(name).await;
    let answers = vec![comment("b", vec![comment("c", vec![])])];
    let post = Post {
        id: Id::from_key(1),
        title: "x".to_owned(),
        comments: vec![comment("a", answers)],
    };
    t.given(std::slice::from_ref(&post)).await;
    t.forget();
    (t, post)
}

fn projection(t: &Harness) -> Document {
    let find = only(t, "find");
    find.get_document("projection").unwrap().clone()
}

#[tokio::test]
async fn a_projection_contains_a_struct_that_embeds_itself() {
    let (t, post) = given("recursive_struct").await;
    let found = Post::find(&t.odm).select::<Comments>().await.unwrap();
    let comments = post.comments;
    assert_eq!(found, [Comments { comments }]);
    assert_eq!(
        projection(&t),
        doc! {
            "comments.text": 1, "comments.likes": 1, "comments.answers": 1, "comments.best": 1,
            "_id": 0,
        }
    );
}

#[tokio::test]
async fn a_projection_embeds_itself() {
    let (t, _) = given("recursive_view").await;
    let found = Post::find(&t.odm).select::<Texts>().await.unwrap();
    let answers = vec![text("b", vec![text("c", vec![])])];
    let comments = vec![text("a", answers)];
    assert_eq!(found, [Texts { comments }]);
    assert_eq!(
        projection(&t),
        doc! { "comments.text": 1, "comments.answers": 1, "_id": 0 }
    );
}
