//! A tree of statistics about the values at each path in documents.

use mongodb::bson::{Bson, Document, spec::BinarySubtype};

use super::{
    maps::{self, FIELDS, Name},
    report::TypeSurvey,
    tally::{Numbers, Values},
};

/// Statistics about one path over all documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) present: u64,
    pub(super) documents: u64,
    /// The index of the last document that this node has counted.
    last: Option<usize>,
    pub(super) nulls: u64,
    pub(super) uuids: u64,
    pub(super) types: Vec<TypeSurvey>,
    pub(super) lengths: Numbers,
    pub(super) values: Values,
    /// The fields of embedded documents, in stored order.
    pub(super) fields: Vec<(String, Node)>,
    /// Statistics about the elements of all arrays at the path.
    pub(super) each: Option<Box<Node>>,
    /// Statistics about the values of all fields together, if the field names are values.
    pub(super) any: Option<Box<Node>>,
    /// Whether some fields were ignored because there are too many.
    pub(super) lacks_fields: bool,
}

/// The document that is being counted.
#[derive(Clone, Copy)]
pub(super) struct Origin<'d> {
    pub(super) number: usize,
    pub(super) id: &'d Bson,
}

impl Node {
    /// Adds a document to the statistics.
    pub(super) fn add_document(&mut self, document: &Document, origin: Origin<'_>) {
        self.count(origin);
        self.add_fields(document, origin);
    }

    fn count(&mut self, origin: Origin<'_>) {
        self.present += 1;
        if self.last != Some(origin.number) {
            self.last = Some(origin.number);
            self.documents += 1;
        }
    }

    fn add(&mut self, value: &Bson, origin: Origin<'_>) {
        self.count(origin);
        if *value == Bson::Null {
            self.nulls += 1;
            return;
        }
        self.uuids += u64::from(is_uuid(value));
        let name = type_name(value);
        self.count_type(name, 1, origin.id);
        match value {
            Bson::Document(inner) => self.add_fields(inner, origin),
            Bson::Array(items) => {
                self.lengths.add(items.len() as u64, origin.id);
                let each = self.each.get_or_insert_default();
                for item in items {
                    each.add(item, origin);
                }
            }
            value => self.values.add(name, value),
        }
    }

    fn count_type(&mut self, name: &'static str, count: u64, example: &Bson) {
        if let Some(known) = self.types.iter_mut().find(|known| known.name == name) {
            known.count += count;
        } else {
            self.types.push(TypeSurvey {
                name,
                count,
                example: example.clone(),
            });
        }
    }

    fn add_fields(&mut self, document: &Document, origin: Origin<'_>) {
        let mut before = None;
        for (name, value) in document {
            if let Some(any) = &mut self.any {
                any.add(value, origin);
            } else if let Some(at) = self.place_of(name, before) {
                if let Some((_, field)) = self.fields.get_mut(at) {
                    field.add(value, origin);
                }
                before = Some(at);
            }
        }
    }

    /// Returns the position of a field. A new field is inserted after the previous field of the same document.
    fn place_of(&mut self, name: &str, before: Option<usize>) -> Option<usize> {
        let next = before.map_or(0, |at| at + 1);
        // The next field is compared first, because most documents have their fields in the same order.
        let is_next = self
            .fields
            .get(next)
            .is_some_and(|(known, _)| known == name);
        let known = || self.fields.iter().position(|(known, _)| known == name);
        let at = if is_next { Some(next) } else { known() };
        if at.is_some() {
            return at;
        }
        if self.fields.len() >= FIELDS {
            self.lacks_fields = true;
            return None;
        }
        let next = next.min(self.fields.len());
        self.fields.insert(next, (name.to_owned(), Self::default()));
        Some(next)
    }

    /// Returns the number of values at this path that are embedded documents.
    pub(super) fn embedded(&self) -> u64 {
        let documents = self.types.iter().find(|it| it.name == "object");
        documents.map_or(0, |it| it.count)
    }

    /// Merges the fields of maps into `any`, in this node and in the nodes below it. The root document itself is never
    /// a map.
    pub(super) fn fold_maps(&mut self, is_root: bool) {
        if !is_root && self.is_map() {
            let mut all = self.any.take().unwrap_or_default();
            for (_, field) in std::mem::take(&mut self.fields) {
                all.merge(field);
            }
            self.any = Some(all);
        }
        let fields = self.fields.iter_mut().map(|(_, field)| field);
        let inner = self.each.as_deref_mut().into_iter();
        for node in fields.chain(inner).chain(self.any.as_deref_mut()) {
            node.fold_maps(false);
        }
    }

    fn is_map(&self) -> bool {
        let names = self.fields.iter().map(|(name, field)| Name {
            text: name,
            present: field.present,
            only_type: match field.types.as_slice() {
                [only] => Some(only.name),
                _ => None,
            },
        });
        let names: Vec<_> = names.collect();
        maps::are_values(&names, self.embedded())
    }

    fn merge(&mut self, other: Self) {
        self.present += other.present;
        // A document that contains both paths must be counted only once, but it is no longer known which documents
        // contain both. So the result is a lower bound.
        self.documents = self.documents.max(other.documents);
        self.nulls += other.nulls;
        self.uuids += other.uuids;
        for it in &other.types {
            self.count_type(it.name, it.count, &it.example);
        }
        self.lengths.merge(other.lengths);
        self.values.merge(other.values);
        self.lacks_fields |= other.lacks_fields;
        for (name, field) in other.fields {
            match self.fields.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.merge(field),
                None => self.fields.push((name, field)),
            }
        }
        for (mine, theirs) in [(&mut self.each, other.each), (&mut self.any, other.any)] {
            match (mine.as_mut(), theirs) {
                (Some(mine), Some(theirs)) => mine.merge(*theirs),
                (None, theirs) => *mine = theirs,
                (Some(_), None) => {}
            }
        }
    }
}

fn is_uuid(value: &Bson) -> bool {
    let Bson::Binary(binary) = value else {
        return false;
    };
    binary.subtype == BinarySubtype::Uuid && binary.bytes.len() == 16
}

/// Returns the name of a BSON type, as in `$type`.
fn type_name(value: &Bson) -> &'static str {
    match value {
        Bson::Double(_) => "double",
        Bson::String(_) => "string",
        Bson::Document(_) => "object",
        Bson::Array(_) => "array",
        Bson::Binary(_) => "binData",
        Bson::Undefined => "undefined",
        Bson::ObjectId(_) => "objectId",
        Bson::Boolean(_) => "bool",
        Bson::DateTime(_) => "date",
        Bson::Null => "null",
        Bson::RegularExpression(_) => "regex",
        Bson::DbPointer(_) => "dbPointer",
        Bson::JavaScriptCode(_) => "javascript",
        Bson::Symbol(_) => "symbol",
        Bson::JavaScriptCodeWithScope(_) => "javascriptWithScope",
        Bson::Int32(_) => "int",
        Bson::Timestamp(_) => "timestamp",
        Bson::Int64(_) => "long",
        Bson::Decimal128(_) => "decimal",
        Bson::MinKey => "minKey",
        Bson::MaxKey => "maxKey",
    }
}
