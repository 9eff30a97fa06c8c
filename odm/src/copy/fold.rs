//! How the value of a field follows from the documents behind its key.

use mongodb::bson::{Bson, Document, doc};

/// What is made of the documents that have a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fold {
    /// The field of the one with the lowest `_id`: a copy.
    Copy,
    /// How many there are.
    Count,
    /// The sum of a field; of none, the zero of its type.
    Sum { zero: Bson },
    /// The sum of a field and how many values are in it.
    Average,
    /// The smallest value of a field, null without one.
    Min,
    /// The largest value of a field, null without one.
    Max,
    /// The last of them in the order of a field, in this order.
    Recent {
        limit: u32,
        newest_first: bool,
        /// What is kept of each.
        lines: Document,
    },
}

impl Fold {
    /// Returns how a declaration names what a field is computed of.
    pub(super) fn declared(&self, path: &str) -> String {
        match self {
            Self::Copy => path.to_owned(),
            Self::Count => "count()".to_owned(),
            Self::Sum { .. } => format!("sum({path})"),
            Self::Average => format!("average({path})"),
            Self::Min => format!("min({path})"),
            Self::Max => format!("max({path})"),
            Self::Recent {
                limit,
                newest_first,
                lines,
            } => {
                let lines = lines.iter().filter(|(_, kept)| **kept != Bson::Int32(0));
                let lines: Vec<&str> = lines.map(|(path, _)| path.as_str()).collect();
                let first = if *newest_first { ", newest first" } else { "" };
                format!("recent {limit} by {path} ({}){first}", lines.join(", "))
            }
        }
    }

    /// Whether it adds up doubles, where the order matters a little.
    pub(super) fn is_rounded(&self) -> bool {
        matches!(self, Self::Average | Self::Sum { zero: Bson::Double(_) })
    }

    /// Returns the path that orders the documents; none where their order does not matter.
    pub(super) fn order<'p>(&self, reads: &'p [String]) -> Option<&'p str> {
        let is_list = matches!(self, Self::Recent { .. });
        reads.first().filter(|_| is_list).map(String::as_str)
    }

    /// Returns the accumulators that compute its parts of a group; none where it takes documents, and not values.
    pub(super) fn accumulators(&self, path: &str) -> Vec<(&'static str, Document)> {
        let value = format!("${path}");
        let is_number = doc! { "$isNumber": &value };
        let accumulator = match self {
            Self::Count => doc! { "$sum": 1_i64 },
            // A double in a sum of integers would make all of it one.
            Self::Sum {
                zero: Bson::Int64(_),
            } => {
                let is_integer = doc! { "$in": [{ "$type": &value }, ["int", "long"]] };
                doc! { "$sum": { "$cond": [is_integer, value, 0_i64] } }
            }
            Self::Sum { .. } => doc! { "$sum": value },
            Self::Average => {
                // What no double can hold counts as little as what is no number.
                let number = doc! { "input": value, "to": "double", "onError": Bson::Null };
                let number = doc! { "$cond": [is_number, { "$convert": number }, Bson::Null] };
                let one = doc! { "$cond": [{ "$isNumber": number.clone() }, 1_i64, 0_i64] };
                return vec![
                    ("sum", doc! { "$sum": number }),
                    ("count", doc! { "$sum": one }),
                ];
            }
            Self::Min => doc! { "$min": value },
            Self::Max => doc! { "$max": value },
            Self::Copy | Self::Recent { .. } => return Vec::new(),
        };
        vec![("", accumulator)]
    }

    /// Returns the stages that bring the documents of a list, the last one first.
    pub(super) fn stages(&self, path: &str) -> Vec<Document> {
        let Self::Recent { limit, lines, .. } = self else {
            return Vec::new();
        };
        // The `_id` decides among equal ones.
        vec![
            doc! { "$sort": { path: -1, "_id": -1 } },
            doc! { "$limit": i64::from(*limit) },
            doc! { "$project": fetched(lines) },
        ]
    }

    /// Returns the value for what the server has computed, which hands over each part, nothing for no documents; none if
    /// it does not fit into the type that is declared.
    pub(super) fn value(&self, computed: impl Fn(&str) -> Option<Bson>) -> Option<Bson> {
        if *self == Self::Average {
            let sum = in_type_of(&Bson::Double(0.0), computed("sum"))?;
            let count = in_type_of(&Bson::Int64(0), computed("count"))?;
            return Some(doc! { "sum": sum, "count": count }.into());
        }
        match (self, computed("")) {
            (
                Self::Recent {
                    newest_first,
                    lines,
                    ..
                },
                Some(Bson::Array(found)),
            ) => {
                let found = found.iter().filter_map(Bson::as_document);
                let mut kept: Vec<Bson> = found.map(|it| line_of(it, lines).into()).collect();
                if !newest_first {
                    kept.reverse();
                }
                Some(kept.into())
            }
            (Self::Recent { .. }, _) => Some(Bson::Array(Vec::new())),
            (Self::Count, count) => in_type_of(&Bson::Int64(0), count),
            (Self::Sum { zero }, sum) => in_type_of(zero, sum),
            (_, value) => Some(value.unwrap_or(Bson::Null)),
        }
    }
}

/// Returns a projection of documents as they are: an index that has all fields would bring a null for a missing one.
fn fetched(lines: &Document) -> Document {
    let mut lines = lines.clone();
    lines.insert("_odm", doc! { "$type": "$$ROOT" });
    lines
}

/// Returns what a list keeps of a document, its fields in the order of the line.
pub(super) fn line_of(child: &Document, lines: &Document) -> Document {
    let mut line = Document::new();
    for path in lines.keys().filter(|path| has(lines, path)) {
        let name = path.split('.').next().unwrap_or(path);
        if let Some(value) = child.get(name) {
            line.insert(name, value.clone());
        }
    }
    line
}

/// Whether lines have a field.
pub(super) fn has(lines: &Document, name: &str) -> bool {
    lines.get(name).is_some_and(|kept| *kept != Bson::Int32(0))
}

/// Returns a number in the type of the zero: the server chooses the smallest one that holds it, and of integers that no
/// integer holds, a double.
fn in_type_of(zero: &Bson, number: Option<Bson>) -> Option<Bson> {
    Some(match (zero, number) {
        (zero, None) => zero.clone(),
        (Bson::Int64(_), Some(Bson::Int32(number))) => Bson::Int64(number.into()),
        (Bson::Int64(_), Some(Bson::Double(_))) => return None,
        (Bson::Double(_), Some(Bson::Int32(number))) => Bson::Double(number.into()),
        (Bson::Decimal128(_), Some(Bson::Int32(0))) => zero.clone(),
        (_, Some(number)) => number,
    })
}
