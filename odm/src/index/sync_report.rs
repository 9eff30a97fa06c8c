//! The report that `sync_indexes` returns.

use std::fmt;

/// The name of an index and its collection: `products.catalog_number_1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct IndexName {
    /// The name of the collection.
    pub collection: String,
    /// The name of the index.
    pub name: String,
}

impl fmt::Display for IndexName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.collection, self.name)
    }
}

/// The report that [`sync_indexes`](crate::Odm::sync_indexes) returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexReport {
    /// The indexes that were created, because they were missing or because they replaced indexes
    /// that contradicted their declarations.
    pub created: Vec<IndexName>,
    /// The indexes that were dropped because the call allowed it.
    pub dropped: Vec<IndexName>,
    /// The required indexes that already existed, with the names that they have on the server.
    pub present: Vec<IndexName>,
    /// The indexes that no model declares or implies. The call left undeclared indexes unchanged.
    pub undeclared: Vec<IndexName>,
    /// The indexes that models of views declare. The server cannot create these indexes, because
    /// views cannot have indexes.
    pub on_views: Vec<IndexName>,
    /// The collections for which the call enabled pre-images.
    pub pre_images: Vec<String>,
}

impl IndexReport {
    /// Returns whether the call did not change anything.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm.sync_indexes().await?;
    /// println!("unchanged: {}", report.is_unchanged());
    /// # Ok(()) }
    /// ```
    pub const fn is_unchanged(&self) -> bool {
        self.created.is_empty() && self.dropped.is_empty() && self.pre_images.is_empty()
    }
}

/// Writes one line for each list that is not empty.
impl fmt::Display for IndexReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |names: &[IndexName]| names.iter().map(ToString::to_string).collect();
        let lists = [
            ("dropped", names(&self.dropped)),
            ("created", names(&self.created)),
            ("present", names(&self.present)),
            ("undeclared", names(&self.undeclared)),
            ("views have no indexes", names(&self.on_views)),
            ("enabled pre-images", self.pre_images.clone()),
        ];
        write_lists(f, lists, "no indexes")
    }
}

/// Writes one line with a title for each list that is not empty, or `none` if all lists are empty.
pub(crate) fn write_lists(
    f: &mut fmt::Formatter<'_>,
    lists: impl IntoIterator<Item = (&'static str, Vec<String>)>,
    none: &str,
) -> fmt::Result {
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    let lines = lists.map(|(title, names)| format!("{title}: {}", names.join(", ")));
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return f.write_str(none);
    }
    f.write_str(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_collections_and_indexes() {
        let name = |name: &str| IndexName {
            collection: "parts".into(),
            name: name.into(),
        };
        let report = IndexReport {
            created: vec![name("partno_1"), name("name_1")],
            undeclared: vec![name("qty_1")],
            ..IndexReport::default()
        };
        assert_eq!(
            report.to_string(),
            "created: parts.partno_1, parts.name_1\nundeclared: parts.qty_1"
        );
        assert_eq!(IndexReport::default().to_string(), "no indexes");
    }
}
