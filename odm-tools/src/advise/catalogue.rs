//! Lists all checks of the advisor, with their codes, rules and required data.

use super::{
    checks::{
        arrays, asked, by_hand, collections, copies, deployment, documents, entries, found::Found,
        ignored_case, indexes, patterns, profile, references, shapes, shard_keys, sharding, usage,
        wanted_indexes,
    },
    finding::Finding,
    need::{Need, Unread},
    rule::RuleOfThumb,
    seen::{SeenCollection, SeenDatabase},
    thresholds::Thresholds,
};

/// A check of the advisor.
pub(super) struct CheckOf {
    pub(super) code: &'static str,
    name: &'static str,
    rule: RuleOfThumb,
    title: &'static str,
    pub(super) needs: &'static [Need],
    look: Look,
}

/// The input of a check: one collection or the whole database.
enum Look {
    Collection(fn(&SeenCollection, &Thresholds) -> Vec<Found>),
    Database(fn(&SeenDatabase, &Thresholds) -> Vec<Found>),
}

/// The table of checks. Each line contains the code, the name, the rule, the required data, the function and the title
/// of a check.
macro_rules! checks {
    ($($code:ident $name:literal $rule:ident [$($need:ident)*] $look:ident($check:path) $title:literal;)*) => {
        &[$(CheckOf {
            code: stringify!($code),
            name: concat!("odm.advise.", $name),
            rule: RuleOfThumb::$rule,
            title: $title,
            needs: &[$(Need::$need),*],
            look: Look::$look($check),
        }),*]
    };
}

/// All checks of the advisor.
pub(super) const CHECKS: &[CheckOf] = checks! {
    A1 "array_near_bound" Bounded [Models Sample] Collection(arrays::near_bound) "an array is near its bound";
    A2 "array_without_bound" Bounded [Sample] Collection(arrays::without_bound) "a long array has no bound";
    A3 "array_very_long" Bounded [Sample] Collection(arrays::very_long) "a very long array";
    A4 "array_without_end" Bounded [Sample] Collection(arrays::without_end) "an array grows without limit";
    A5 "index_entries" Bounded [Sample Indexes] Collection(entries::index_entries) "one document has very many entries in an index";
    A6 "array_outlier" Bounded [Sample] Collection(arrays::outlier) "few arrays are many times as long as the others";
    D1 "mostly_unread" AccessPatterns [Models Sample Counters] Collection(asked::mostly_unread) "large documents, \
    of which queries read little";
    D2 "large_document" Bounded [Sample Largest] Collection(documents::large) "a large document";
    D3 "huge_document" Bounded [Sample Largest] Collection(documents::huge) "a document is near the limit of the server";
    D4 "unread_fields" AccessPatterns [Models Counters] Collection(asked::unread_fields) "fields that no query reads";
    R1 "embed_instead" Embed [Models Size Counters] Collection(patterns::embed_instead) "documents that are read \
    only with their owner";
    R2 "on_its_own" OnItsOwn [Models Counters] Collection(asked::on_its_own) "embedded elements are queried on \
    their own";
    R3 "copy_pays" ReadsAndWrites [Models Counters] Database(patterns::copy_pays) "a copy would save joins";
    R4 "copy_costs" ReadsAndWrites [Models Counters] Database(copies::costs_more) "a copy costs more than it saves";
    R5 "dangling_reference" Joins [Sample Targets] Collection(references::dangling) "dangling references";
    R6 "one_sided" Joins [Models Sample Targets] Collection(references::one_sided) "a two-way reference has only \
    one side";
    R7 "two_way_array" Bounded [Models Sample] Collection(arrays::two_way_array) "a long array of references that \
    the other side also stores";
    R8 "loaded_one_by_one" Joins [Models Counters] Database(usage::one_by_one) "a relation is loaded one document at a time";
    R9 "lookup_by_hand" Joins [Models Counters] Database(usage::by_hand) "a `$lookup` over a declared relation";
    R10 "never_read_back" AccessPatterns [Models Counters] Database(usage::never_read_back) "an array of a two-way \
    reference that is never read";
    R11 "copied_by_hand" ReadsAndWrites [Sample Targets] Collection(by_hand::copied) "an undeclared copy";
    I1 "index_missing" Joins [Indexes] Collection(wanted_indexes::missing) "an index is missing";
    I2 "index_unused" Joins [Indexes IndexUse] Collection(indexes::unused) "an index is not used";
    I3 "index_prefix" Joins [Indexes] Collection(indexes::prefix) "an index is the beginning of another";
    I4 "many_indexes" Joins [Indexes] Collection(indexes::many) "a collection has many indexes";
    I5 "copy_in_index" ReadsAndWrites [Models Indexes] Collection(indexes::copied) "a copy is in an index";
    I6 "index_collation" Joins [Models Sample Indexes] Collection(wanted_indexes::collation) "an index has another \
    collation than the statements";
    I7 "collection_scan" Joins [Profile] Collection(profile::scanned) "statements read the whole collection";
    I8 "regex_without_case" Joins [Profile] Collection(ignored_case::without_case) "a regular expression ignores case";
    K1 "many_collections" Embed [] Database(collections::many) "a database has many collections";
    K2 "numbered_collections" AccessPatterns [] Database(collections::numbered) "one collection for each day or tenant";
    K3 "kinds_apart" AccessPatterns [Models Profile] Collection(profile::kinds_apart) "kinds of one collection are never read together";
    K4 "many_in_deployment" Embed [Deployment] Database(deployment::many) "a server has many collections";
    C1 "late_job" ReadsAndWrites [Models Jobs] Database(copies::late_job) "a job is late";
    C2 "undeclared_relation" ReadsAndWrites [Models Jobs] Database(copies::undeclared) "jobs of a relation that no program declares";
    C3 "undecodable" AccessPatterns [Models Sample] Collection(documents::undecodable) "documents do not decode as \
    their model";
    C4 "bypassed" ReadsAndWrites [Models Sample Targets Jobs] Collection(copies::bypassed) "copies differ from their source";
    S1 "broadcasts" AccessPatterns [Models Counters] Collection(sharding::broadcasts) "statements are sent to all shards";
    S2 "growing_shard_key" AccessPatterns [Sample Sharding] Collection(shard_keys::growing) "a shard key that only grows";
    S3 "jumbo_chunks" AccessPatterns [Sharding] Collection(sharding::jumbo) "chunks that are too large to be moved";
    S4 "shard_key_missing" AccessPatterns [Models Sharding] Collection(shard_keys::missing) "the shard key of a model is not that of its collection";
    S5 "large_unsharded" AccessPatterns [Size Sharding] Collection(sharding::large) "a collection is large enough for sharding";
    P1 "names_are_values" AccessPatterns [Sample] Collection(shapes::attributes) "names of fields are values";
    P2 "count_pays" AccessPatterns [Models Counters] Database(shapes::computed) "a relation that is counted again \
    and again";
};

/// The checks whose findings mention the number of documents in the collection.
const BY_COUNT: [&str; 8] = ["I1", "I2", "I3", "I4", "I5", "I6", "R5", "R11"];

impl CheckOf {
    /// Returns the first data that this check requires but that could not be read, with the reason.
    fn lacks<'u>(&self, unread: &[&'u Unread]) -> Option<(Need, &'u str)> {
        // All checks need the list of collections, so they are skipped if it could not be read.
        let mut needs = [Need::Collections].iter().chain(self.needs);
        needs.find_map(|need| {
            let why = unread.iter().find_map(|unread| unread.get(need));
            Some((*need, why?.as_str()))
        })
    }

    fn finding(&self, found: Found) -> Finding {
        Finding {
            code: self.code,
            name: self.name,
            rule: self.rule,
            severity: found.severity,
            title: self.title,
            model: found.subject.model.map(|model| model.name),
            collection: found.subject.collection,
            field: found.subject.field,
            evidence: found.evidence,
            figures: found.figures,
            example: found.example,
            cost_now: found.cost_now,
            change: found.change,
            cost_after: found.cost_after,
            check: found.check,
        }
    }
}

/// The findings and skipped checks for one collection or for the database.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) findings: Vec<Finding>,
    /// The missing data, the reason and the code of each skipped check.
    pub(super) left_out: Vec<(Need, String, &'static str)>,
}

impl Outcome {
    /// Runs the checks for a collection.
    pub(super) fn of_collection(seen: &SeenCollection, t: &Thresholds) -> Self {
        let mut outcome = Self::default();
        for check in CHECKS {
            if let Look::Collection(look) = &check.look {
                let unread = [&seen.database.unread, &seen.unread];
                outcome.make(check, &unread, || look(seen, t));
            }
        }
        outcome.without_counts(seen);
        outcome.while_jobs_wait(seen);
        let too_young = indexes::too_young(seen, t);
        let too_young = too_young.map(|why| (Need::IndexUse, why, "I2"));
        outcome.left_out.extend(too_young);
        outcome
    }

    /// Records that the collection's number of documents is unknown. The checks still run, but use the number of
    /// sampled documents instead.
    fn without_counts(&mut self, seen: &SeenCollection) {
        if let Some(why) = seen.unread.get(&Need::Size) {
            let of_counts = BY_COUNT.iter();
            self.left_out
                .extend(of_counts.map(|code| (Need::Size, why.clone(), *code)));
        }
    }

    /// Records that check C4 skipped stale copies because pending jobs may still update them. Check C4 still reports
    /// other stale copies.
    fn while_jobs_wait(&mut self, seen: &SeenCollection) {
        if seen.has_jobs {
            let why = "pending jobs may correct the copies that differ";
            self.left_out.push((Need::Jobs, why.to_owned(), "C4"));
        }
    }

    /// Runs the checks for the database as a whole.
    pub(super) fn of_database(seen: &SeenDatabase, t: &Thresholds) -> Self {
        let mut outcome = Self::default();
        for check in CHECKS {
            let unread = &[&seen.unread];
            match &check.look {
                Look::Database(look) => outcome.make(check, unread, || look(seen, t)),
                // If the list of collections could not be read, these checks do not run for any collection. So these
                // checks are recorded as skipped here.
                Look::Collection(_) if seen.unread.contains_key(&Need::Collections) => {
                    outcome.make(check, unread, Vec::new);
                }
                Look::Collection(_) => {
                    let absent = seen.absent.iter();
                    let absent = absent.map(|why| (Need::Collections, why.clone(), check.code));
                    outcome.left_out.extend(absent);
                }
            }
        }
        outcome
    }

    /// Runs the checks of shard keys for a collection.
    #[cfg(feature = "cli")]
    pub(super) fn of_shard_keys(seen: &SeenCollection, t: &Thresholds) -> Self {
        let mut outcome = Self::default();
        for check in CHECKS.iter().filter(|it| it.code.starts_with('S')) {
            if let Look::Collection(look) = &check.look {
                let unread = [&seen.database.unread, &seen.unread];
                outcome.make(check, &unread, || look(seen, t));
            }
        }
        outcome
    }

    fn make(&mut self, check: &CheckOf, unread: &[&Unread], look: impl FnOnce() -> Vec<Found>) {
        if let Some((need, why)) = check.lacks(unread) {
            self.left_out.push((need, why.to_owned(), check.code));
            return;
        }
        let found = look().into_iter().map(|found| check.finding(found));
        self.findings.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_and_names_are_told_apart() {
        let codes: BTreeSet<_> = CHECKS.iter().map(|check| check.code).collect();
        let names: BTreeSet<_> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!((codes.len(), names.len()), (CHECKS.len(), CHECKS.len()));
    }

    #[test]
    fn every_rule_of_thumb_has_a_check() {
        let rules: BTreeSet<_> = CHECKS.iter().map(|check| check.rule.number()).collect();
        assert_eq!(rules, (1..=6).collect());
    }
}
