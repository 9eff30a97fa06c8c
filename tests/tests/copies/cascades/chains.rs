//! Deep cascades: chains, cycles, and cascades that do not fit into one transaction.

use mongo_odm::Guarantee;

use super::*;

/// A cascade that fits into one transaction uses only one, however deep the cascade is.
#[tokio::test]
async fn a_chain_of_nine_hundred_goes_in_one_transaction() {
    let t = cascades("cascade_chain").await;
    t.given(&tree(1, 899)).await;
    t.forget();
    let report = Node::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    assert_eq!((report.deleted, report.cascaded[0].deleted), (1, 899));
    assert_eq!(report.cascaded[0].guarantee, Guarantee::Atomic);
    assert_eq!(Node::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
}

/// The budget does not apply to `atomic`.
#[tokio::test]
async fn an_atomic_chain_goes_in_one_transaction_whatever_the_budget() {
    let t = cascades("cascade_chain_atomic").await;
    let odm = by_jobs(&t.odm);
    t.given(&tree(1, 299)).await;
    t.forget();
    Node::delete(&odm, id(1)).atomic().await.unwrap();
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    assert_eq!(Node::count(&odm).await.unwrap(), 0);
    settle(&odm).await;
}

/// Documents that do not fit are deleted by jobs. Each job continues as deep as fits into one transaction, and all
/// documents are deleted when the call returns. `ODM_CHAIN_DEPTH=100000` makes the chain longer.
#[tokio::test]
async fn a_chain_of_thousands_goes_by_jobs() {
    let t = cascades("cascade_chain_long").await;
    let depth =
        std::env::var("ODM_CHAIN_DEPTH").map_or(3_000, |depth| depth.parse::<i64>().unwrap());
    let node = |number: i64| doc! { "_id": number, "parent": number - 1 };
    put(&t.odm, "cascade_nodes", (1..=depth).map(node)).await;
    let report = Node::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(report.deleted, 1);
    let [nodes] = report.cascaded.as_slice() else {
        panic!("{report:?}");
    };
    let deleted = u64::try_from(depth - 1).unwrap();
    assert_eq!((nodes.model, nodes.deleted), ("Node", deleted));
    assert_eq!(nodes.guarantee, Guarantee::Converged);
    assert_eq!(Node::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
}

/// Cascades end even if models are deleted with each other or documents refer to themselves.
#[tokio::test]
async fn cycles_of_rules_end() {
    let t = cascades("cascade_cycles").await;
    for (way, odm) in both_ways(&t.odm) {
        let itself = Node {
            id: id(1),
            parent: Some(id(1)),
        };
        itself.insert(&odm).await.unwrap();
        let hens: Vec<_> = (0..10)
            .map(|number| Hen {
                id: id(number),
                egg: Some(id(number)),
            })
            .collect();
        let eggs: Vec<_> = (0..10)
            .map(|number| Egg {
                id: id(number),
                hen: Some(id((number + 1) % 10)),
            })
            .collect();
        t.given(&hens).await;
        t.given(&eggs).await;
        Node::delete(&odm, id(1)).await.unwrap();
        Hen::delete(&odm, id(3)).await.unwrap();
        settle(&odm).await;
        assert_eq!(Node::count(&odm).await.unwrap(), 0, "{way}");
        assert_eq!(Hen::count(&odm).await.unwrap(), 0, "{way}");
        assert_eq!(Egg::count(&odm).await.unwrap(), 0, "{way}");
    }
}

/// All levels share one budget of 50: the transaction of the delete deletes 30 posts, and jobs delete the 30 comments.
#[tokio::test]
async fn the_budget_is_that_of_the_whole_cascade() {
    let t = cascades("cascade_budget").await;
    let odm = t.odm.with_settings(settings().inline_copies(50));
    t.given(&[blogger(1)]).await;
    let posts = posts(1, 0..30);
    t.given(&posts).await;
    for post in 0..30 {
        t.given(&comments(post, post..post + 1)).await;
    }
    odm.transaction(async |tx| {
        Blogger::delete(&tx, id(1)).await?;
        assert_eq!(Post::count(&tx).await?, 0);
        assert_eq!(Comment::count(&tx).await?, 30);
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(Comment::count(&odm).await.unwrap(), 0);
    settle(&odm).await;
}

/// Changed documents and copies count like deleted documents.
#[tokio::test]
async fn changed_documents_and_copies_are_in_the_budget() {
    let t = cascades("cascade_budget_copies").await;
    let odm = t.odm.with_settings(settings().inline_copies(10));
    t.given(&[blogger(1)]).await;
    let posts = posts(1, 0..5);
    t.given(&posts).await;
    t.given(&[feed(1, &posts)]).await;
    let headline = |number| Headline {
        id: id(number),
        feed: id(1),
        title: posts.last().map(|post| post.title.clone()),
    };
    t.given(&(0..8).map(headline).collect::<Vec<_>>()).await;
    settle(&odm).await;
    let with_title = async |odm: &Odm| {
        count(
            odm,
            "cascade_headlines",
            doc! { "title": { "$ne": Bson::Null } },
        )
        .await
    };
    // 5 posts and one feed, counted for each of its three rules, are 8. The 8 headlines exceed the budget.
    odm.transaction(async |tx| {
        Blogger::delete(&tx, id(1)).await?;
        assert_eq!(Post::count(&tx).await?, 0);
        let stored = Feed::get(&tx, id(1)).await?;
        assert_eq!(stored, feed(1, &[]));
        let old = Headline::fields().title.ne(None);
        assert_eq!(Headline::count(&tx).filter(old).await?, 8);
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(with_title(&odm).await, 0);
    settle(&odm).await;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_rooms")]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, i64>,
}

/// A document that loses only its reference, and on which other documents depend through a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf, i64>,
    #[refs(one, on_delete = "nullify")]
    room: Option<Id<Room, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cascade_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    #[parent_ref(on_delete = "cascade")]
    shelf: Id<Shelf, i64>,
}

/// The rules for references to a document apply only if the document is deleted, not if it loses a reference.
#[tokio::test]
async fn a_document_that_loses_its_reference_does_not_start_other_rules() {
    let t = cascades("cascade_shelves").await;
    let sync = t.odm.sync_indexes().only::<Shelf>().only::<Book>();
    sync.await.unwrap();
    t.given(&[Room { id: id(1) }]).await;
    let shelf = Shelf {
        id: id(1),
        room: Some(id(1)),
    };
    t.given(&[shelf.clone()]).await;
    Room::delete(&t.odm, id(1)).await.unwrap();
    let stored = jobs(&t.odm).await;
    let of_books = |job: &&bson::Document| job.to_string().contains("cascade_books");
    assert_eq!(stored.iter().find(of_books), None);
    let stored = Shelf::get(&t.odm, shelf.id).await.unwrap();
    assert_eq!(stored.room, None);
    settle(&t.odm).await;
}
