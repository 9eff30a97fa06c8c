//! The server version that the user requests.

use std::env;

/// The version in `ODM_MONGOD_VERSION`, or `None` if any version is acceptable.
#[derive(Debug)]
pub(crate) struct Wanted(Option<String>);

impl Wanted {
    /// Reads the environment variable.
    pub(crate) fn from_env() -> Self {
        let named = env::var("ODM_MONGOD_VERSION").ok();
        Self(named.filter(|version| !version.is_empty()))
    }

    /// Returns the requested version, if the user has requested one.
    pub(crate) fn version(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Checks whether a version is acceptable. The error is a sentence for the user.
    pub(super) fn check(&self, version: &str) -> Result<(), String> {
        match self.version() {
            Some(wanted) if wanted != version => Err(format!(
                "it is version {version}, and ODM_MONGOD_VERSION names {wanted}"
            )),
            _ => Ok(()),
        }
    }
}
