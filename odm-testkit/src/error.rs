//! What can go wrong, said so that the reader can act on it.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

/// Says why there is no server, no database or no data.
///
/// It is `Clone`, because tests that share a server share its failure too, and its `Debug` is its
/// `Display`, because tests unwrap it.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No way to a server worked.
    #[error("{0}")]
    NoServer(NoServer),
    /// `MONGODB_URI` is set, but no server answers there.
    #[error(
        "no server answers at MONGODB_URI={uri}: {source}; start it, or unset MONGODB_URI to get a private server"
    )]
    Unreachable {
        /// The URI without its password.
        uri: String,
        /// What the driver said.
        source: mongodb::error::Error,
    },
    /// A server answers at `MONGODB_URI`, and `ODM_MONGOD_VERSION` names another version.
    #[error(
        "the server at MONGODB_URI={uri} is version {version}, and ODM_MONGOD_VERSION names {wanted}; unset one of the two"
    )]
    OtherVersion {
        /// The URI without its password.
        uri: String,
        /// The version of the server.
        version: String,
        /// The version that was named.
        wanted: String,
    },
    /// `mongod` ended while it was starting.
    #[error("{} ended while it was starting\n{report}", binary.display())]
    Died {
        /// The program.
        binary: PathBuf,
        /// Its output and the end of its log.
        report: String,
    },
    /// Something did not happen in time.
    #[error("waited {} s for {what}, in vain", limit.as_secs())]
    Timeout {
        /// What was waited for.
        what: String,
        /// For how long.
        limit: Duration,
    },
    /// A node was named on a server that has none of ours, or not so many.
    #[error("there is no node {node} to control: {why}")]
    NoSuchNode {
        /// The number asked for.
        node: usize,
        /// Why it is not there.
        why: String,
    },
    /// The driver said no.
    #[error(transparent)]
    Driver(#[from] mongodb::error::Error),
    /// The operating system said no.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was attempted.
        what: String,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Nobody said where the data sets are.
    #[error(
        "no data sets: give their folder as `--data FOLDER` or in the environment variable ODM_DATA"
    )]
    NoData,
    /// The folder with the data sets is not one.
    #[error("no data sets: {} (from {from}) is not a folder", folder.display())]
    NotAFolder {
        /// The folder that was named.
        folder: PathBuf,
        /// Who named it.
        from: &'static str,
    },
    /// A line of a data file is not a document in extended JSON.
    #[error("{}, line {line}: {message}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// Wraps an error of the operating system; `what` completes "cannot …".
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io {
            what,
            source: Arc::new(source),
        }
    }
}

/// Every way to a server, and why it was none.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct NoServer {
    /// What was tried, in order.
    pub tried: Vec<Attempt>,
}

/// One way to a server that did not work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The way.
    pub way: String,
    /// Why it failed.
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

/// The transactions of the library need a replica set, hence `--replSet` and `rs.initiate`.
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
