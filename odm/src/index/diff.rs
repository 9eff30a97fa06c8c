//! Compares the indexes that the models require with those on the server.

use std::fmt;

use serde::Serialize;

use super::{
    desired::{Desired, DesiredIndex},
    equivalence,
    pre_images::enabling_statement,
    server::OnServer,
    spec::{IndexOrigin, IndexSpec},
};
use crate::{client::command::Command, error::Result};

/// The difference between the indexes that the models require and those on the server. `odm.index_diff()` returns it.
///
/// `Display` writes one mongosh statement per index. If [`sync_indexes`](crate::Odm::sync_indexes) sends a statement
/// only when an option allows it, the statement is written as a comment. `sync_indexes` creates all missing indexes of
/// a collection with one `createIndexes`.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let diff = odm.index_diff().await?;
/// if !diff.is_in_sync() {
///     println!("{diff}");
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IndexDiff {
    /// The indexes that `sync_indexes` would create.
    pub missing: Vec<IndexSpec>,
    /// The required indexes that already exist, with the names that they have on the server.
    pub present: Vec<IndexSpec>,
    /// The indexes on the server that no model declares or implies. The index on `_id` is not listed.
    pub undeclared: Vec<IndexSpec>,
    /// The required indexes that the server would reject because of an existing index.
    pub conflicts: Vec<IndexConflict>,
    /// The indexes that models of views declare. The server cannot create these indexes, because views cannot have
    /// indexes. Implied indexes of such models are not listed.
    pub on_views: Vec<IndexSpec>,
    /// The collections that lack the pre-images that a model declares. `sync_indexes` enables these pre-images.
    pub pre_images: Vec<String>,
}

/// A required index that the server would reject because of an existing index.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IndexConflict {
    /// The index that a model declares or implies.
    pub wanted: IndexSpec,
    /// The index that the server has.
    pub existing: IndexSpec,
    /// The properties that differ: `keys`, `name`, or options under the names that `createIndexes` uses.
    pub differs: Vec<&'static str>,
}

impl IndexDiff {
    /// Returns whether the server has all declared and implied indexes, and keeps all declared pre-images. The server
    /// may have further indexes.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.sync_indexes().diff().await?;
    /// assert!(diff.is_in_sync(), "{diff}");
    /// # Ok(()) }
    /// ```
    pub const fn is_in_sync(&self) -> bool {
        self.missing.is_empty()
            && self.conflicts.is_empty()
            && self.on_views.is_empty()
            && self.pre_images.is_empty()
    }

    /// Compares the indexes of one collection with the required ones.
    pub(crate) fn of_collection(wanted: Desired, server: &OnServer) -> Result<Self> {
        let default = server.collation.as_ref();
        let wanted = wanted.indexes(default)?;
        if server.is_view {
            let specs = wanted.into_iter().map(|wanted| wanted.spec);
            return Ok(Self {
                on_views: specs.filter(|spec| !spec.is_implied()).collect(),
                ..Self::default()
            });
        }
        let mut matching = Matching {
            server,
            taken: vec![false; server.indexes.len()],
        };
        let mut diff = Self::default();
        let rest: Vec<_> = wanted
            .into_iter()
            .filter(|wanted| match matching.take(wanted) {
                Some(found) => {
                    let origin = wanted.spec.origin.clone();
                    diff.present.push(IndexSpec {
                        origin,
                        ..found.clone()
                    });
                    false
                }
                None => true,
            })
            .collect();
        let mut contradicts = vec![false; server.indexes.len()];
        for DesiredIndex { spec, .. } in rest {
            let conflicts = matching.conflicts(&spec);
            if conflicts.is_empty() {
                diff.missing.push(spec);
                continue;
            }
            for (at, conflict) in conflicts {
                if let Some(found) = contradicts.get_mut(at) {
                    *found = true;
                }
                diff.conflicts.push(conflict);
            }
        }
        let seen = matching.taken.into_iter().zip(contradicts);
        let undeclared = server
            .indexes
            .iter()
            .zip(seen)
            .filter(|(_, seen)| *seen == (false, false));
        diff.undeclared = undeclared.map(|(index, _)| index.clone()).collect();
        Ok(diff)
    }

    /// Lists the index of a shard key among the required indexes, even if no model declares the key. A cluster does not
    /// permit dropping this index.
    pub(crate) fn keep_shard_keys(&mut self, is_shard_key: impl Fn(&IndexSpec) -> bool) {
        let kept = self.undeclared.extract_if(.., |index| is_shard_key(index));
        self.present.extend(kept.map(|index| IndexSpec {
            origin: IndexOrigin::Implied("the shard key on the server".to_owned()),
            ..index
        }));
    }

    /// Adds the difference for another collection.
    pub(crate) fn append(&mut self, other: Self) {
        self.missing.extend(other.missing);
        self.present.extend(other.present);
        self.undeclared.extend(other.undeclared);
        self.conflicts.extend(other.conflicts);
        self.on_views.extend(other.on_views);
        self.pre_images.extend(other.pre_images);
    }
}

/// Assigns each required index to at most one index on the server.
struct Matching<'a> {
    server: &'a OnServer,
    taken: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Finds an index on the server that is equivalent to a required index. Prefers an index that has the same name.
    fn take(&mut self, wanted: &DesiredIndex) -> Option<&'a IndexSpec> {
        let default = self.server.collation.as_ref();
        let same = self.free().filter(|(_, index)| {
            (index.name == wanted.spec.name || !wanted.named)
                && equivalence::same_keys(&wanted.spec, index)
                && equivalence::differences(&wanted.spec, index, default).is_empty()
        });
        let (at, found) = same.min_by_key(|(_, index)| index.name != wanted.spec.name)?;
        *self.taken.get_mut(at)? = true;
        Some(found)
    }

    /// Lists the existing indexes that conflict with a required index. An existing index conflicts if it makes the
    /// server reject the required index, or if it is an older version of the required index.
    fn conflicts(&self, wanted: &IndexSpec) -> Vec<(usize, IndexConflict)> {
        let conflict = |(at, existing): (usize, &IndexSpec)| {
            let differs = self.contradiction(wanted, at, existing)?;
            Some((
                at,
                IndexConflict {
                    wanted: wanted.clone(),
                    existing: existing.clone(),
                    differs,
                },
            ))
        };
        self.server
            .indexes
            .iter()
            .enumerate()
            .filter_map(conflict)
            .collect()
    }

    fn contradiction(
        &self,
        wanted: &IndexSpec,
        at: usize,
        existing: &IndexSpec,
    ) -> Option<Vec<&'static str>> {
        let is_free = self.taken.get(at) == Some(&false);
        let same_name = wanted.name == existing.name;
        let same_keys = equivalence::same_keys(wanted, existing);
        // The name of an implied index does not matter. So if an existing index has the same keys but different
        // options, the implied index counts as missing, not as a conflict. An index of another kind can belong to a
        // model that only other programs contain.
        let is_older_form = same_keys
            && is_free
            && !wanted.is_implied()
            && !equivalence::are_disjoint(wanted, existing);
        let second_text = wanted.is_text() && existing.is_text();
        if !(same_name || is_older_form || second_text) {
            return None;
        }
        let mut differs =
            equivalence::differences(wanted, existing, self.server.collation.as_ref());
        if !same_keys {
            differs.insert(0, "keys");
        }
        if !same_name {
            differs.insert(0, "name");
        }
        Some(differs)
    }

    fn free(&self) -> impl Iterator<Item = (usize, &'a IndexSpec)> {
        let taken = self.taken.iter();
        let free = self.server.indexes.iter().zip(taken).enumerate();
        free.filter(|(_, (_, taken))| !**taken)
            .map(|(at, (index, _))| (at, index))
    }
}

impl fmt::Display for IndexDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in &self.missing {
            writeln!(f, "{index}  // {}", index.origin)?;
        }
        for collection in &self.pre_images {
            writeln!(f, "{}", enabling_statement(collection))?;
        }
        for conflict in &self.conflicts {
            writeln!(f, "{conflict}")?;
        }
        for index in &self.on_views {
            writeln!(f, "// {}", index.why_not_of_a_view())?;
        }
        if !self.undeclared.is_empty() {
            f.write_str("// undeclared, kept without `.drop_undeclared()`:\n")?;
        }
        for index in &self.undeclared {
            writeln!(f, "// {}", index.drop().statement())?;
        }
        write!(f, "// as declared: {}", self.present.len())
    }
}

/// Writes the difference, and the statements that resolve it, as comments.
impl fmt::Display for IndexConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wanted,
            existing,
            differs,
        } = self;
        writeln!(
            f,
            "// {} ({}) contradicts {} on the server in: {}",
            wanted.full_name(),
            wanted.origin,
            existing.name,
            differs.join(", ")
        )?;
        writeln!(f, "//   on the server: {existing}")?;
        writeln!(f, "// {}", existing.drop().statement())?;
        write!(f, "// {wanted}")
    }
}
