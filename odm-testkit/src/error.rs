//! The errors of this crate. Each message tells the user what to do.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

/// The reason why there is no server, no database or no data.
///
/// Errors are `Clone`, because all tests that share a server also share its failure. `Debug` writes
/// the same text as `Display`, because tests unwrap errors.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// All ways to get a server failed.
    #[error("{0}")]
    NoServer(NoServer),
    /// `MONGODB_URI` is set, but no server answers there.
    #[error(
        "no server answers at MONGODB_URI={uri}: {source}; start it, or unset MONGODB_URI to get a private server"
    )]
    Unreachable {
        /// The connection string without its password.
        uri: String,
        /// The error of the driver.
        source: mongodb::error::Error,
    },
    /// A server answers at `MONGODB_URI`, but `ODM_MONGOD_VERSION` requests a different version.
    #[error(
        "the server at MONGODB_URI={uri} is version {version}, and ODM_MONGOD_VERSION names {wanted}; unset one of the two"
    )]
    OtherVersion {
        /// The connection string without its password.
        uri: String,
        /// The version of the server.
        version: String,
        /// The requested version.
        wanted: String,
    },
    /// A cluster was requested, but the server at `MONGODB_URI` is not a `mongos`.
    #[error(
        "the server at MONGODB_URI={uri} is not a mongos; use the address of a mongos, or unset MONGODB_URI to get a private cluster"
    )]
    NotSharded {
        /// The connection string without its password.
        uri: String,
    },
    /// `mongod` ended while it was starting.
    #[error("{} ended while it was starting\n{report}", binary.display())]
    Died {
        /// The path of the program.
        binary: PathBuf,
        /// The output of the program, and the end of its log.
        report: String,
    },
    /// An event did not happen in time.
    #[error("waited {} s for {what}, in vain", limit.as_secs())]
    Timeout {
        /// The event that was awaited.
        what: String,
        /// The time limit.
        limit: Duration,
    },
    /// The number of a node that this server does not have. A server of the user has no numbered
    /// nodes.
    #[error("there is no node {node} to control: {why}")]
    NoSuchNode {
        /// The requested number.
        node: usize,
        /// The reason why there is no such node.
        why: String,
    },
    /// The driver returned an error.
    #[error(transparent)]
    Driver(#[from] mongodb::error::Error),
    /// The operating system returned an error.
    #[error("cannot {what}: {source}")]
    Io {
        /// The operation that failed.
        what: String,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// The folder of the data sets was not given.
    #[error(
        "no data sets: give their folder as `--data FOLDER` or in the environment variable ODM_DATA"
    )]
    NoData,
    /// The folder of the data sets is not a folder.
    #[error("no data sets: {} (from {from}) is not a folder", folder.display())]
    NotAFolder {
        /// The given folder.
        folder: PathBuf,
        /// The argument or the environment variable that contained the folder.
        from: &'static str,
    },
    /// A line of a data file is not a document in extended JSON.
    #[error("{}, line {line}: {message}", file.display())]
    Line {
        /// The path of the file.
        file: PathBuf,
        /// The number of the line, starting at 1.
        line: usize,
        /// The reason why the line is not a document.
        message: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// Wraps an error of the operating system. `what` completes the phrase "cannot …".
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io {
            what,
            source: Arc::new(source),
        }
    }
}

/// All ways to get a server that were tried, and why each of them failed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct NoServer {
    /// The failed attempts, in the order in which they were made.
    pub tried: Vec<Attempt>,
}

/// One failed attempt to get a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The way that was tried, such as a program or an environment variable.
    pub way: String,
    /// The reason why this attempt failed.
    pub why: String,
}

impl NoServer {
    pub(crate) fn tried(&mut self, way: impl Into<String>, why: impl Into<String>) {
        self.tried.push(Attempt {
            way: way.into(),
            why: why.into(),
        });
    }
}

impl fmt::Display for NoServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "no MongoDB server for the tests; tried in this order:")?;
        for (n, Attempt { way, why }) in self.tried.iter().enumerate() {
            writeln!(f, "  {}. {way}: {}", n + 1, why.replace('\n', "\n     "))?;
        }
        f.write_str(WAYS_OUT)
    }
}

/// The remedies for the user. The text mentions `--replSet` and `rs.initiate`, because the
/// library's transactions need a replica set.
const WAYS_OUT: &str = r#"any one of these helps:
  - set MONGODB_URI to a running replica set
  - install mongod 6.0 or later, in PATH or named by MONGOD
  - with Docker, one line:
    docker run -d --name mongo-odm -p 127.0.0.1:27017:27017 mongo:7 --replSet rs0 --setParameter enableTestCommands=1 && until docker exec mongo-odm mongosh --quiet --eval 'rs.initiate({_id: "rs0", members: [{_id: 0, host: "localhost:27017"}]})'; do sleep 1; done; export MONGODB_URI='mongodb://localhost:27017/?replicaSet=rs0'"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_reads_like_display_because_tests_unwrap() {
        let mut none = NoServer::default();
        none.tried("MONGODB_URI", "not set");
        let error = Error::NoServer(none);
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.to_string().contains("1. MONGODB_URI: not set"));
        assert!(error.to_string().contains("docker run"));
    }
}
