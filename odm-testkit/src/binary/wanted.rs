//! The version of the server that the user wants.

use std::env;

/// What `ODM_MONGOD_VERSION` names; nothing if every version will do.
#[derive(Debug)]
pub(crate) struct Wanted(Option<String>);

impl Wanted {
    /// Reads the environment.
    pub(crate) fn from_env() -> Self {
        let named = env::var("ODM_MONGOD_VERSION").ok();
        Self(named.filter(|version| !version.is_empty()))
    }

    /// Returns the version, if there is one that is wanted.
    pub(crate) fn version(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Tells whether a version will do; the error is a sentence for the user.
    pub(super) fn check(&self, version: &str) -> Result<(), String> {
        match self.version() {
            Some(wanted) if wanted != version => Err(format!(
                "it is version {version}, and ODM_MONGOD_VERSION names {wanted}"
            )),
            _ => Ok(()),
        }
    }
}
