//! The query plan with which the server answers a query of a test.

use mongo_odm::bson::{Bson, Document, doc};

use crate::{Harness, cluster::is_sharded};

/// Names of the fields that determine the result of a command. The other fields only determine how the result is
/// returned.
const ASKED: [&str; 11] = [
    "find",
    "filter",
    "projection",
    "sort",
    "limit",
    "skip",
    "collation",
    "aggregate",
    "pipeline",
    "cursor",
    "hint",
];

/// The plan that the server has chosen, and the work that it did.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The index scans of the plan.
    pub scans: Vec<Document>,
    /// Number of examined index keys.
    pub keys: i64,
    /// Number of examined documents.
    pub documents: i64,
}

impl Explained {
    /// Returns the only scan of an index. On a cluster, each shard chooses an index; returns the scan of one shard.
    ///
    /// # Panics
    ///
    /// If the plan has several index scans, or if the scan uses a different index.
    pub fn bounds(&self, index: &str) -> &Document {
        let is_of_index = |scan: &&Document| scan.get_str("indexName").ok() == Some(index);
        let of_shard = self.scans.iter().find(is_of_index).filter(|_| is_sharded());
        let ((Some(scan), _) | (None, [scan])) = (of_shard, self.scans.as_slice()) else {
            panic!("not one scan: {:?}", self.scans);
        };
        assert_eq!(scan.get_str("indexName").ok(), Some(index), "{scan}");
        let bounds = scan.get_document("indexBounds");
        bounds.unwrap_or_else(|error| panic!("{error}: {scan}"))
    }
}

/// Returns the server's plan for a `find` or an `aggregate`.
///
/// # Panics
///
/// If the server reads the whole collection, or if the `explain` command fails.
pub async fn explained(t: &Harness, command: Document) -> Explained {
    let asked = command.into_iter();
    let asked = asked.filter(|(name, _)| ASKED.contains(&name.as_str()));
    let explain = doc! { "explain": asked.collect::<Document>(), "verbosity": "executionStats" };
    let explained = t.odm.database().run_command(explain).await;
    let explained = explained.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        stages(&explained, "COLLSCAN").is_empty(),
        "no index: {explained}"
    );
    let stats = all(&explained, &|found| {
        found.get_document("executionStats").ok()
    });
    let sum = |name: &str| {
        let number =
            |stats: &&Document| stats.get(name).and_then(Bson::as_i32).map_or(0, i64::from);
        stats.iter().map(number).sum()
    };
    Explained {
        scans: stages(&explained, "IXSCAN"),
        keys: sum("totalKeysExamined"),
        documents: sum("totalDocsExamined"),
    }
}

/// Returns the stages with the given name in the chosen plan.
fn stages(explained: &Document, name: &str) -> Vec<Document> {
    let is = |found: &Document| found.get_str("stage").ok() == Some(name);
    let plans = all(explained, &|found| found.get_document("winningPlan").ok());
    let mut stages = Vec::new();
    for plan in plans {
        let found = all(plan, &|found| is(found).then_some(found));
        stages.extend(found.into_iter().cloned());
    }
    stages
}

/// Returns the values that `find` returns for a document and for the documents nested in it, outermost first.
fn all<'d>(
    document: &'d Document,
    find: &impl Fn(&'d Document) -> Option<&'d Document>,
) -> Vec<&'d Document> {
    let mut found: Vec<&Document> = find(document).into_iter().collect();
    for value in document.values() {
        let inside: Vec<&Document> = match value {
            Bson::Document(inside) => vec![inside],
            Bson::Array(items) => items.iter().filter_map(Bson::as_document).collect(),
            _ => Vec::new(),
        };
        found.extend(inside.into_iter().flat_map(|inside| all(inside, find)));
    }
    found
}
