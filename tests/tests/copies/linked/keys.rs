//! Links between documents with ids of different types, in arrays of different types.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Edge {
    to: ObjectId,
    #[serde(rename = "as")]
    kind: String,
    #[serde(default)]
    weight: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_graph", kind("node-kind" = "city"))]
struct City {
    #[serde(rename = "_id")]
    id: Id<City>,
    #[links(target = "to", kind = "as")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_graph", kind("node-kind" = "road"))]
struct Road {
    #[serde(rename = "_id")]
    id: Id<Road>,
    #[links(target = "to", kind = "as", max = 3)]
    #[serde(rename = "edges", default)]
    ends: Option<Vec<Edge>>,
}

fn city() -> City {
    City {
        id: Id::new(),
        edges: Vec::new(),
    }
}

fn road() -> Road {
    Road {
        id: Id::new(),
        ends: None,
    }
}

#[tokio::test]
async fn links_have_the_names_and_the_types_of_their_models() {
    let t = empty("links_graph").await;
    t.odm
        .sync_indexes()
        .only::<City>()
        .only::<Road>()
        .await
        .unwrap();
    let (cities, roads) = ([city(), city(), city()], [road(), road()]);
    t.given(&cities).await;
    t.given(&roads).await;
    roads[0]
        .link(&t.odm, [&cities[0], &cities[1]])
        .await
        .unwrap();
    cities[2].link(&t.odm, [&roads[1]]).await.unwrap();
    let full = roads[0].link(&t.odm, [&cities[2]]).await.unwrap_err();
    assert!(
        matches!(full, mongo_odm::Error::BoundExceeded { .. }),
        "{full}"
    );
    let stored = Road::get(&t.odm, roads[0].id).await.unwrap();
    assert_eq!(stored.ends.as_ref().unwrap().len(), 3);
    let found = City::linked_to(&t.odm, &stored).await.unwrap();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|it| it.edges.len() == 2));
    let weighted = doc! { "$set": { "edges.$[it].weight": 7_i64 } };
    let update = City::update(&t.odm, cities[0].id).with(weighted);
    let update = update.array_filter(doc! { "it.to": roads[0].id });
    update.await.unwrap();
    City::update(&t.odm, cities[0].id)
        .with(doc! { "$set": { "edges.$[it].to": roads[1].id } })
        .array_filter(doc! { "it.to": roads[0].id })
        .await
        .unwrap();
    assert_eq!(City::count_linked(&t.odm, &roads[0]).await.unwrap(), 1);
    let stored = Road::get(&t.odm, roads[0].id).await.unwrap();
    assert_eq!(stored.ends.unwrap().len(), 2);
    let stored = Road::get(&t.odm, roads[1].id).await.unwrap();
    assert_eq!(stored.ends.as_ref().unwrap().len(), 3);
    stored.save(&t.odm).await.unwrap();
    Road {
        ends: None,
        ..stored
    }
    .save(&t.odm)
    .await
    .unwrap();
    let drift = t
        .odm
        .verify()
        .only::<City>()
        .include_pending()
        .await
        .unwrap();
    assert!(drift.is_empty(), "{drift}");
    let joined = Road::find(&t.odm).await.unwrap();
    let joined = City::join_linked(&joined, &t.odm).await.unwrap();
    assert_eq!(joined.of(&roads[1]).count(), 2);
}

/// An id that is a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct At {
    x: i64,
    y: i64,
}

impl mongo_odm::Key for At {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Beside {
    target: At,
    piece: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_board", kind(piece = "pawn"))]
struct Pawn {
    #[serde(rename = "_id")]
    id: At,
    #[links]
    #[serde(default)]
    beside: Vec<Beside>,
}

#[tokio::test]
async fn ids_may_be_documents() {
    let t = empty("links_compound").await;
    t.odm.sync_indexes().only::<Pawn>().await.unwrap();
    let pawn = |x: i64, y: i64| Pawn {
        id: At { x, y },
        beside: Vec::new(),
    };
    let (one, two, mirrored) = (pawn(1, 2), pawn(3, 4), pawn(2, 1));
    t.given(&[one.clone(), two.clone(), mirrored.clone()]).await;
    two.link(&t.odm, [&one]).await.unwrap();
    assert_eq!(Pawn::count_linked(&t.odm, &one).await.unwrap(), 1);
    assert_eq!(Pawn::count_linked(&t.odm, &mirrored).await.unwrap(), 0);
    one.unlink(&t.odm, [&two]).await.unwrap();
    assert_eq!(Pawn::count_linked(&t.odm, &two).await.unwrap(), 0);
    two.link(&t.odm, [&one, &mirrored]).await.unwrap();
    Pawn::delete(&t.odm, &one.id).await.unwrap();
    let stored = Pawn::get(&t.odm, &two.id).await.unwrap();
    assert_eq!(stored.beside.len(), 2);
    let drift = t
        .odm
        .verify()
        .only::<Pawn>()
        .include_pending()
        .await
        .unwrap();
    assert!(drift.is_empty(), "{drift}");
}

/// A tag. Only tags store the links, as plain ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_tagged", kind(is = "tag"))]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    #[links(form = "ids")]
    #[serde(default)]
    links: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_tagged", kind(is = "post"))]
struct Tagged {
    #[serde(rename = "_id")]
    id: i64,
    #[links(form = "ids", one_sided)]
    #[serde(default)]
    links: Vec<i64>,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Anything {
    Tag(Tag),
    #[serde(rename = "post")]
    Tagged(Tagged),
}

#[tokio::test]
async fn documents_that_hold_no_links_come_by_links_that_are_ids() {
    let t = empty("links_one_sided_ids").await;
    t.odm
        .sync_indexes()
        .only::<Tag>()
        .only::<Tagged>()
        .await
        .unwrap();
    t.given(&[
        Tag {
            id: 10,
            links: vec![],
        },
        Tag {
            id: 100,
            links: vec![],
        },
    ])
    .await;
    t.given(&[
        Tagged {
            id: 1,
            links: vec![],
        },
        Tagged {
            id: 2,
            links: vec![],
        },
    ])
    .await;
    let tag = Tag::get(&t.odm, 10).await.unwrap();
    tag.link(
        &t.odm,
        [&Tagged {
            id: 1,
            links: vec![],
        }],
    )
    .await
    .unwrap();
    let tag = Tag::get(&t.odm, 10).await.unwrap();
    let found = Tagged::linked_to(&t.odm, &tag).await.unwrap();
    assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), [1]);
    let found = Anything::linked(&t.odm, &tag).await.unwrap();
    assert_eq!(found.tags.iter().map(|it| it.id).collect::<Vec<_>>(), [10]);
    assert_eq!(
        found.taggeds.iter().map(|it| it.id).collect::<Vec<_>>(),
        [1]
    );
    let page = Anything::linked(&t.odm, &tag).page(1).await.unwrap();
    assert_eq!((page.items.tags.len(), page.items.taggeds.len()), (1, 1));
}
