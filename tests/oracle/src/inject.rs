//! Writes errors to the database without using the library, to check that the oracle finds them.

use mongo_odm::bson::{Bson, Document, doc};

use crate::{
    declaration::{By, Declaration, Field, Form, Missing, Rule, Scalar, What},
    derive::source_key,
    run::Bench,
    world::{World, key, references},
};

/// A write without the library: a collection, the id of a document, and the update; without an update, the document is
/// deleted.
type Injected = (String, Bson, Option<Document>);
/// Finds a place where an error can be injected.
type Find = fn(&Declaration, &World) -> Option<Injected>;

/// The effect of `verify().repair()` on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// The stored data are as before the error.
    Whole,
    /// The error is not in derived data, the correct value is unknown, or reading fails before the repair.
    No,
}

/// The errors, with their names.
pub const ERRORS: [(&str, Repair, Find); 22] = [
    ("a wrong copy", Repair::Whole, |all, world| {
        change(all, world, |field, _| {
            copy(field).then(|| wrong(all, field))
        })
    }),
    ("a copy of another type", Repair::No, |all, world| {
        change(all, world, |field, value| match value {
            Bson::Int64(value) if copy(field) => Some(Bson::String(value.to_string())),
            _ => None,
        })
    }),
    ("a missing copy", Repair::No, |all, world| {
        unset(all, world, |field| {
            copy(field) && field.missing == Missing::Never
        })
    }),
    ("a wrong copy in an array", Repair::Whole, |all, world| {
        change(all, world, |field, value| {
            in_element(all, field, value, copy)
        })
    }),
    ("a wrong value in an array", Repair::No, |all, world| {
        change(all, world, |field, value| {
            in_element(all, field, value, own)
        })
    }),
    (
        "a count that is one too large",
        Repair::Whole,
        |all, world| fold(all, world, By::Count, 1),
    ),
    ("a count below zero", Repair::No, |all, world| {
        fold(all, world, By::Count, -100)
    }),
    ("a wrong sum", Repair::Whole, |all, world| {
        fold(all, world, By::Sum, 1)
    }),
    ("a wrong average", Repair::Whole, |all, world| {
        change(all, world, |field, value| {
            let Bson::Document(mean) = value else {
                return None;
            };
            is_fold(field, By::Average)
                .then(|| doc! { "sum": 1_000.0, "count": mean.get("count").cloned() }.into())
        })
    }),
    ("a wrong extreme", Repair::Whole, |all, world| {
        change(all, world, |field, _| {
            (is_fold(field, By::Min) || is_fold(field, By::Max)).then(|| wrong(all, field))
        })
    }),
    ("an extra recent element", Repair::Whole, |all, world| {
        array(all, world, recent, |array| array.push(array[0].clone()))
    }),
    ("a missing recent element", Repair::Whole, |all, world| {
        array(all, world, recent, |array| drop(array.remove(0)))
    }),
    (
        "an extra id in an array that follows",
        Repair::Whole,
        |all, world| array(all, world, follows, |array| array.push(99_i64.into())),
    ),
    (
        "a missing id in an array that follows",
        Repair::Whole,
        |all, world| array(all, world, follows, |array| drop(array.pop())),
    ),
    ("a link with one side", Repair::Whole, |all, world| {
        array(all, world, linked, |array| drop(array.pop()))
    }),
    ("an array over its bound", Repair::No, |all, world| {
        array(all, world, bounded, |array| {
            let first = array[0].clone();
            array.extend((0..5).map(|_| first.clone()));
        })
    }),
    ("a wrong value", Repair::No, |all, world| {
        change(all, world, |field, _| own(field).then(|| wrong(all, field)))
    }),
    ("a field of nobody", Repair::No, |all, world| {
        let ((model, id), _) = world.0.iter().next()?;
        Some((
            all.model(*model).collection.clone(),
            (*id).into(),
            Some(doc! { "$set": { "nobody": 1 } }),
        ))
    }),
    ("a document that is lost", Repair::No, |all, world| {
        let ((model, id), _) = world.0.iter().next()?;
        Some((all.model(*model).collection.clone(), (*id).into(), None))
    }),
    (
        "a dangling key that a rule should have removed",
        Repair::No,
        dangling,
    ),
    ("a job that nobody runs", Repair::No, |_, _| {
        Some((
            "_odm_jobs".to_owned(),
            "lost".into(),
            Some(doc! { "$set": { "key": 1 } }),
        ))
    }),
    ("a delta that nobody folds", Repair::No, |_, _| {
        Some((
            "_odm_deltas".to_owned(),
            "lost".into(),
            Some(doc! { "$set": { "key": 1 } }),
        ))
    }),
];

/// Injects an error, and returns whether there was a place for it.
pub async fn inject(bench: &Bench, find: Find) -> bool {
    let stored = bench.stored().await;
    let Some((collection, id, update)) = find(&bench.declaration, &stored) else {
        return false;
    };
    let (collection, filter) = (bench.collection(&collection), doc! { "_id": id });
    let done = match update {
        Some(update) => collection
            .update_one(filter, update)
            .upsert(true)
            .await
            .map(drop),
        None => collection.delete_one(filter).await.map(drop),
    };
    done.unwrap_or_else(|error| panic!("{error}"));
    true
}

/// Sets the first field for which the function returns a value.
fn change<F>(all: &Declaration, world: &World, value: F) -> Option<Injected>
where
    F: Fn(&Field, &Bson) -> Option<Bson>,
{
    world.0.iter().find_map(|((model, id), document)| {
        let model = all.model(*model);
        let mut fields = model.fields.iter();
        let (stored, value) = fields.find_map(|field| {
            if !has_sources(all, world, field, document) {
                return None;
            }
            let value = value(field, document.get(&field.stored)?)?;
            Some((field.stored.clone(), value))
        })?;
        Some((
            model.collection.clone(),
            (*id).into(),
            Some(doc! { "$set": { stored: value } }),
        ))
    })
}

/// Returns whether the sources of all copies in a field exist; copies without a source stay unchanged.
fn has_sources(all: &Declaration, world: &World, field: &Field, part: &Document) -> bool {
    match (&field.what, part.get(&field.stored)) {
        (What::Copy(copy), _) => {
            let key = source_key(all, copy, part);
            key.is_none_or(|key| world.get(copy.model, key).is_some())
        }
        (What::Embed(embed), Some(Bson::Array(parts))) => {
            let mut parts = parts.iter().filter_map(Bson::as_document);
            parts.all(|part| {
                embed
                    .fields
                    .iter()
                    .all(|it| has_sources(all, world, it, part))
            })
        }
        _ => true,
    }
}

fn unset(all: &Declaration, world: &World, fits: impl Fn(&Field) -> bool) -> Option<Injected> {
    let (collection, id, update) =
        change(all, world, |field, _| fits(field).then_some(Bson::Null))?;
    let fields = update?.get_document("$set").ok()?.clone();
    Some((collection, id, Some(doc! { "$unset": fields })))
}

/// Changes the first array that is not empty.
fn array(
    all: &Declaration,
    world: &World,
    fits: fn(&Field) -> bool,
    edit: fn(&mut Vec<Bson>),
) -> Option<Injected> {
    change(all, world, |field, value| {
        let mut array = value
            .as_array()
            .filter(|it| !it.is_empty() && fits(field))?
            .clone();
        edit(&mut array);
        Some(array.into())
    })
}

fn fold(all: &Declaration, world: &World, by: By, more: i64) -> Option<Injected> {
    change(all, world, |field, value| match value {
        Bson::Int64(value) if is_fold(field, by) => Some((value + more).into()),
        _ => None,
    })
}

fn in_element(
    all: &Declaration,
    field: &Field,
    value: &Bson,
    fits: fn(&Field) -> bool,
) -> Option<Bson> {
    let What::Embed(embed) = &field.what else {
        return None;
    };
    let mut array = value.as_array()?.clone();
    let (inner, first) = (
        embed.fields.iter().find(|it| fits(it))?,
        array.first_mut()?.as_document_mut()?,
    );
    first.insert(&inner.stored, wrong(all, inner));
    Some(array.into())
}

/// Deletes a target without the library, although the delete rule of a reference to it is not `keep`.
fn dangling(all: &Declaration, world: &World) -> Option<Injected> {
    world.0.iter().find_map(|((model, _), document)| {
        let ruled = references(all.model(*model)).filter(|(_, it)| it.rule != Rule::Keep);
        let mut keys =
            ruled.filter_map(|(field, it)| Some((it.to, key(document.get(&field.stored))?)));
        let (to, id) = keys.find(|(to, id)| world.get(*to, *id).is_some())?;
        Some((all.model(to).collection.clone(), id.into(), None))
    })
}

const fn copy(field: &Field) -> bool {
    matches!(&field.what, What::Copy(copy) if !copy.snapshot)
}

const fn own(field: &Field) -> bool {
    matches!(field.what, What::Value(_))
}

const fn recent(field: &Field) -> bool {
    matches!(field.what, What::Recent(_))
}

const fn follows(field: &Field) -> bool {
    matches!(field.what, What::Follows(..))
}

fn linked(field: &Field) -> bool {
    matches!(&field.what, What::Keys(it) if it.inverse.is_some())
        || matches!(field.what, What::Links(_))
}

fn bounded(field: &Field) -> bool {
    match &field.what {
        What::Texts(max) => max.is_some(),
        What::Embed(embed) if embed.form != Form::Many => false,
        _ => field.reference().is_some_and(|it| it.max.is_some()),
    }
}

fn is_fold(field: &Field, by: By) -> bool {
    matches!(&field.what, What::Fold(fold) if fold.by == by)
}

/// Returns a value that no program writes.
fn wrong(all: &Declaration, field: &Field) -> Bson {
    match all.scalar(field) {
        Some(Scalar::Text) | None => "wrong".into(),
        Some(Scalar::Long) => Bson::Int64(-5),
        Some(Scalar::Int) => Bson::Int32(-5),
        Some(Scalar::Double) => Bson::Double(-5.0),
        Some(Scalar::Flag) => Bson::String("wrong".into()),
    }
}
