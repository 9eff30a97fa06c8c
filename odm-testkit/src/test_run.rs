//! Runs a test function on its own database.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tokio::runtime;

use crate::test_setting::{Options, Runtime, Test};

/// Creates a database, runs the test function, and drops the database if the test passes.
///
/// # Panics
///
/// Panics if no server is found, if the indexes cannot be created, or if the function panics or
/// returns an error.
#[track_caller]
pub fn run<F>(path: &str, options: &Options, function: F)
where
    F: AsyncFnOnce(&Test) -> Option<String>,
{
    let failed = outcome(path, options, function);
    if let Err(message) = failed {
        panic!("{message}");
    }
}

fn outcome<F>(path: &str, options: &Options, function: F) -> Result<(), String>
where
    F: AsyncFnOnce(&Test) -> Option<String>,
{
    let runtime = started(options.runtime)?;
    let mut test = runtime.block_on(Test::open(name(path), options))?;
    let run = || runtime.block_on(Box::pin(function(&test)));
    let failed = catch_unwind(AssertUnwindSafe(run));
    let has_passed = match &failed {
        Ok(failure) => failure.is_none(),
        Err(_) => options.should_panic,
    };
    if !has_passed {
        test.keep();
    }
    runtime.block_on(test.close());
    match failed {
        Ok(None) => Ok(()),
        Ok(Some(failure)) => Err(format!("the test returned an error: {failure}")),
        Err(panic) => resume_unwind(panic),
    }
}

fn started(kind: Runtime) -> Result<runtime::Runtime, String> {
    let mut builder = match kind {
        Runtime::CurrentThread => runtime::Builder::new_current_thread(),
        Runtime::MultiThread(threads) => {
            let mut builder = runtime::Builder::new_multi_thread();
            if let Some(threads) = threads {
                builder.worker_threads(threads);
            }
            builder
        }
    };
    let started = builder.enable_all().build();
    started.map_err(|error| format!("cannot start a Tokio runtime: {error}"))
}

/// Maximum length in bytes of the test's path in the name of its database.
const MAX: usize = 36;

/// Returns the part of a test's path with which the database's name begins. The crate is left out.
/// If the path is too long, outer modules are left out, too.
fn name(path: &str) -> &str {
    let mut name = path.split_once("::").map_or(path, |(_, inner)| inner);
    while let Some((_, inner)) = name.split_once("::").filter(|_| name.len() > MAX) {
        name = inner;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn the_name_of_a_database_starts_with_the_innermost_modules() {
        for (path, expected) in [
            ("shop::orders::adds_up", "orders::adds_up"),
            ("shop::adds_up", "adds_up"),
            (
                "shop::orders::with_a_long_name_of_a_module::adds_up",
                "adds_up",
            ),
        ] {
            assert_eq!(name(path), expected);
        }
    }
}
