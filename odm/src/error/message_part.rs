//! Writes the parts that several error messages share.

use std::fmt;

use mongodb::bson::Bson;

use crate::mongosh;

/// Writes the first few keys, and the number of the others.
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

/// Writes an id, or "unknown".
pub(super) struct ShownId<'a>(pub(super) Option<&'a Bson>);

impl fmt::Display for ShownId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("unknown"),
            Some(id) => f.write_str(&mongosh::value(id)),
        }
    }
}

/// Writes the model, if it is known, in the form that follows the name of its collection.
pub(super) struct InModel(pub(super) Option<&'static str>);

impl fmt::Display for InModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |model| write!(f, " (`{model}`)"))
    }
}

/// Writes the kind, if the model has one, in the form that follows the name of the model.
pub(super) struct OfKind(pub(super) Option<&'static str>);

impl fmt::Display for OfKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |kind| write!(f, " (of the kind \"{kind}\")"))
    }
}
