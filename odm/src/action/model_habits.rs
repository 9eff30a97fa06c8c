//! Compiler messages for calls to functions that exist in the driver or in Mongoose, but not on models.
//!
//! Each row defines a trait and implements it for every type that satisfies a bound (the "condition"). No type
//! satisfies this bound. So the compiler ignores the trait when it resolves a call, and your models and traits can have
//! functions with these names. If no other function has the name, the compiler prints the message attached to the
//! condition. The traits are in the prelude, so the messages must also be correct for types that are not models.

/// Each row contains the message, the label that is printed at the function name, the condition, and the trait that
/// declares the function names.
///
/// The compiler quotes the declaration of the condition. The tokens of the declaration are part of the row, because
/// otherwise the compiler would quote the whole macro.
macro_rules! habits {
    ($($message:literal, $label:literal, $public:tt $keyword:tt $condition:ident $body:tt $calls:ident $($name:ident)|+;)*) => {$(
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label)]
        $public $keyword $condition $body

        #[doc(hidden)]
        pub trait $calls {
            $(fn $name();)+
        }

        #[diagnostic::do_not_recommend]
        impl<M: $condition> $calls for M {
            $(fn $name() {})+
        }
    )*};
}

habits! {
    "a model reads a document by its id with `get`",
    "write `Model::get(&odm, id)`",
    pub trait FindByIdIsGet {}
    FindByIdCalls find_by_id | find_by_pk | get_by_id;

    "a model updates a document by its id with `update`",
    "write `Model::update(&odm, id).set(field, value)`",
    pub trait UpdateByIdIsUpdate {}
    UpdateByIdCalls find_by_id_and_update | update_by_id;

    "a model deletes a document by its id with `delete`",
    "write `Model::delete(&odm, id)`",
    pub trait DeleteByIdIsDelete {}
    DeleteByIdCalls find_by_id_and_delete | find_by_id_and_remove | delete_by_id;

    "a model has no call that deletes a document and returns it",
    "in a transaction, write `Model::find_one(&tx).filter(..)`, then `Model::delete(&tx, id)`",
    pub trait FindOneAndDeleteIsTwoCalls {}
    FindOneAndDeleteCalls find_one_and_delete | find_one_and_remove;

    "a document inserts itself with `insert`",
    "write `document.insert(&odm)`, or `Model::insert_many(&odm, &documents)`",
    pub trait InsertOneIsInsert {}
    InsertOneCalls insert_one | create_one;

    "a model updates one document with `update`",
    "write `Model::update(&odm, id).set(field, value)`, or `find_one_and_update(&odm, filter)` for a filter",
    pub trait UpdateOneIsUpdate {}
    UpdateOneCalls update_one;

    "a model deletes one document with `delete`",
    "write `Model::delete(&odm, id)`, or `Model::delete_many(&odm, filter)`",
    pub trait DeleteOneIsDelete {}
    DeleteOneCalls delete_one;

    "a document replaces the stored document with `replace`",
    "write `document.replace(&odm)`",
    pub trait ReplaceOneIsReplace {}
    ReplaceOneCalls replace_one | find_one_and_replace | replace_by_id;

    "a model counts documents with `count`",
    "write `Model::count(&odm).filter(..)`",
    pub trait CountDocumentsIsCount {}
    CountDocumentsCalls count_documents | estimated_document_count;

    "the handle creates the indexes of all models",
    "write `#[index]` at the field, and call `odm.sync_indexes().await?`",
    pub trait CreateIndexIsSyncIndexes {}
    CreateIndexCalls create_index | create_indexes | ensure_indexes | sync_indexes;

    "the handle writes several documents in one call",
    "write `odm.bulk_write().add(document.save(&odm)).add(..)`",
    pub trait BulkWriteIsOfTheHandle {}
    BulkWriteCalls bulk_write | bulk_save;
}
