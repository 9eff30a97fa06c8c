//! The types of the arguments and of the result of a test function.

use std::fmt::Debug;

use mongo_odm::Odm;

use crate::{TestClock, TestDb, test_setting::Test};

/// A type that an argument of a test function can have.
#[diagnostic::on_unimplemented(
    message = "a test has no argument of the type `{Self}`",
    label = "expected `Odm`, `TestClock` or `&TestDb`",
    note = "write `odm: Odm` for the handle, `clock: TestClock` for its clock, and `database: &TestDb` for the database and the recorder"
)]
pub trait TestArgument<'t> {
    /// Returns the argument for one test.
    fn of_test(test: &'t Test) -> Self;
}

impl TestArgument<'_> for Odm {
    fn of_test(test: &Test) -> Self {
        test.odm().clone()
    }
}

impl TestArgument<'_> for TestClock {
    fn of_test(test: &Test) -> Self {
        test.clock().clone()
    }
}

impl<'t> TestArgument<'t> for &'t TestDb {
    fn of_test(test: &'t Test) -> Self {
        test.database()
    }
}

/// A type that a test function can return.
#[diagnostic::on_unimplemented(
    message = "a test cannot return `{Self}`",
    label = "expected `()` or `Result<(), E>`, where `E` implements `Debug`",
    note = "remove the type, or write `mongo_odm::Result<()>` and end the test with `Ok(())`"
)]
pub trait TestOutcome {
    /// Returns the text of the error if the test has failed.
    fn into_failure(self) -> Option<String>;
}

impl TestOutcome for () {
    fn into_failure(self) -> Option<String> {
        None
    }
}

impl<E: Debug> TestOutcome for Result<(), E> {
    fn into_failure(self) -> Option<String> {
        self.err().map(|error| format!("{error:?}"))
    }
}
