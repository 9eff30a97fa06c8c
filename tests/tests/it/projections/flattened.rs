//! Projections of structs that serde flattens into their document.

use mongo_odm::prelude::*;
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "flattened_articles",
    has_many(answers = "Article.answers_to")
)]
struct Article {
    #[serde(rename = "_id")]
    id: Id<Article, i32>,
    title: String,
    #[refs(one)]
    answers_to: Option<Id<Article, i32>>,
    #[serde(flatten)]
    made: Made,
    #[serde(flatten)]
    review: Option<Review>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Made {
    author: String,
    created: DateTime,
    #[serde(flatten)]
    place: Place,
    lines: Vec<Option<Line>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Place {
    city: String,
    street: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    text: String,
    amount: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Review {
    stars: i64,
    reviewer: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Article")]
struct View {
    title: String,
    #[embed]
    #[serde(flatten)]
    made: MadeView,
    #[embed]
    #[serde(flatten)]
    review: Option<Stars>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Made")]
struct MadeView {
    created: DateTime,
    #[embed]
    #[serde(flatten)]
    place: City,
    #[embed]
    lines: Vec<Option<Text>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Place")]
struct City {
    city: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Line")]
struct Text {
    text: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Review")]
struct Stars {
    stars: i64,
}

/// A projection that contains the model's own embedded struct.
#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Article")]
struct Whole {
    #[serde(flatten)]
    made: Made,
}

fn article(id: i32, answers_to: Option<i32>, stars: Option<i64>) -> Article {
    let line = Line {
        text: format!("line {id}"),
        amount: 3,
    };
    Article {
        id: Id::from_key(id),
        title: format!("title {id}"),
        answers_to: answers_to.map(Id::from_key),
        made: Made {
            author: "Jane".into(),
            created: DateTime::from_millis(1_700_000_000_000),
            place: Place {
                city: "Rome".into(),
                street: "Main".into(),
            },
            lines: vec![Some(line), None],
        },
        review: stars.map(|stars| Review {
            stars,
            reviewer: "Joe".into(),
        }),
    }
}

fn view(article: &Article) -> View {
    let texts = article.made.lines.iter().flatten().map(|line| {
        let text = line.text.clone();
        Some(Text { text })
    });
    View {
        title: article.title.clone(),
        made: MadeView {
            created: article.made.created,
            place: City {
                city: article.made.place.city.clone(),
            },
            lines: texts.chain([None]).collect(),
        },
        review: article.review.as_ref().map(|review| Stars {
            stars: review.stars,
        }),
    }
}

#[tokio::test]
async fn a_view_asks_for_the_fields_of_what_it_flattens() {
    let t = Harness::new("flattened_view").await;
    let articles = [article(1, None, Some(5)), article(2, Some(1), None)];
    t.given(&articles).await;
    t.forget();
    let order = Article::fields().id.asc();
    let views = Article::find(&t.odm).sort(order).select::<View>().await;
    assert_eq!(views.unwrap(), articles.each_ref().map(view));
    let sent = &t.recorder().commands()[0].command;
    let projection = sent.get_document("projection").unwrap();
    let mut asked: Vec<_> = projection.keys().map(String::as_str).collect();
    asked.sort_unstable();
    assert_eq!(asked, ["_id", "city", "created", "lines", "stars", "title"]);
    assert_eq!(projection.get("_id"), Some(&0.into()));
}

#[tokio::test]
async fn a_view_may_flatten_the_struct_of_the_model() {
    let t = Harness::new("flattened_whole").await;
    let one = article(1, None, None);
    t.given(std::slice::from_ref(&one)).await;
    let views = Article::find(&t.odm).select::<Whole>().await.unwrap();
    assert_eq!(views, [Whole { made: one.made }]);
}

#[tokio::test]
async fn a_join_brings_views_that_flatten() {
    let t = Harness::new("flattened_join").await;
    let articles = [article(1, None, None), article(2, Some(1), Some(3))];
    t.given(&articles).await;
    let joined = Article::join_answers(&articles, &t.odm).select::<View>();
    let joined = joined.await.unwrap();
    let answers: Vec<_> = joined.of(&articles[0]).cloned().collect();
    assert_eq!(answers, [view(&articles[1])]);
}
