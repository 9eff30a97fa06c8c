//! The number of statements of a cascade, which depends on the levels and models but not on the number of documents.

use odm_tests::planned::assert_sent;

use super::*;

fn names(t: &Harness) -> Vec<String> {
    let commands = t.recorder().commands();
    let named = commands.iter().map(|sent| {
        let target = sent.command.get_str(&sent.name).unwrap_or_default();
        format!("{} {target}", sent.name).trim().to_owned()
    });
    named.collect()
}

/// Sends the statements that a handle sends only once.
async fn warm(t: &Harness) {
    t.given(&[blogger(0)]).await;
    t.given(&posts(0, 9_000..9_001)).await;
    Blogger::delete(&t.odm, id(0)).await.unwrap();
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_tree_of_thirteen_nodes_is_one_read_for_each_level_and_one_delete() {
    let t = cascades("cascade_statements_tree").await;
    warm(&t).await;
    t.given(&tree(3, 2)).await;
    t.forget();
    Node::delete(&t.odm, id(1)).await.unwrap();
    let sent = names(&t);
    assert_eq!(
        sent,
        [
            "find cascade_nodes",
            "find cascade_nodes",
            "find cascade_nodes",
            "find cascade_nodes",
            "delete cascade_nodes",
            "update _odm_jobs",
            "commitTransaction",
        ]
    );
    assert_eq!(Node::count(&t.odm).await.unwrap(), 0);
}

#[tokio::test]
async fn three_hundred_posts_are_as_many_statements_as_three() {
    let t = cascades("cascade_statements_posts").await;
    warm(&t).await;
    let mut all = Vec::new();
    for count in [3, 300] {
        t.given(&[blogger(1)]).await;
        let posts = posts(1, 0..count);
        t.given(&posts).await;
        t.given(&comments(1, 0..count)).await;
        let others: Vec<_> = (1..=3).map(|number| feed(number, &posts)).collect();
        t.given(&others).await;
        t.forget();
        Blogger::delete(&t.odm, id(1)).await.unwrap();
        let mut sent = names(&t);
        // The statements that store jobs count once: one update for a few jobs, and a find, an insert and an update for
        // a set of jobs.
        let stores_jobs = |sent: &str| sent.ends_with(" _odm_jobs");
        sent.dedup_by(|next, last| stores_jobs(next) && stores_jobs(last));
        for sent in &mut sent {
            if stores_jobs(sent) {
                "update _odm_jobs".clone_into(sent);
            }
        }
        all.push(sent);
        for feed in Feed::find(&t.odm).await.unwrap() {
            assert_eq!((feed.posts.len(), feed.top.len()), (0, 0));
            assert_eq!((feed.newest, feed.newest_title), (None, None));
            Feed::delete(&t.odm, feed.id).await.unwrap();
        }
        assert_eq!(Post::count(&t.odm).await.unwrap(), 0);
        assert_eq!(Comment::count(&t.odm).await.unwrap(), 0);
        settle(&t.odm).await;
    }
    assert_eq!(all[0], all[1]);
    // The feeds are read once more, because two rules change them.
    assert_eq!(all[0].len(), 18, "{:#?}", all[0]);
}

/// Jobs that only do their last look also run together.
#[tokio::test]
async fn the_last_looks_of_a_cascade_are_run_together() {
    let t = cascades("cascade_statements_settle").await;
    t.given(&tree(300, 1)).await;
    Node::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(jobs(&t.odm).await.len(), 301);
    t.forget();
    t.odm.run_pending_jobs().await.unwrap();
    let sent = names(&t);
    assert!(sent.len() < 20, "{sent:#?}");
    settle(&t.odm).await;
}

/// A key other than `_id` has a target as long as one document with this key exists.
#[tokio::test]
async fn what_refers_to_a_shared_key_goes_with_the_last_that_has_it() {
    let t = cascades("cascade_shared_key").await;
    for (way, odm) in both_ways(&t.odm) {
        let edition = |number, isbn: &str| Edition {
            id: id(number),
            isbn: isbn.to_owned(),
        };
        let review = |number: i64| Review {
            id: id(number),
            isbn: format!("isbn {}", number % 3),
        };
        let editions: Vec<_> = (0..3).map(|n| edition(n, &format!("isbn {n}"))).collect();
        t.given(&editions).await;
        t.given(&[edition(10, "isbn 0")]).await;
        t.given(&(0..9).map(review).collect::<Vec<_>>()).await;
        let some = Edition::fields().id.is_in([id(0), id(1)]);
        Edition::delete_many(&odm, some).await.unwrap();
        let left = Review::find(&odm).await.unwrap();
        let left: Vec<_> = left.into_iter().map(|it| it.isbn).collect();
        assert_eq!(left.len(), 6, "{way}: {left:?}");
        assert!(left.iter().all(|isbn| isbn != "isbn 1"), "{way}: {left:?}");
        settle(&odm).await;
        assert_eq!(Review::count(&odm).await.unwrap(), 6, "{way}");
        Edition::delete_many(&odm, Edition::fields().isbn.exists())
            .await
            .unwrap();
        settle(&odm).await;
        assert_eq!(Review::count(&odm).await.unwrap(), 0, "{way}");
    }
}

/// Keys that do not fit into one statement are sent in several statements, which still use one transaction.
#[tokio::test]
async fn large_cascades_are_cut_by_the_size_of_a_statement() {
    let t = cascades("cascade_statements_cut").await;
    let mut small = settings();
    small.range_bytes = 200;
    let odm = t.odm.with_settings(small);
    t.given(&[blogger(1)]).await;
    let posts = posts(1, 0..50);
    t.given(&posts).await;
    t.given(&comments(1, 0..50)).await;
    t.given(&[feed(1, &posts), feed(2, &posts[..20])]).await;
    t.forget();
    let report = Blogger::delete(&odm, id(1)).await.unwrap();
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    let deletes: Vec<_> = names(&t)
        .into_iter()
        .filter(|it| it == "delete cascade_posts")
        .collect();
    assert!(deletes.len() > 5, "{deletes:?}");
    let count = |model| {
        report
            .cascaded
            .iter()
            .find(|it| it.model == model)
            .unwrap()
            .deleted
    };
    assert_eq!((count("Post"), count("Comment")), (50, 50));
    let left = Feed::find(&odm).await.unwrap();
    assert_eq!(left, [feed(1, &[]), feed(2, &[])]);
    settle(&odm).await;
}

/// A plan shows each level once, and also ends if delete rules form a cycle.
#[tokio::test]
async fn cascades_send_what_they_plan() {
    let t = cascades("cascade_plan").await;
    warm(&t).await;
    let root = |number: i64, parent: Option<i64>| Node {
        id: id(number),
        parent: parent.map(id),
    };
    t.given(&[root(1, None), root(2, Some(1))]).await;
    t.given(&[Egg {
        id: id(1),
        hen: Some(id(1)),
    }])
    .await;
    // The second hen is deleted with the egg of the first. No document is deleted with the second hen.
    let hen = |number, egg: Option<i64>| Hen {
        id: id(number),
        egg: egg.map(id),
    };
    t.given(&[hen(1, None), hen(2, Some(1))]).await;
    t.given(&[Order { id: id(1) }]).await;
    t.given(&[OrderLine {
        id: id(1),
        order: id(1),
    }])
    .await;
    t.given(&[Invoice {
        id: id(1),
        order: Some(id(1)),
        line: id(1),
    }])
    .await;
    t.given(&[Edition {
        id: id(1),
        isbn: "1".to_owned(),
    }])
    .await;
    t.given(&[Review {
        id: id(1),
        isbn: "1".to_owned(),
    }])
    .await;
    macro_rules! same {
        ($title:literal, $delete:expr) => {{
            let plan = $delete.plan().unwrap();
            t.forget();
            $delete.await.unwrap();
            assert_sent(&t, $title, &plan);
        }};
    }
    same!("a chain of two", Node::delete(&t.odm, id(1)));
    same!("models that go with each other", Hen::delete(&t.odm, id(1)));
    same!("a restrict within", Order::delete(&t.odm, id(1)));
    same!("a key that is no id", Edition::delete(&t.odm, id(1)));
}
