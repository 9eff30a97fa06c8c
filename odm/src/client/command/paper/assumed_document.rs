//! The documents that a plan assumes to exist. The shape of such a document is known, but most of its values are not.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use crate::{
    client::place::Place,
    model::shape::FieldShape,
    value::path::{each_value, join, set_each, without_positions},
};

/// The largest depth of embedded structs. Without a limit, the document of a struct that embeds itself would never end.
const DEPTH: usize = 6;

/// The largest number of documents that are assumed for a list of values.
const SHOWN: usize = 3;

/// Returns a placeholder for a value that is not known until the statement runs.
pub(crate) fn unknown(text: &str) -> Bson {
    Bson::JavaScriptCode(format!("<{text}>"))
}

/// Whether a value is a placeholder from [`unknown`].
pub(crate) fn is_unknown(value: &Bson) -> bool {
    matches!(value, Bson::JavaScriptCode(text) if text.starts_with('<'))
}

/// Returns the documents that a filter is assumed to match: one document or, if the filter contains a list, one for
/// each of the first values in the list.
pub(super) fn matching(place: &Place, filter: &Document) -> Vec<Document> {
    let fields = place.model().map_or(&[][..], |model| model.fields);
    let mut document = doc! { "_id": unknown("_id now") };
    document.extend(fields_of(fields, "", 0));
    let known = FilterFacts::new(place, filter);
    for (path, value) in known.equal {
        set_each(&mut document, &path, &value);
    }
    let Some((path, values)) = known.listed else {
        return vec![document];
    };
    let of_value = |value: &Bson| {
        let mut document = document.clone();
        set_each(&mut document, &path, value);
        document
    };
    values.iter().take(SHOWN).map(of_value).collect()
}

/// Whether a document can match a filter, as far as the document's values are known.
pub(super) fn may_match(place: &Place, document: &Document, filter: &Document) -> bool {
    let known = FilterFacts::new(place, filter);
    let mut wanted = known
        .equal
        .into_iter()
        .map(|(path, value)| (path, vec![value]));
    wanted.all(|(path, values)| holds_one(document, &path, &values))
        && known
            .listed
            .is_none_or(|(path, values)| holds_one(document, &path, &values))
}

fn holds_one(document: &Document, path: &str, values: &[Bson]) -> bool {
    let mut holds = false;
    each_value(document, path, &mut |value| {
        holds |= values.contains(value) || matches!(value, Bson::JavaScriptCode(_));
    });
    // A missing field matches null.
    holds || values.contains(&Bson::Null)
}

fn fields_of(fields: &'static [FieldShape], above: &str, depth: usize) -> Document {
    let mut document = Document::new();
    for field in fields {
        let path = join(above, field.stored);
        match field.embed {
            Some(embed) if field.flatten => {
                document.extend(fields_of(embed().fields, above, depth + 1));
            }
            Some(embed) if depth < DEPTH => {
                let inner = Bson::Document(fields_of(embed().fields, &path, depth + 1));
                let value = if field.array {
                    vec![inner].into()
                } else {
                    inner
                };
                document.insert(field.stored, value);
            }
            _ => _ = document.insert(field.stored, unknown(&format!("{path} now"))),
        }
    }
    document
}

/// The conditions of a filter that determine values in the matching documents.
#[derive(Debug, Default)]
struct FilterFacts {
    equal: Vec<(String, Bson)>,
    /// The first path for which the filter contains a list of values.
    listed: Option<(String, Vec<Bson>)>,
    /// The field that stores the kind, if the model's kind is the default. The condition on this field is a list
    /// (`{ $in: [kind, null] }`), but this list does not mean that several documents match.
    kind: Option<String>,
}

impl FilterFacts {
    fn new(place: &Place, filter: &Document) -> Self {
        let kind = place.kind().filter(|kind| kind.is_default);
        let mut known = Self {
            kind: kind.map(|kind| kind.field.to_owned()),
            ..Self::default()
        };
        known.read(filter);
        let kind = kind.map(|kind| (kind.field.to_owned(), kind.value.into()));
        known.equal.extend(kind);
        known
    }

    fn read(&mut self, filter: &Document) {
        for (path, condition) in filter {
            match (path.as_str(), condition) {
                ("$and", Bson::Array(clauses)) => {
                    let clauses = clauses.iter().filter_map(Bson::as_document);
                    clauses.for_each(|clause| self.read(clause));
                }
                (path, _) if path.starts_with('$') => {}
                (path, Bson::Document(operators)) if is_operators(operators) => {
                    self.read_operators(path, operators);
                }
                (path, value) => self.equal.push((path.to_owned(), value.clone())),
            }
        }
    }

    fn read_operators(&mut self, path: &str, operators: &Document) {
        if let Some(value) = operators.get("$eq") {
            self.equal.push((path.to_owned(), value.clone()));
        }
        if let Ok(values) = operators.get_array("$in")
            && self.kind.as_deref() != Some(path)
        {
            self.listed
                .get_or_insert_with(|| (path.to_owned(), values.clone()));
        }
    }
}

fn is_operators(condition: &Document) -> bool {
    condition
        .keys()
        .next()
        .is_some_and(|key| key.starts_with('$'))
}

/// Returns a document as it is after an update. Placeholders represent values that only the server can compute.
pub(super) fn updated(before: &Document, update: &UpdateModifications) -> Document {
    let mut after = before.clone();
    let UpdateModifications::Document(operators) = update else {
        return all_unknown(after);
    };
    for (operator, fields) in operators {
        for (path, value) in fields.as_document().into_iter().flatten() {
            let path = without_positions(path);
            let value = match operator.as_str() {
                "$set" => value.clone(),
                "$setOnInsert" => continue,
                _ => unknown(&format!("{path} after")),
            };
            set_each(&mut after, &path, &value);
        }
    }
    after
}

/// Replaces all values except the `_id` with placeholders, because only the server can compute the result of a
/// pipeline.
fn all_unknown(mut document: Document) -> Document {
    for (path, value) in document.iter_mut() {
        if path != "_id" {
            *value = unknown(&format!("{path} after"));
        }
    }
    document
}
