//! The databases that the advisor can analyse.

use std::fmt;

use mongo_odm::{Odm, Result};
use mongodb::Database;

/// The database to analyse: a connection string that contains the name of the database, the driver's `Database`, or a
/// handle of this library.
///
/// You can convert `&str`, `String`, `Database` and `&Odm` with `into()`. See [`advise`](crate::advise()).
#[derive(Clone, Debug)]
pub struct AdviceSource(Given);

#[derive(Clone)]
enum Given {
    Uri(String),
    Database(Database),
    Odm(Odm),
}

/// Writes only the database name, because a connection string may contain a password.
impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uri(_) => f.write_str("Uri(..)"),
            Self::Database(database) => f.debug_tuple("Database").field(&database.name()).finish(),
            Self::Odm(odm) => f.debug_tuple("Odm").field(&odm.database().name()).finish(),
        }
    }
}

impl AdviceSource {
    pub(super) async fn open(self) -> Result<Odm> {
        match self.0 {
            Given::Uri(uri) => Odm::connect(uri).await,
            Given::Database(database) => Ok(Odm::new(database)),
            Given::Odm(odm) => Ok(odm),
        }
    }
}

impl From<&str> for AdviceSource {
    fn from(uri: &str) -> Self {
        Self(Given::Uri(uri.to_owned()))
    }
}

impl From<String> for AdviceSource {
    fn from(uri: String) -> Self {
        Self(Given::Uri(uri))
    }
}

impl From<Database> for AdviceSource {
    fn from(database: Database) -> Self {
        Self(Given::Database(database))
    }
}

impl From<&Odm> for AdviceSource {
    fn from(odm: &Odm) -> Self {
        Self(Given::Odm(odm.clone()))
    }
}
