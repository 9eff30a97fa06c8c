//! Counts how often one task sends the same call from the same source line. This number is the N in "N+1".

use std::{
    collections::HashMap,
    panic::Location,
    sync::{Mutex, PoisonError},
    thread::ThreadId,
    time::{Duration, Instant},
};

use tokio::task;

/// Maximum time between two calls by the same task that still count as one loop. The limit is necessary because a task
/// that serves requests on a connection also repeats the same calls, but not in a loop.
const TOGETHER: Duration = Duration::from_secs(1);

/// Largest number of pairs of sender and source line that are tracked at the same time.
const TASKS: usize = 1_024;

/// The sender of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Caller {
    runs_in: RunsIn,
    /// The number of the handle's options. A service often creates a handle with options for each request.
    handle: u64,
}

/// A task, or a thread that blocks on a future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RunsIn {
    Task(task::Id),
    Thread(ThreadId),
}

impl Caller {
    fn current(handle: u64) -> Self {
        let thread = || RunsIn::Thread(std::thread::current().id());
        Self {
            runs_in: task::try_id().map_or_else(thread, RunsIn::Task),
            handle,
        }
    }
}

/// The number of calls for each sender and source line.
#[derive(Debug, Default)]
pub(super) struct CallsPerTask(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    recent: HashMap<(Caller, &'static Location<'static>), Recent>,
    most: (u64, Option<&'static Location<'static>>),
}

#[derive(Debug)]
struct Recent {
    calls: u64,
    last: Instant,
}

impl CallsPerTask {
    /// Counts a call from the current task, through the handle with these options. Returns the number of calls in the
    /// loop so far.
    pub(super) fn add(&self, at: &'static Location<'static>, handle: u64) -> u64 {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.add(Caller::current(handle), at, Instant::now())
    }

    /// Returns the largest number of calls in one loop, and the source line of that loop.
    pub(super) fn most(&self) -> (u64, Option<&'static Location<'static>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).most
    }
}

impl Calls {
    fn add(&mut self, caller: Caller, at: &'static Location<'static>, now: Instant) -> u64 {
        let is_over = |recent: &Recent| now.duration_since(recent.last) > TOGETHER;
        if self.recent.len() >= TASKS {
            self.recent.retain(|_, recent| !is_over(recent));
        }
        if self.recent.len() >= TASKS {
            self.recent.clear();
        }
        let none = || Recent {
            calls: 0,
            last: now,
        };
        let recent = self.recent.entry((caller, at)).or_insert_with(none);
        if is_over(recent) {
            *recent = none();
        }
        recent.calls += 1;
        recent.last = now;
        let calls = recent.calls;
        if calls > self.most.0 {
            self.most = (calls, Some(at));
        }
        calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_belong_together_that_one_task_makes_from_one_place_within_a_second_of_another() {
        let (mut calls, began) = (Calls::default(), Instant::now());
        let caller = Caller::current(0);
        let (here, there) = (Location::caller(), there());
        let after = |millis| began + Duration::from_millis(millis);
        assert_eq!(calls.add(caller, here, after(0)), 1);
        assert_eq!(calls.add(caller, here, after(900)), 2);
        assert_eq!(calls.add(caller, there, after(900)), 1);
        assert_eq!(calls.add(caller, here, after(1_800)), 3);
        assert_eq!(calls.add(caller, here, after(2_900)), 1);
        assert_eq!(calls.most, (3, Some(here)));
        assert_eq!(calls.add(Caller::current(1), here, after(2_900)), 1);
    }

    fn there() -> &'static Location<'static> {
        #[track_caller]
        fn of() -> &'static Location<'static> {
            Location::caller()
        }
        of()
    }

    #[test]
    fn tasks_that_are_over_are_forgotten() {
        let (mut calls, began) = (Calls::default(), Instant::now());
        let at = Location::caller();
        let threads = (0..=TASKS).map(|_| std::thread::spawn(|| Caller::current(0)));
        for (second, thread) in threads.enumerate() {
            let now = began + 2 * TOGETHER * u32::try_from(second).unwrap();
            calls.add(thread.join().unwrap(), at, now);
        }
        assert_eq!(calls.recent.len(), 1);
    }
}
