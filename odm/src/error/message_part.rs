//! Formats text that occurs in several error messages.

use std::fmt;

use mongodb::bson::Bson;

use crate::mongosh;

/// Formats the first few keys, and the number of remaining keys.
pub(super) struct ListedKeys<'a>(pub(super) &'a [Bson]);

impl fmt::Display for ListedKeys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (at, key) in self.0.iter().take(SHOWN).enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(&mongosh::value(key))?;
        }
        if self.0.len() > SHOWN {
            write!(f, " and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}

/// Formats an id, or writes "unknown" if there is no id.
pub(super) struct ShownId<'a>(pub(super) Option<&'a Bson>);

impl fmt::Display for ShownId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("unknown"),
            Some(id) => f.write_str(&mongosh::value(id)),
        }
    }
}

/// Formats an id as a suffix to the model's name. Writes nothing if there is no id.
pub(super) struct OfId<'a>(pub(super) Option<&'a Bson>);

impl fmt::Display for OfId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |id| {
            write!(f, " with the `_id` {}", mongosh::value(id))
        })
    }
}

/// Formats the model's name as a suffix to the collection's name. Writes nothing if the model is
/// not known.
pub(super) struct InModel(pub(super) Option<&'static str>);

impl fmt::Display for InModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |model| write!(f, " (`{model}`)"))
    }
}

/// Formats a message, and appends the model unless the message already contains the name of a model or a type, which
/// begins with a capital letter.
pub(super) struct MessageInModel<'a>(pub(super) &'a str, pub(super) Option<&'static str>);

impl fmt::Display for MessageInModel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(message, model) = self;
        f.write_str(message)?;
        let mut quoted = message.split('`').skip(1).step_by(2);
        if quoted.any(|code| code.starts_with(char::is_uppercase)) {
            return Ok(());
        }
        write!(f, "{}", InModel(*model))
    }
}

/// Formats the kind as a suffix to the model's name. Writes nothing if the model does not have a
/// kind.
pub(super) struct OfKind(pub(super) Option<&'static str>);

impl fmt::Display for OfKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |kind| write!(f, " (of the kind \"{kind}\")"))
    }
}

/// Formats the stored version of a document. `None` means that the document does not exist.
pub(super) struct FoundVersion(pub(super) Option<i64>);

impl fmt::Display for FoundVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(version) => write!(f, "has version {version}"),
            None => f.write_str("does not exist"),
        }
    }
}

/// Formats the remedy for a conflict with the stored version. `None` means that the document does not exist.
pub(super) struct ConflictRemedy(pub(super) Option<i64>, pub(super) &'static str);

impl fmt::Display for ConflictRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.1;
        match self.0 {
            Some(_) => write!(
                f,
                "load the `{model}` again with `reload`, and repeat the change; a struct keeps its version when it is \
                 saved, and `.returning()` returns the new one"
            ),
            None => write!(
                f,
                "if the `{model}` is new or was deleted, store it with `insert`; if it belongs to another tenant, use a \
                 handle for that tenant"
            ),
        }
    }
}

/// Formats the remedies if a document cannot be stored because its `_id` is that of a deleted document.
pub(super) struct DeletedRemedy(pub(super) bool, pub(super) Option<&'static str>);

impl fmt::Display for DeletedRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.1.unwrap_or("Model");
        if self.0 {
            write!(
                f,
                "; the stored document is deleted: restore it with `{model}::restore`, or remove it with `{model}::purge`"
            )?;
        }
        Ok(())
    }
}

/// Formats the remedies if a document cannot be archived because the archive contains a document of another tenant with the
/// same `_id`.
pub(super) struct OtherTenantRemedy(pub(super) bool);

impl fmt::Display for OtherTenantRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 {
            f.write_str(
                "; the archived document belongs to another tenant, and the delete must not replace it: purge it with a handle \
                 for its tenant, and use ids that are unique across all tenants",
            )?;
        }
        Ok(())
    }
}

/// Formats the remedies if a reference to a single document matches several documents.
pub(super) struct OneTargetRemedy(pub(super) bool);

impl fmt::Display for OneTargetRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 {
            "some of them may be deleted, because a unique index contains only live documents; leave out `with_deleted`, or \
             declare a relation to many (`#[refs(many)]`, `has_many`)"
        } else {
            "declare a relation to many (`#[refs(many)]`, `has_many`) or make the key unique"
        })
    }
}
