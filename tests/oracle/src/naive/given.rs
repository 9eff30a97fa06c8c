//! Rejects calls because of their arguments, before anything is written.

use mongo_odm::bson::{Document, doc};

use super::{
    Refusal,
    checks::is_required_copy,
    life::{gives_other_tenant, is_deleted, lacks_tenant},
};
use crate::{
    declaration::{Declaration, Field, Form, What},
    program::{Call, Change, Follow, Operator, Write},
    world::{World, each_struct, held},
};

/// Returns the bound of the array in a field.
pub(super) fn bound(field: &Field) -> Option<usize> {
    match &field.what {
        What::Texts(max) | What::Follows(_, max) => *max,
        What::About(about) => about.max,
        What::Embed(embed) if embed.form != Form::Many => None,
        _ => held(field).and_then(|it| it.max),
    }
}

/// Returns whether an array in a document exceeds its bound.
pub(super) fn is_over(fields: &[Field], document: &Document) -> bool {
    let mut found = false;
    each_struct(fields, &mut document.clone(), &mut |fields, part| {
        found |= fields.iter().any(|field| {
            let length = part.get_array(&field.stored).map_or(0, Vec::len);
            bound(field).is_some_and(|max| length > max)
        });
    });
    found
}

/// Rejects calls that are wrong whatever is stored: for example, structs with arrays that exceed their bound.
pub(super) fn check(all: &Declaration, world: &World, call: &Call) -> Result<(), Refusal> {
    if gives_other_tenant(all, call) || lacks_tenant(all, call) {
        return Err(Refusal::Invalid);
    }
    let fields = &all.model(call.model).fields;
    let document = |it: &Document| is_over(fields, it);
    let changes = |changes: &[Change]| {
        changes
            .iter()
            .any(|it| is_over(fields, &doc! { &it.stored: &it.value }))
    };
    let adds = |changes: &[Change]| {
        let mut adding = changes
            .iter()
            .filter(|it| it.operator == Operator::AddToSet);
        adding.any(|it| bound(all.model(call.model).field(&it.field)).is_some())
    };
    if let Write::Upsert(id, it) = &call.write
        && changes(it)
    {
        // A change of the other array of the same document can remove keys again. The documentation does not say which of
        // the two changes is first, and which of two reasons an error contains.
        let mut arrays = fields.iter().filter_map(held);
        let is_own_end = arrays.any(|it| it.inverse.is_some() && it.to == call.model);
        let stored = world.get(call.model, *id);
        if is_own_end || stored.is_some_and(|it| is_deleted(all.model(call.model), it)) {
            return Err(Refusal::Unclear);
        }
    }
    let (is_refused, refusal) = match &call.write {
        Write::Insert(it) | Write::Save(it) | Write::Replace(it) => (document(it), Refusal::Bound),
        Write::InsertMany(all, _) => (all.iter().any(document), Refusal::Bound),
        // The documentation does not say whether the library rejects such an update of a document that does not exist.
        Write::Update(id, it) => (
            changes(it) && world.get(call.model, *id).is_none(),
            Refusal::Unclear,
        ),
        Write::Pipeline(_, it) | Write::FindAndUpdate(_, it) => (changes(it), Refusal::Unclear),
        // For `$addToSet`, only the resulting documents show whether the bound is exceeded.
        Write::UpdateMany(_, it) => (changes(it) || adds(it), Refusal::Unclear),
        Write::Upsert(_, it) => (
            call.follow == Follow::KeepSnapshots && lacks_snapshot(fields, it),
            if changes(it) {
                Refusal::OneOf
            } else {
                Refusal::Unreadable
            },
        ),
        Write::Delete(_)
        | Write::DeleteMany(_)
        | Write::Restore(_)
        | Write::Purge(_)
        | Write::PurgeMany(_)
        | Write::Relate(_) => {
            return Ok(());
        }
    };
    if is_refused { Err(refusal) } else { Ok(()) }
}

/// Returns whether a required snapshot is neither copied from its source nor set by the changes.
fn lacks_snapshot(fields: &[Field], changes: &[Change]) -> bool {
    fields.iter().any(|field| {
        let is_snapshot = matches!(&field.what, What::Copy(copy) if copy.snapshot);
        let is_given = changes.iter().any(|it| it.field == field.name);
        is_snapshot && is_required_copy(field) && !is_given
    })
}
