//! Kills processes of a cluster that no other test uses.

use std::time::Duration;

use mongo_odm_testkit::Cluster;
use mongodb::{
    Client,
    bson::{Document, doc},
    options::WriteConcern,
};

use crate::{client, numbered, shard};

/// Runs the tests one after the other, because each of them kills processes of the cluster.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_survives_kills_of_its_processes() {
    if std::env::var("MONGODB_URI").is_ok_and(|uri| !uri.is_empty()) {
        println!("skipped: the processes of the user's cluster are not killed");
        return;
    }
    let cluster = Cluster::start().await.unwrap();
    println!("{cluster}");
    assert_eq!(cluster.pids().len(), 4);
    let client = client(&cluster).await;
    shard(&cluster, "kills").await;
    without_config_server(&cluster, &client).await;
    before_commit(&cluster, &client).await;
    while_committing(&cluster, &client).await;
    println!("{}", cluster.counters().await.unwrap());
}

async fn without_config_server(cluster: &Cluster, client: &Client) {
    let ranged = client.database("kills").collection::<Document>("ranged");
    ranged.insert_many(numbered(40..60)).await.unwrap();
    let find = async || crate::all(ranged.find(doc! {}).await.unwrap()).await.len();
    assert_eq!(find().await, 20);
    cluster.kill_config_server().unwrap();
    // Statements with a known routing table need no config server.
    assert_eq!(find().await, 20);
    ranged
        .update_one(doc! { "n": 40 }, doc! { "$set": { "v": 1 } })
        .await
        .unwrap();
    cluster.restart_config_server().await.unwrap();
    cluster
        .move_chunk("kills.ranged", doc! { "n": 0 }, 1)
        .await
        .unwrap();
    cluster
        .move_chunk("kills.ranged", doc! { "n": 0 }, 0)
        .await
        .unwrap();
    // Without `majority`, a shard that is killed soon afterwards can lose the delete.
    let delete = ranged
        .delete_many(doc! {})
        .write_concern(WriteConcern::majority());
    assert_eq!(delete.await.unwrap().deleted_count, 20);
}

/// A shard that dies before the commit has lost its part, so nothing is committed.
async fn before_commit(cluster: &Cluster, client: &Client) {
    let ranged = client.database("kills").collection::<Document>("ranged");
    let mut session = client.start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    ranged
        .insert_many(numbered(40..60))
        .session(&mut session)
        .await
        .unwrap();
    cluster.kill_shard(1).unwrap();
    cluster.restart_shard(1).await.unwrap();
    let committed = session.commit_transaction().await;
    assert!(committed.is_err());
    assert_eq!(settled_count(&ranged).await, 0);
}

/// Kills the coordinator (shard 0) or the other shard during a commit in two phases. Afterwards, either both documents
/// of the transaction exist or none. Both exist if the commit was acknowledged, or if the decision was already stored.
async fn while_committing(cluster: &Cluster, client: &Client) {
    let ranged = client.database("kills").collection::<Document>("ranged");
    let moments = ["hangBeforeWritingDecision", "hangBeforeSendingCommit"];
    for (round, (moment, victim)) in (0..).zip(
        moments
            .into_iter()
            .flat_map(|moment| [(moment, 0), (moment, 1)]),
    ) {
        set(client, moment, "alwaysOn").await;
        let mut session = client.start_session().await.unwrap();
        session.start_transaction().await.unwrap();
        let both = [45, 55].map(|n| doc! { "_id": round * 100 + n, "n": n, "round": round });
        ranged
            .insert_many(both)
            .session(&mut session)
            .await
            .unwrap();
        let kill = async {
            tokio::time::sleep(Duration::from_millis(700)).await;
            cluster.kill_shard(victim).unwrap();
            cluster.restart_shard(victim).await.unwrap();
            set(client, moment, "off").await;
        };
        let (committed, ()) = tokio::join!(session.commit_transaction(), kill);
        let count = loop {
            match ranged.count_documents(doc! { "round": round }).await {
                // The other part is committed some time after the restart.
                Ok(1) | Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                Ok(0) if committed.is_err() && moment == "hangBeforeSendingCommit" => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Ok(count) => break count,
            }
        };
        println!("{moment}, shard {victim} killed: {committed:?}, {count} documents");
        assert!(count == 0 || count == 2, "half of round {round}");
        assert!(
            committed.is_err() || count == 2,
            "round {round} was acknowledged and is lost"
        );
    }
    let per_shard = cluster.documents_per_shard("kills.ranged").await.unwrap();
    assert_eq!(per_shard[0], per_shard[1]);
    assert!(per_shard[0] >= 2, "{per_shard:?}");
}

/// Sets a failpoint on both shards.
async fn set(client: &Client, failpoint: &str, mode: &str) {
    let command = doc! { "configureFailPoint": failpoint, "mode": mode };
    while let Err(error) = client.database("admin").run_command(command.clone()).await {
        println!("{failpoint}: {error}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Counts documents as soon as the restarted shard answers.
async fn settled_count(ranged: &mongodb::Collection<Document>) -> u64 {
    loop {
        if let Ok(count) = ranged.count_documents(doc! {}).await {
            return count;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
