//! Rule 5: undeclared copies, which become stale because the library does not update them.

use mongo_odm::shape::ModelShape;

use super::found::{Found, figures};
use crate::{
    advise::{
        rule::Severity,
        seen::{SeenByHand, SeenCollection, SeenDatabase},
        subject::Subject,
        thresholds::Thresholds,
        words::{count, share},
    },
    survey::singular,
};

/// Reports fields next to a reference that have the same values as a field of the target documents, although no program
/// declares a copy (check R11).
pub(in crate::advise) fn copied(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.is_small(t.few_documents) {
        return Vec::new();
    }
    let all = seen.by_hand.iter();
    all.map(|it| copied_by_hand(seen, it)).collect()
}

fn copied_by_hand(seen: &SeenCollection, it: &SeenByHand) -> Found {
    let subject = seen.at(&it.path);
    let differ = it.pairs - it.equal;
    let (title, from, target) = (subject.title(), &it.from, &it.target);
    let source = source(&seen.database, it);
    let reference = seen.at(&it.keys_path).title();
    let old = match differ {
        0 => String::new(),
        _ => format!("; {} differ already", count(differ)),
    };
    Found {
        severity: if differ > 0 {
            Severity::Warning
        } else {
            Severity::Note
        },
        figures: figures([
            ("pairs", it.pairs),
            ("equal", it.equal),
            ("keys", it.keys),
            ("values", it.values),
        ]),
        example: Some(it.example.clone()),
        evidence: format!(
            "{} of {} values in `{title}` ({}) equal `{from}` of the document of `{target}` that `{}` refers to, \
            with {} different keys and {} different values{old} ({})",
            count(it.equal),
            count(it.pairs),
            share(it.equal, it.pairs),
            it.keys_path,
            count(it.keys),
            count(it.values),
            seen.sample()
        ),
        cost_now: format!(
            "a change of `{from}` in `{target}` does not change its copies in `{title}`, unless each program that \
            changes it also writes `{}`",
            seen.name
        ),
        change: change(&subject, &source, &reference),
        cost_after: format!(
            "a change of `{source}` writes the documents of `{}` with its key, with the index on `{}`; a snapshot \
            costs one read when it is written",
            seen.name, it.keys_path
        ),
        check: format!("`odm.verify().await?`, then: no `{title}` differs from `{source}`"),
        subject,
    }
}

fn change(subject: &Subject, source: &str, reference: &str) -> String {
    let place = match subject.model {
        Some(_) => format!("`{}`", subject.title()),
        None => format!(
            "`{}` of the model of `{}`",
            subject.path(),
            subject.collection
        ),
    };
    format!(
        "`#[denorm(from = \"{source}\")]` at {place}, beside the reference `{reference}`; add `, snapshot` if it \
        should keep its first value"
    )
}

/// Returns the name of the source field. The name begins with the model (`Country.iso2`) or, without a model, with the
/// collection (`countries.iso2`).
fn source(database: &SeenDatabase, it: &SeenByHand) -> String {
    let mut models = database
        .models
        .iter()
        .filter(|model| model.collection == it.target);
    match models.find_map(|model| Some((model, field_of(model, &it.from)?))) {
        Some((model, field)) => format!("{}.{field}", model.name),
        None => format!("{}.{}", model_of(&it.target), it.from),
    }
}

/// Proposes a name for the missing model of a collection: `ShopCountry` for `shop_countries`.
pub(super) fn model_of(collection: &str) -> String {
    let words = collection.split(|letter: char| !letter.is_alphanumeric());
    let mut words: Vec<_> = words.map(str::to_owned).collect();
    if let Some(last) = words.last_mut() {
        *last = singular(last);
    }
    let capitals = words.iter().flat_map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<Vec<_>>()
    });
    capitals.collect()
}

fn field_of(model: &ModelShape, stored: &str) -> Option<&'static str> {
    let mut fields = model.fields.iter();
    fields.find_map(|field| (field.stored == stored).then_some(field.name))
}
