//! A background task of which at most one runs at a time for each handle.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Records whether the task is running.
#[derive(Debug, Default)]
pub(super) struct SingleTask(Arc<AtomicBool>);

/// The right to run the task. The task owns this value, so the right is released when the task ends, even after a
/// panic or when the runtime shuts down.
#[derive(Debug)]
pub(super) struct TaskRight(Arc<AtomicBool>);

impl SingleTask {
    /// Returns the right to run the task. Returns `None` if the task is already running.
    pub(super) fn claim(&self) -> Option<TaskRight> {
        let is_running = self.0.swap(true, Ordering::AcqRel);
        (!is_running).then(|| TaskRight(Arc::clone(&self.0)))
    }
}

impl Drop for TaskRight {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_panics_gives_its_right_back() {
        let single = SingleTask::default();
        let right = single.claim();
        assert!(right.is_some() && single.claim().is_none());
        let panicked = std::thread::spawn(move || {
            let _right = right;
            panic!("on purpose");
        });
        assert!(panicked.join().is_err());
        assert!(single.claim().is_some());
    }

    #[test]
    fn a_task_whose_runtime_has_ended_gives_its_right_back() {
        let single = SingleTask::default();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
        let right = single.claim();
        runtime.spawn(async move {
            let _right = right;
            std::future::pending::<()>().await;
        });
        assert!(single.claim().is_none());
        drop(runtime);
        assert!(single.claim().is_some());
    }
}
