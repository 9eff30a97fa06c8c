//! Documents in memory, and functions that visit their values.

use std::collections::BTreeMap;

use mongo_odm::bson::{Bson, Document};

use crate::declaration::{About, CODE, Field, Form, Model, Reference, What};

/// All documents of a declaration, by the number of the model and the id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World(pub BTreeMap<(usize, i64), Document>);

impl World {
    /// Returns the documents of a model, by id.
    pub fn of(&self, model: usize) -> impl Iterator<Item = (i64, &Document)> {
        let all = self.0.range((model, i64::MIN)..=(model, i64::MAX));
        all.map(|((_, id), document)| (*id, document))
    }

    /// Returns a document.
    pub fn get(&self, model: usize, id: i64) -> Option<&Document> {
        self.0.get(&(model, id))
    }
}

/// Returns the id that a key refers to; the key may be a code. Returns `None` if the key is null or missing.
pub const fn key(value: Option<&Bson>) -> Option<i64> {
    match value {
        Some(Bson::Int64(code)) if *code >= CODE => Some(*code - CODE),
        Some(Bson::Int64(key)) => Some(*key),
        _ => None,
    }
}

/// Returns the ids in the links of a document.
pub fn targets(field: &Field, document: &Document) -> Vec<i64> {
    let links = document
        .get_array(&field.stored)
        .map(Vec::as_slice)
        .unwrap_or_default();
    links
        .iter()
        .filter_map(|link| key(link.as_document()?.get("target")))
        .collect()
}

/// Returns the keys in a field of a document, in their stored order.
pub fn keys(field: &Field, document: &Document) -> Vec<i64> {
    let value = document.get(&field.stored);
    match (&field.what, value) {
        (What::Key(_), value) => key(value).into_iter().collect(),
        (What::Keys(_) | What::Follows(..), Some(Bson::Array(all))) => {
            all.iter().filter_map(|it| key(Some(it))).collect()
        }
        _ => inside(field, document, keys),
    }
}

/// Applies a function to the fields of the structs embedded in a field, and lists its results.
fn inside<T>(field: &Field, document: &Document, find: fn(&Field, &Document) -> Vec<T>) -> Vec<T> {
    let What::Embed(embed) = &field.what else {
        return Vec::new();
    };
    let structs: Vec<&Document> = match document.get(&field.stored) {
        _ if embed.form == Form::Flat => vec![document],
        Some(Bson::Document(one)) => vec![one],
        Some(Bson::Array(all)) => all.iter().filter_map(Bson::as_document).collect(),
        _ => Vec::new(),
    };
    let fields = |one| embed.fields.iter().flat_map(move |it| find(it, one));
    structs.into_iter().flat_map(fields).collect()
}

/// Lists the targets of the references to several models that a field is or contains: a model and a key each.
pub fn subjects(field: &Field, document: &Document) -> Vec<(usize, i64)> {
    match (&field.what, document.get(&field.stored)) {
        (What::About(about), Some(Bson::Array(all))) => {
            all.iter().filter_map(|it| subject(about, it)).collect()
        }
        (What::About(about), Some(one)) => subject(about, one).into_iter().collect(),
        _ => inside(field, document, subjects),
    }
}

fn subject(about: &About, value: &Bson) -> Option<(usize, i64)> {
    let value = value.as_document()?;
    let kind = value.get_str("kind").ok()?;
    let target = about
        .targets
        .iter()
        .find(|it| About::variant(it.to) == kind)?;
    Some((target.to, key(value.get("id"))?))
}

/// Lists the fields of a model that are or contain a reference, each with this reference.
pub fn references(model: &Model) -> impl Iterator<Item = (&Field, &Reference)> {
    model
        .fields
        .iter()
        .filter_map(|field| Some((field, held(field)?)))
}

/// Returns the reference that a field is or contains.
pub fn held(field: &Field) -> Option<&Reference> {
    match &field.what {
        What::Embed(embed) => embed.fields.iter().find_map(held),
        _ => field.reference(),
    }
}

/// Calls a function for the document and for each struct in it.
pub fn each_struct<F>(fields: &[Field], document: &mut Document, change: &mut F)
where
    F: FnMut(&[Field], &mut Document),
{
    change(fields, document);
    for field in fields {
        let What::Embed(embed) = &field.what else {
            continue;
        };
        if embed.form == Form::Flat {
            each_struct(&embed.fields, document, change);
            continue;
        }
        match document.get_mut(&field.stored) {
            Some(Bson::Document(one)) => each_struct(&embed.fields, one, change),
            Some(Bson::Array(all)) => {
                for one in all.iter_mut().filter_map(Bson::as_document_mut) {
                    each_struct(&embed.fields, one, change);
                }
            }
            _ => {}
        }
    }
}
