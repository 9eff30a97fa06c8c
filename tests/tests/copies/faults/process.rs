//! A process of its own, which can be killed: this test binary again.

use std::{
    env,
    io::Read,
    process::{Child, Command, Stdio},
};

use mongo_odm::prelude::*;

use super::lab::{FAULTY, handle, rename};
use crate::{models::*, setting::*};

/// What the process does, once.
#[derive(Clone, Copy)]
pub enum Act {
    /// Renames a host, whose copies are few or many.
    Rename { inline: bool },
    /// Runs the jobs that are there.
    RunJobs,
    /// Inserts a message.
    Insert,
}

impl Act {
    const ALL: [(&str, Self); 4] = [
        ("inline", Self::Rename { inline: true }),
        ("job", Self::Rename { inline: false }),
        ("jobs", Self::RunJobs),
        ("insert", Self::Insert),
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Rename { inline: true } => "inline",
            Self::Rename { inline: false } => "job",
            Self::RunJobs => "jobs",
            Self::Insert => "insert",
        }
    }
}

/// A process that is killed with SIGKILL when it is dropped.
pub struct Process(Child);

impl Process {
    pub fn start(act: Act, uri: &str) -> Self {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "faults::process::acts", "--ignored"])
            .env("ODM_FAULTS_URI", uri)
            .env("ODM_FAULTS_ACT", act.name())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
#[ignore = "a child: does one thing to the database of another test"]
async fn acts() {
    // The other end of standard input ends with the parent.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let odm = handle(&env::var("ODM_FAULTS_URI").unwrap(), FAULTY).await;
    let act = env::var("ODM_FAULTS_ACT").unwrap();
    let act = Act::ALL
        .into_iter()
        .find(|(name, _)| *name == act)
        .unwrap()
        .1;
    let host = Host::find_one(&odm, Host::fields().ipaddr.exists())
        .await
        .unwrap()
        .unwrap();
    let name = format!("by process {}", std::process::id());
    match act {
        Act::Rename { inline: true } => _ = rename(&odm, &host, name).await.unwrap(),
        Act::Rename { inline: false } => {
            _ = rename(&by_jobs(&odm), &host, name).await.unwrap();
        }
        Act::RunJobs => _ = odm.run_pending_jobs().await.unwrap(),
        Act::Insert => _ = messages(&host, 1)[0].insert(&odm).await.unwrap(),
    }
}
