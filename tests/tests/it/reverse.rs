//! Relations that the other model stores: to a single document, from projections, and from embedded
//! structs.

use mongo_odm::{Error, bson::Document, prelude::*};
use odm_tests::{
    Harness,
    sent::{number, only},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "users",
    has_many(posts = "Post.author"),
    has_one(profile = "Profile.user", badge = "Badge.number")
)]
struct User {
    #[serde(rename = "_id")]
    id: Id<User>,
    number: i64,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "profiles")]
struct Profile {
    #[serde(rename = "_id")]
    id: Id<Profile>,
    #[parent_ref]
    user: Option<Id<User>>,
    motto: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge>,
    #[refs(one, to = "User.number")]
    number: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: Id<Post>,
    #[parent_ref]
    author: Id<User>,
    #[refs(one, to = "User.number")]
    editor: i64,
    likes: i64,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Profile")]
#[serde(deny_unknown_fields)]
struct Motto {
    motto: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(
    of = "User",
    has_many(posts = "Post.author"),
    has_one(profile = "Profile.user")
)]
#[serde(deny_unknown_fields)]
struct UserId {
    #[serde(rename = "_id")]
    id: Id<User>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "User", has_many(edited = "Post.editor", key = "number"))]
struct UserNumber {
    number: i64,
}

/// A line of an order. Articles and an offer refer to the line's code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[embedded(
    has_many(articles = "Article.codes", key = "code"),
    has_one(offer = "Offer.code", key = "code")
)]
struct Line {
    code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i32,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i32,
    #[refs(many, to = "Order.lines.code")]
    codes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: i32,
    #[refs(one, to = "Order.lines.code")]
    code: Option<String>,
}

fn users() -> [User; 3] {
    [1, 2, 3].map(|number| User {
        id: Id::new(),
        number,
        name: format!("user {number}"),
    })
}

fn profile(user: Option<&User>, motto: &str) -> Profile {
    Profile {
        id: Id::new(),
        user: user.map(|user| user.id),
        motto: motto.to_owned(),
    }
}

fn post(author: &User, editor: &User, likes: i64) -> Post {
    Post {
        id: Id::new(),
        author: author.id,
        editor: editor.number,
        likes,
    }
}

fn line(code: &str) -> Line {
    Line {
        code: code.to_owned(),
    }
}

fn article(id: i32, codes: &[&str]) -> Article {
    Article {
        id,
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
    }
}

#[tokio::test]
async fn the_one_document_that_refers_here_is_loaded_with_one_find() {
    let t = Harness::new("the_one_document_that_refers").await;
    let [first, second, _] = users();
    let own = profile(Some(&first), "onward");
    t.given(&[own.clone(), profile(None, "nobody's")]).await;
    t.given(&[badge(2)]).await;
    t.forget();
    assert_eq!(first.load_profile(&t.odm).await.unwrap(), Some(own));
    let find = only(&t, "find");
    assert_eq!(find.get_str("find").unwrap(), "profiles");
    assert_eq!(
        find.get_document("filter").unwrap(),
        &doc! { "user": first.id }
    );
    assert_eq!(
        number(&find, "limit"),
        Some(2),
        "a second one would be seen"
    );
    assert_eq!(second.load_profile(&t.odm).await.unwrap(), None);
    let missing = second.load_profile(&t.odm).require().await.unwrap_err();
    assert!(matches!(missing, Error::Missing { .. }), "{missing}");
    // References to a key other than the id.
    assert_eq!(first.load_badge(&t.odm).await.unwrap(), None);
    assert_eq!(second.load_badge(&t.odm).await.unwrap().unwrap().number, 2);
    let motto = first.load_profile(&t.odm).select::<Motto>();
    assert_eq!(motto.await.unwrap().unwrap().motto, "onward");
    let other = Profile::fields().motto.eq("another");
    assert_eq!(
        first.load_profile(&t.odm).filter(other).await.unwrap(),
        None
    );
}

fn badge(number: i64) -> Badge {
    Badge {
        id: Id::new(),
        number,
    }
}

#[tokio::test]
async fn several_documents_that_refer_here_are_ambiguous() {
    let t = Harness::new("several_documents_that_refer").await;
    let users = users();
    let twice = ["one", "two"].map(|motto| profile(Some(&users[1]), motto));
    t.given(&twice).await;
    let loaded = users[1].load_profile(&t.odm).await.unwrap_err();
    let joined = User::join_profile(&users, &t.odm).await.unwrap_err();
    for error in [loaded, joined] {
        let Error::Ambiguous {
            relation,
            path,
            found,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(
            (relation.as_str(), path.as_str(), *found),
            ("User.profile", "user", 2)
        );
        assert!(error.to_string().contains("has_many"), "{error}");
    }
    assert!(users[0].load_profile(&t.odm).await.unwrap().is_none());
}

#[tokio::test]
async fn many_owners_get_their_one_document_with_one_find() {
    let t = Harness::new("many_owners_get_their_one").await;
    let users = users();
    let profiles = [profile(Some(&users[2]), "c"), profile(Some(&users[0]), "a")];
    t.given(&profiles).await;
    t.forget();
    let joined = User::join_profile(&users, &t.odm).await.unwrap();
    only(&t, "find");
    assert_eq!(joined.one_of(&users[0]), Some(&profiles[1]));
    assert_eq!(joined.one_of(&users[1]), None);
    assert_eq!(joined.one_of(&users[2]), Some(&profiles[0]));
    assert_eq!(joined.missing().len(), 1);
}

#[tokio::test]
async fn a_projection_with_the_id_has_the_relations_of_its_document() {
    let t = Harness::new("a_projection_with_the_id").await;
    let users = users();
    t.given(&users).await;
    let own = profile(Some(&users[0]), "onward");
    t.given(&[own.clone()]).await;
    let posts = [0, 1, 2, 3].map(|likes| post(&users[usize::from(likes > 0)], &users[2], likes));
    t.given(&posts).await;
    let by_number = User::fields().number.asc();
    let views: Vec<UserId> = User::find(&t.odm)
        .sort(by_number)
        .select::<UserId>()
        .await
        .unwrap();
    let most = Post::fields().likes.desc();
    t.forget();
    let loaded = views[1]
        .load_posts(&t.odm)
        .sort(most.clone())
        .limit(2)
        .await
        .unwrap();
    assert_eq!(loaded, [posts[3].clone(), posts[2].clone()]);
    let find = only(&t, "find");
    assert_eq!(
        find.get_document("filter").unwrap(),
        &doc! { "author": users[1].id }
    );
    t.forget();
    let joined = UserId::join_posts(&views, &t.odm).sort(most).await.unwrap();
    only(&t, "find");
    assert_eq!(
        views
            .iter()
            .map(|view| joined.of(view).len())
            .collect::<Vec<_>>(),
        [1, 3, 0]
    );
    let limited = UserId::join_posts(&views, &t.odm)
        .limit_each(2)
        .await
        .unwrap();
    assert_eq!(limited.of(&views[1]).len(), 2);
    assert_eq!(views[1].count_posts(&t.odm).await.unwrap(), 3);
    let counts = UserId::join_posts(&views, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&views[0]), 1);
    assert_eq!(views[0].load_profile(&t.odm).await.unwrap(), Some(own));
}

#[tokio::test]
async fn a_projection_finds_what_refers_to_its_key() {
    let t = Harness::new("a_projection_finds_what_refers").await;
    let users = users();
    let posts = [1, 2].map(|likes| post(&users[0], &users[2], likes));
    t.given(&users).await;
    t.given(&posts).await;
    let find = User::find(&t.odm).sort(User::fields().number.asc());
    let views: Vec<UserNumber> = find.select::<UserNumber>().await.unwrap();
    t.forget();
    assert_eq!(views[2].load_edited(&t.odm).await.unwrap().len(), 2);
    let find = only(&t, "find");
    assert_eq!(
        find.get_document("filter").unwrap(),
        &doc! { "editor": 3_i64 }
    );
    let joined = UserNumber::join_edited(&views, &t.odm).await.unwrap();
    assert_eq!(
        views
            .iter()
            .map(|view| joined.of(view).len())
            .collect::<Vec<_>>(),
        [0, 0, 2]
    );
}

#[tokio::test]
async fn an_embedded_struct_finds_what_refers_to_its_key() {
    let t = Harness::new("an_embedded_struct_finds").await;
    let order = Order {
        id: 1,
        lines: ["a", "b", "a", "none"].map(line).to_vec(),
    };
    t.given(&[order.clone()]).await;
    t.given(&[
        article(1, &["a", "b"]),
        article(2, &["a"]),
        article(3, &["c"]),
    ])
    .await;
    let offers = [(1, Some("b")), (2, None)].map(|(id, code)| Offer {
        id,
        code: code.map(str::to_owned),
    });
    t.given(&offers).await;
    let lines = &order.lines;
    t.forget();
    let loaded = lines[0]
        .load_articles(&t.odm)
        .sort(Article::fields().id.asc());
    let ids = |articles: Vec<Article>| articles.iter().map(|it| it.id).collect::<Vec<_>>();
    assert_eq!(ids(loaded.await.unwrap()), [1, 2]);
    assert_eq!(
        only(&t, "find").get_document("filter").unwrap(),
        &doc! { "codes": "a" }
    );
    t.forget();
    let joined = Line::join_articles(lines, &t.odm).await.unwrap();
    assert_eq!(
        only(&t, "find").get_document("filter").unwrap(),
        &doc! { "codes": { "$in": ["a", "b", "none"] } }
    );
    assert_eq!(
        lines
            .iter()
            .map(|line| joined.of(line).len())
            .collect::<Vec<_>>(),
        [2, 1, 2, 0]
    );
    assert_eq!(lines[0].count_articles(&t.odm).await.unwrap(), 2);
    assert_eq!(
        lines[1].load_offer(&t.odm).await.unwrap(),
        Some(offers[0].clone())
    );
    assert_eq!(lines[0].load_offer(&t.odm).await.unwrap(), None);
    let offers = Line::join_offer(lines, &t.odm).await.unwrap();
    assert_eq!(
        lines
            .iter()
            .map(|line| offers.one_of(line).is_some())
            .collect::<Vec<_>>(),
        [false, true, false, false]
    );
    // The forward direction of the same reference.
    let article = article(1, &["b"]);
    assert_eq!(article.load_codes(&t.odm).await.unwrap(), [order]);
}

#[tokio::test]
async fn what_refers_back_by_a_key_has_its_indexes() {
    let t = Harness::new("what_refers_back_by_a_key").await;
    t.odm.sync_indexes().await.unwrap();
    for (collection, path) in [
        ("profiles", "user"),
        ("articles", "codes"),
        ("orders", "lines.code"),
    ] {
        let indexes = t.database().database().collection::<Document>(collection);
        let names = indexes.list_index_names().await.unwrap();
        assert!(
            names.contains(&format!("{path}_1")),
            "{collection}: {names:?}"
        );
    }
}
