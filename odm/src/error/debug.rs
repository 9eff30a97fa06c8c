//! `Debug` output of errors: the message, or the structure if `{:#?}` is used.

use std::fmt;

use super::Error;

/// Writes a variant with all of its fields. If the list below does not contain a field, the code
/// does not compile.
macro_rules! structure {
    (
        $error:expr, $formatter:expr;
        $($record:ident { $($field:ident),* })*;
        $($tuple:ident)*;
        $($unit:ident)*
    ) => {
        match $error {
            $(Error::$record { $($field),* } => {
                let mut record = $formatter.debug_struct(stringify!($record));
                $(record.field(stringify!($field), $field);)*
                record.finish()
            })*
            $(Error::$tuple(inner) => $formatter.debug_tuple(stringify!($tuple)).field(inner).finish(),)*
            $(Error::$unit => $formatter.write_str(stringify!($unit)),)*
        }
    };
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        structure! {
            self, f;
            Driver { statement, source }
            DuplicateKey { model, collection, index, fields, deleted, other_tenant, source }
            Unreachable { hosts, waited, statement, source }
            Decode { type_name, collection, id, path, message }
            Encode { model, collection, context, source }
            NotFound { model, collection, filter }
            Missing { relation, model, collection, keys }
            Unmatched { relation, model, collection, keys }
            Ambiguous { relation, model, collection, path, key, found, with_deleted }
            InvalidDocument { model, collection, id, rules, source }
            InvalidPatch { of, field, problem }
            Validation { model, violations }
            Hook { model, collection, hook, id, source }
            BoundExceeded { model, id, field, max, len }
            Overflow { model, collection, id, field, summary, children }
            IdTaken { model, collection, kind, id, by }
            TooManyDocuments { relation, model, collection, max }
            TooManyKeys { relation, model, collection, keys }
            Invalid { model, collection, message, in_document }
            IndexConflict { collections, difference }
            Restricted { model, collection, reference, key }
            NoTarget { model, field, target, target_collection, path, of_tenant, keys }
            ExistsNeedsTransactions { model, collection, field }
            Conflict { model, collection, id, expected, found }
            Deleted { model, collection, id }
            Reassigned { model, collection, field, id, expected, present }
            InsertMany { model, collection, inserted, rejected, transaction_ended, source }
            BulkWrite { operations, counts, failed, source }
            PartlyUpdated { model, collection, matched, modified, source }
            PartlyDeleted { model, collection, deleted, cascaded, source }
            NoIndex { relation, model, collection, keys }
            Pending { pending, waited };
            InvalidPageToken InvalidResumeToken Declaration TransactionPoisoned Custom;
            TransactionEnded NoTransactions NoChangeStreams Shutdown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_function_ends_with_the_message() {
        let error = Error::invalid("no \"name\"".to_owned());
        assert_eq!(format!("{error:?}"), "no \"name\"");
        let nested = Error::PartlyUpdated {
            model: "Part",
            collection: "parts",
            matched: 3,
            modified: 2,
            source: Box::new(error),
        };
        assert_eq!(format!("{nested:?}"), nested.to_string());
    }

    #[test]
    fn the_alternate_form_is_the_structure() {
        let error = Error::invalid("no name".to_owned());
        let structure = "Invalid {\n    model: None,\n    collection: None,\n    message: \"no name\",\n    \
                         in_document: false,\n}";
        assert_eq!(format!("{error:#?}"), structure);
        assert_eq!(
            format!("{:#?}", Error::TransactionEnded),
            "TransactionEnded"
        );
    }
}
