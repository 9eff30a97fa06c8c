//! Injects faults: kills processes and primaries, and delays commands.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mongo_odm::bson::{Document, doc};
use mongo_odm_testkit::Server;
use tokio::time::sleep;

use crate::{
    figures::Figures, process::Process, program::APP, random::Random, role::Role, servers::Servers,
    setting::Setting, shards,
};

const ROLES: [Role; 17] = [
    Role::Counter,
    Role::Renamer,
    Role::Renamer,
    Role::Relinker,
    Role::Relinker,
    Role::Gardener,
    Role::Gardener,
    Role::Transactor,
    Role::Player,
    Role::Player,
    Role::Packer,
    Role::Packer,
    Role::Vandal,
    Role::Worker,
    Role::Older,
    Role::OlderWorker,
    Role::OlderWorker,
];

/// Lets processes write and kills them, for the given time. Afterwards, all processes are dead and all nodes run.
pub(crate) async fn run(setting: &Arc<Setting>, length: Duration, figures: &Arc<Figures>) {
    let end = Instant::now() + length;
    tokio::join!(
        kill_processes(setting, end, figures),
        kill_servers(setting, end, figures),
        delay_commands(setting, end, figures),
    );
    for node in 0..3 {
        fail(setting, node, doc! { "mode": "off" }).await;
    }
    match &setting.servers {
        Servers::Nodes(server) => {
            server.primary().await.unwrap();
        }
        Servers::Cluster(cluster) => {
            let counters = cluster.counters().await.unwrap();
            let both = counters.commits_on_two_shards.unsigned_abs();
            figures.add("commit over two shards", both);
            let one = counters.commits_on_one_shard.unsigned_abs();
            figures.add("commit on one shard", one);
            figures.add("chunk moved", counters.moves.unsigned_abs());
        }
    }
}

async fn kill_processes(setting: &Setting, end: Instant, figures: &Arc<Figures>) {
    let mut random = Random::new(setting.seed);
    let start = |role, random: &mut Random| {
        Process::start(role, setting.servers.uri(), random.next(), figures)
    };
    let mut processes = Vec::new();
    for role in ROLES {
        processes.push(start(role, &mut random));
    }
    while Instant::now() < end {
        sleep(random.millis(150, 600)).await;
        let victim = usize::try_from(random.below(ROLES.len() as u64)).unwrap();
        let role = processes[victim].role;
        drop(processes.swap_remove(victim));
        figures.add(&format!("{} killed", role.name()), 1);
        processes.push(start(role, &mut random));
    }
}

async fn kill_servers(setting: &Setting, end: Instant, figures: &Figures) {
    match &setting.servers {
        Servers::Nodes(server) => kill_primaries(setting, server, end, figures).await,
        Servers::Cluster(cluster) => {
            tokio::join!(
                shards::move_chunks(setting, cluster, end, figures),
                shards::kill_servers(setting, cluster, end, figures),
            );
        }
    }
}

async fn kill_primaries(setting: &Setting, server: &Server, end: Instant, figures: &Figures) {
    let mut random = Random::new(setting.seed + 1);
    loop {
        let pause = random.millis(5_000, 8_000);
        if Instant::now() + pause > end {
            return;
        }
        sleep(pause).await;
        let node = server.primary().await.unwrap();
        server.kill(node).unwrap();
        figures.add("primary killed", 1);
        sleep(random.millis(100, 3_000)).await;
        server.restart(node).await.unwrap();
        if server.primary().await.unwrap() != node {
            figures.add("primary replaced by another node", 1);
        }
    }
}

/// Delays commands for so long that their senders are probably dead when the server executes the commands.
async fn delay_commands(setting: &Setting, end: Instant, figures: &Figures) {
    const COMMANDS: [&str; 4] = ["update", "findAndModify", "insert", "commitTransaction"];
    let mut random = Random::new(setting.seed + 2);
    while Instant::now() < end {
        sleep(random.millis(500, 1_500)).await;
        let command = COMMANDS[usize::try_from(random.below(4)).unwrap()];
        let times = 1 + i32::try_from(random.below(3)).unwrap();
        let data = doc! {
            "failCommands": [command], "appName": APP, "blockConnection": true, "blockTimeMS": 1_800,
        };
        let node = match &setting.servers {
            Servers::Nodes(server) => server.primary().await.ok(),
            Servers::Cluster(_) => Some(0),
        };
        let Some(node) = node else {
            continue;
        };
        if fail(
            setting,
            node,
            doc! { "mode": { "times": times }, "data": data },
        )
        .await
        {
            figures.add("commands made late", times.unsigned_abs().into());
        }
    }
}

/// Sets the fail point of a node, and returns whether the node is up and has accepted it.
async fn fail(setting: &Setting, node: usize, how: Document) -> bool {
    let mut command = doc! { "configureFailPoint": "failCommand" };
    command.extend(how);
    let client = setting.node(node).await;
    client.database("admin").run_command(command).await.is_ok()
}
