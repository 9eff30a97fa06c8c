//! Compiler messages for calls to methods that exist on the database handles of other libraries, but not on `Odm`.
//!
//! Each of these methods has a bound that `Odm` does not satisfy (the "condition"). The compiler selects the method,
//! even if a trait in scope has a function of the same name, and prints the message of the condition. The parameters
//! and the result match the usual calls, so that the compiler prints no other error.

use std::future::Ready;

use super::Odm;
use crate::error::Result;

/// Defines the methods. Each row contains the condition, the methods with their parameters, the message, and the label
/// that the compiler prints at the method name.
macro_rules! habits {
    ($($condition:ident: $($name:ident($($parameter:ident),*))|+ => $message:literal, $label:literal;)*) => {$(
        /// The lifetime delays the check of the condition until the method is called.
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label)]
        pub trait $condition<'a> {
            fn call<T>() -> T;
        }

        #[doc(hidden)]
        impl Odm {
            $(
                pub fn $name<'a, T>(&'a self, $($parameter: impl Sized),*) -> Ready<Result<T>>
                where
                    Odm: $condition<'a>,
                {
                    $(drop($parameter);)*
                    <Odm as $condition<'a>>::call()
                }
            )+
        }
    )*};
}

habits! {
    ReadIsFunctionOfTheModel: find(filter) | find_one(filter) | get(id) | count(filter) | query(filter) =>
        "reads are functions of the model",
        "write `Model::find(&odm)`, `Model::get(&odm, id)` or `Model::count(&odm)`";
    WriteIsFunctionOfTheModel: insert(document) | insert_one(document) | insert_many(documents) | save(document)
        | update(filter, update) | delete(filter) =>
        "writes are functions of the model",
        "write `document.insert(&odm)`, `Model::update(&odm, id)` or `Model::delete(&odm, id)`";
    TransactionIsClosure: start_session() | start_transaction() | begin() | with_transaction(closure) =>
        "a transaction is a closure",
        "write `odm.transaction(async |tx| {{ .. Ok(()) }}).await?`, and `&tx` in place of `&odm` inside";
    DatabaseIsDatabase: db() =>
        "the handle returns the database with `database`",
        "write `odm.database()`";
    CreationIsSyncIndexes: create_indexes(indexes) | create_index(index) | ensure_indexes() =>
        "the declared indexes are created by `sync_indexes`",
        "write `odm.sync_indexes().await?`";
}
