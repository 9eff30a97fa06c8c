//! What a call takes to say where its statements run.

use std::{panic::Location, sync::Arc};

use super::{Exec, Odm, Tx};

/// Where statements run: a database (`&odm`) or a transaction (`&tx`).
///
/// Implemented by [`Odm`] and [`Tx`], by references to them and by an `Arc` of them; a `&dyn Executor` is one too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an `Odm` nor a transaction",
    label = "expected `&odm` or `&tx`",
    note = "make the `Odm` once: of a `Database` with `Odm::new(database)`, of a `Client` with `Odm::new(client.database(\"shop\"))`",
    note = "the driver's `ClientSession` is not taken; write `odm.transaction(async |tx| {{ .. }})`, and hand over `&tx`"
)]
pub trait Executor: sealed::Sealed + Sync {
    /// Returns what runs the statements.
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
