//! Compiler messages for calls to methods that exist on the database handles of other libraries, but not on `Odm`.
//!
//! Each of these methods is defined in an impl whose bound (the "condition") no type satisfies. If a trait in scope has
//! a method of the same name, the compiler uses that method. Otherwise the compiler prints the message attached to the
//! condition. If the call is on a reference to the handle, the compiler prints only the name of the condition. So the
//! names of the conditions also state the remedy.

use super::Odm;

/// Defines the methods. Each row contains the condition, the method names, the message, and the label that the compiler
/// prints at the method name.
macro_rules! habits {
    ($($condition:ident: $($name:ident)|+ => $message:literal, $label:literal;)*) => {$(
        /// The lifetime delays the check of the condition until the method is called.
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label)]
        pub trait $condition<'a> {}

        #[doc(hidden)]
        impl<'a> Odm
        where
            Odm: $condition<'a>,
        {
            $(pub fn $name(&self) {})+
        }
    )*};
}

habits! {
    ReadsAreFunctionsOfTheModel: find | find_one | get | count | query =>
        "reads are functions of the model",
        "write `Model::find(&odm)`, `Model::get(&odm, id)` or `Model::count(&odm)`";
    WritesAreFunctionsOfTheModel: insert | insert_one | insert_many | save | update | delete =>
        "writes are functions of the model",
        "write `document.insert(&odm)`, `Model::update(&odm, id)` or `Model::delete(&odm, id)`";
    TransactionsAreClosures: start_session | start_transaction | begin | with_transaction =>
        "a transaction is a closure",
        "write `odm.transaction(async |tx| {{ .. Ok(()) }}).await?`, and `&tx` in place of `&odm` inside";
    TheDatabaseIsDatabase: db =>
        "the handle returns the database with `database`",
        "write `odm.database()`";
    IndexesAreSyncIndexes: create_indexes | create_index | ensure_indexes =>
        "the declared indexes are created by `sync_indexes`",
        "write `odm.sync_indexes().await?`";
}
