//! A separate process that a test can kill. It runs this test binary again.

use std::{
    env,
    io::Read,
    process::{Child, Command, Stdio},
};

use mongo_odm::prelude::*;

use super::{
    lab::{FAULTY, handle, rename},
    storms,
};
use crate::{models::*, setting::*};

/// The action that the process carries out.
#[derive(Clone, Copy, PartialEq)]
pub enum Act {
    /// Renames a host. Its copies are updated inline or by a job.
    Rename { inline: bool },
    /// Runs the existing jobs.
    RunJobs,
    /// Inserts a message.
    Insert,
    /// Inserts a reading, and leaves it to other processes to count the reading.
    AddLater,
    /// Endlessly inserts, changes, moves and deletes readings, and folds the deltas that it has stored.
    Measure,
    /// Endlessly moves branches to different branches: in one transaction, or as the library decides.
    Reassign { atomic: bool },
}

impl Act {
    const ALL: [(&str, Self); 8] = [
        ("inline", Self::Rename { inline: true }),
        ("job", Self::Rename { inline: false }),
        ("jobs", Self::RunJobs),
        ("insert", Self::Insert),
        ("add later", Self::AddLater),
        ("measure", Self::Measure),
        ("reassign at once", Self::Reassign { atomic: true }),
        ("reassign", Self::Reassign { atomic: false }),
    ];

    fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, act)| *act == self).unwrap().0
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
    // Standard input is closed when the parent process ends.
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
    let host = async || {
        let host = Host::find_one(&odm).filter(Host::fields().ipaddr.exists());
        host.await.unwrap().unwrap()
    };
    let name = format!("by process {}", std::process::id());
    match act {
        Act::Rename { inline } => {
            let odm = if inline { odm.clone() } else { by_jobs(&odm) };
            _ = rename(&odm, &host().await, name).await.unwrap();
        }
        Act::RunJobs => _ = odm.run_pending_jobs().await.unwrap(),
        Act::Insert => _ = messages(&host().await, 1)[0].insert(&odm).await.unwrap(),
        Act::AddLater => storms::add_later(&odm).await,
        Act::Measure => storms::measure(&odm).await,
        Act::Reassign { atomic } => storms::reassign(&odm, atomic).await,
    }
}
