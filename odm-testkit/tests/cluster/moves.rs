//! Chunks that move while programs write.

use std::{
    sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed},
    time::{Duration, Instant},
};

use mongodb::{Client, bson::doc};

use crate::{Shop, numbered};

/// How long the writers run.
const LOAD: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_moved_chunk_is_found_again_by_statements_with_the_old_routing_table() {
    let shop = Shop::new("moved_chunk").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let namespace = format!("{}.ranged", shop.name);
    shop.cluster
        .move_chunk(&namespace, doc! { "n": 0 }, 1)
        .await
        .unwrap();
    let mut session = shop.client.start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    let set = doc! { "$set": { "v": 1 } };
    let updated = shop
        .ranged
        .update_many(doc! {}, set)
        .session(&mut session)
        .await
        .unwrap();
    assert_eq!(updated.modified_count, 100);
    session.commit_transaction().await.unwrap();
    assert_eq!(
        shop.ranged.count_documents(doc! { "v": 1 }).await.unwrap(),
        100
    );
    let per_shard = shop.cluster.counters().await.unwrap();
    assert!(per_shard.moves >= 2, "{per_shard}");
}

/// Each writer increments documents of its own: with retryable writes, and with transactions over both shards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_write_is_lost_or_applied_twice_while_chunks_move() {
    let shop = Shop::new("while_chunks_move").await;
    shop.ranged.insert_many(numbered(0..100)).await.unwrap();
    let end = Instant::now() + LOAD;
    let (single, several) = (AtomicI32::new(0), AtomicI32::new(0));
    let is_over = AtomicBool::new(false);
    let moves = async {
        let namespace = format!("{}.ranged", shop.name);
        let (mut moved, mut failed) = (0, 0);
        for round in 0_usize.. {
            if is_over.load(Relaxed) {
                break;
            }
            for (key, offset) in [(0, 0), (50, 1)] {
                let to = (round + offset) % 2;
                let key = doc! { "n": key };
                match shop.cluster.move_chunk(&namespace, key, to).await {
                    Ok(()) => moved += 1,
                    Err(_) => failed += 1,
                }
            }
        }
        (moved, failed)
    };
    let load = async {
        let singles = async {
            while Instant::now() < end {
                let n = single.fetch_add(1, Relaxed) % 50 * 2;
                let inc = doc! { "$inc": { "v": 1 } };
                let updated = shop.ranged.update_one(doc! { "n": n }, inc).await.unwrap();
                assert_eq!(updated.matched_count, 1);
            }
        };
        let transactions = async {
            while Instant::now() < end {
                if increment_all(&shop.client, shop.name).await {
                    several.fetch_add(1, Relaxed);
                }
            }
        };
        tokio::join!(singles, transactions);
        is_over.store(true, Relaxed);
    };
    let ((done, failed), ()) = tokio::join!(moves, load);
    let (single, several) = (single.load(Relaxed), several.load(Relaxed));
    println!("{done} moves, {failed} refused; {single} single writes, {several} transactions");
    assert!(done >= 2 && single > 50 && several > 5);
    let found = crate::all(shop.ranged.find(doc! {}).await.unwrap()).await;
    assert_eq!(found.len(), 100);
    let sum = |odd: bool| -> i32 {
        let kind = found
            .iter()
            .filter(|it| (it.get_i32("n").unwrap() % 2 == 1) == odd);
        kind.map(|it| it.get_i32("v").unwrap()).sum()
    };
    assert_eq!(sum(false), single);
    assert_eq!(sum(true), several * 50);
}

/// Increments all documents with an odd number in one transaction. Returns whether it was committed.
async fn increment_all(client: &Client, name: &str) -> bool {
    let ranged = client
        .database(name)
        .collection::<mongodb::bson::Document>("ranged");
    let mut session = client.start_session().await.unwrap();
    let numbers: Vec<i32> = (0..50).map(|n| n * 2 + 1).collect();
    let transaction = session.start_transaction();
    let committed = transaction.and_run2(async move |session| {
        let filter = doc! { "n": { "$in": numbers.clone() } };
        let inc = doc! { "$inc": { "v": 1 } };
        let updated = ranged.update_many(filter, inc).session(session).await?;
        assert_eq!(updated.modified_count, 50);
        Ok(())
    });
    committed.await.is_ok()
}
