//! The argument of a call that determines where its statements run.

use std::{panic::Location, sync::Arc};

use super::{Exec, Odm, Tx};

/// The destination of a call's statements: a database (`&odm`) or a transaction (`&tx`).
///
/// [`Odm`] and [`Tx`] implement this trait, and so do references, boxes and `Arc`s that contain them. A `&dyn Executor`
/// is an executor too. Functions that accept `&impl Executor` work inside and outside of transactions.
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../../docs/part_models.txt")]
/// async fn all_parts(executor: &impl Executor) -> mongo_odm::Result<Vec<Part>> {
///     Part::find(executor).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an `Odm` nor a transaction",
    label = "expected `&odm` or `&tx`",
    note = "make the `Odm` once: of a `Database` with `Odm::new(database)`, of a `Client` with `Odm::new(client.database(\"shop\"))`",
    note = "the driver's `ClientSession` is not taken; write `odm.transaction(async |tx| {{ .. }})`, and hand over `&tx`"
)]
pub trait Executor: sealed::Sealed + Sync {
    /// Returns the exec for the statements of the call.
    #[doc(hidden)]
    #[track_caller]
    fn exec(&self) -> Exec;
}

#[diagnostic::do_not_recommend]
impl Executor for Odm {
    fn exec(&self) -> Exec {
        self.warn_inside_transaction();
        Exec::on(self.clone()).called_at(Location::caller())
    }
}

#[diagnostic::do_not_recommend]
impl Executor for Tx {
    fn exec(&self) -> Exec {
        Exec::within(self.clone()).called_at(Location::caller())
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<E: Executor + ?Sized> sealed::Sealed for $pointer {}

        #[diagnostic::do_not_recommend]
        impl<E: Executor + ?Sized> Executor for $pointer
        where
            Self: Sync,
        {
            fn exec(&self) -> Exec {
                (**self).exec()
            }
        }
    )*};
}
pointers!(&E, &mut E, Box<E>, Arc<E>);

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Odm {}
    impl Sealed for super::Tx {}
}
