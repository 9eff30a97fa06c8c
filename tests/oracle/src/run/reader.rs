//! Repeatedly reads all documents while a program runs. Each document must be decodable as its struct at any time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use mongo_odm::ErrorKind;
use tokio::{task::JoinHandle, time::sleep};

use super::Bench;

/// Pause between reads. Without it, the reads would take more time than the programs.
const PAUSE: Duration = Duration::from_millis(100);

/// A task that reads continuously.
pub(super) struct Reader {
    ends: Arc<AtomicBool>,
    task: JoinHandle<Option<String>>,
}

impl Reader {
    pub(super) fn start(bench: &Bench) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let (models, handle, end) = (
            Arc::clone(&bench.here.models),
            bench.here.handles[0].clone(),
            Arc::clone(&ends),
        );
        let task = tokio::spawn(async move {
            while !end.load(Relaxed) {
                for model in models.iter() {
                    if let Err(error) = model.read(&handle).await
                        && error.kind() == ErrorKind::Decode
                    {
                        return Some(format!("a reader fails: {error}"));
                    }
                }
                sleep(PAUSE).await;
            }
            None
        });
        Self { ends, task }
    }

    /// Ends the task and returns the error that occurred in it.
    pub(super) async fn end(self) -> Option<String> {
        self.ends.store(true, Relaxed);
        self.task
            .await
            .unwrap_or_else(|error| Some(error.to_string()))
    }
}
