//! Adds the values of copies to an update that contains the copies' keys.
//!
//! A reference and its copies then change in one statement. These forms of updates are supported:
//!
//! - `$set` of a key outside arrays: the update also sets the copies beside the key.
//! - `$set` of a struct that contains the key and the copies: the copies in the operand are replaced.
//! - `$push` and `$addToSet`: the copies and snapshots in the added elements are replaced.
//! - `$unset` of the key: the copies get the values that belong to a null key.
//!
//! For all other updates, [`OperandCopies::complete`] is false, and `correct` reads the stored document.

use std::{collections::HashSet, sync::Arc};

use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::UpdateModifications,
};

use super::{
    copy_set::CopySet,
    document_filler::{Filler, keys_in},
};
use crate::{
    client::odm::Exec,
    derived::{
        follow::new_declaration::expect,
        values::{Resolved, SourceValues, expected, resolve},
    },
    error::Result,
    graph::{Copied, ExtendedReference, KeyOwner},
    query::update::{set_or_unset, written_paths},
    value::{
        key::JoinKey,
        path::{covers, each_value, nested, overlap, value_at, without_positions},
    },
};

/// The copies of one source that an update affects. Also contains the keys and the values of the source, as far as the
/// operators of the update determine them.
#[derive(Clone, Debug)]
pub(super) struct OperandCopies {
    pub(super) copies: CopySet,
    /// The keys that the operators contain. `None` if only the stored document contains the keys.
    pub(super) keys: Option<Vec<JoinKey>>,
    pub(super) resolved: Resolved,
    /// Whether the update itself writes the copies for all `keys`, so that the copies in the updated documents need no
    /// correction.
    pub(super) complete: bool,
    /// The array of keys that the update sets as a whole. The library rejects such an update if it changes anything
    /// other than the order of the keys.
    pub(super) ordered: Option<Copied>,
    /// Whether an upsert has inserted the document.
    pub(super) is_new: bool,
}

impl OperandCopies {
    /// Returns the copies that an update affects if only the stored document contains their keys.
    pub(super) fn of_document(copies: CopySet) -> Self {
        Self {
            copies,
            keys: None,
            resolved: Resolved::default(),
            complete: false,
            ordered: None,
            is_new: false,
        }
    }

    /// Returns the copies to correct in a document that an upsert has inserted.
    pub(super) fn of_new_document(copies: CopySet) -> Self {
        Self {
            is_new: true,
            ..Self::of_document(copies)
        }
    }

    /// Returns the copies that other programs will write, for an update that does not contain the keys of these copies.
    pub(super) fn of_left(reference: &Arc<ExtendedReference>) -> Self {
        Self {
            keys: Some(Vec::new()),
            ..Self::of_document(CopySet::of_stored(reference))
        }
    }

    /// Returns the keys in the given documents, and the values of their sources. Sends a `find` if the operators do not
    /// contain the keys.
    pub(super) async fn sources_of<'d>(
        &self,
        documents: impl IntoIterator<Item = &'d RawDocument>,
        exec: &Exec,
    ) -> Result<(Vec<JoinKey>, Resolved)> {
        if let Some(keys) = &self.keys {
            return Ok((keys.clone(), self.resolved.clone()));
        }
        let keys = keys_in(&self.copies.all, documents);
        let resolved = sources(&self.copies, &keys, exec).await?;
        Ok((keys, resolved))
    }
}

/// Reads the values for the copies of the given keys. Enqueues jobs for keys without a source.
async fn sources(copies: &CopySet, keys: &[JoinKey], exec: &Exec) -> Result<Resolved> {
    let resolved = resolve(&copies.all, keys.iter().cloned(), exec).await?;
    if let Some(following) = &copies.following {
        expect(following, keys, &resolved, exec).await?;
    }
    Ok(resolved)
}

/// Reads the sources of the keys in an update, and adds their values to the update. Returns `None` if all copies are
/// snapshots.
pub(super) async fn complete(
    copies: CopySet,
    update: &mut UpdateModifications,
    exec: &Exec,
) -> Result<Option<OperandCopies>> {
    let stored = copies.following.as_ref().map(CopySet::of_stored);
    let unknown = stored.clone().map(OperandCopies::of_document);
    let UpdateModifications::Document(operators) = update else {
        return Ok(unknown);
    };
    let keys = match copies.all.key_owner() {
        KeyOwner::Target => {
            let stored = stored.as_ref();
            stored.and_then(|stored| keys_of(&stored.all, operators, &is_operator))
        }
        // The key is a field of the updated document itself, usually its `_id`.
        KeyOwner::Source => {
            let mut arrays = copies.all.fields.iter();
            let ordered = arrays.find(|copied| {
                copied.fold.key_of_elements().is_some()
                    && written_paths(operators)
                        .iter()
                        .any(|path| overlap(path, &copied.to))
            });
            let ordered = ordered.cloned();
            return Ok(unknown.map(|unknown| OperandCopies { ordered, ..unknown }));
        }
    };
    let (Some(stored), Some(keys)) = (stored, keys) else {
        // Added elements always contain their keys. The snapshots in added elements are set here, because `correct`
        // does not set snapshots.
        fill_new(&copies.all, operators, exec).await?;
        return Ok(unknown);
    };
    // Snapshots are excluded, because stored structs keep their snapshots. Only added elements get new snapshots
    // (`copies.all` below).
    let reference = &stored.all;
    exec.note(|| format!("the values of {}", reference.name));
    let resolved = sources(&copies, &keys, exec).await?;
    let mut complete = true;
    let mut more = Document::new();
    for (operator, fields) in operators.iter_mut() {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields.iter_mut() {
            if !touches(reference, path) || removes(operator) {
                continue;
            }
            complete &= match operator.as_str() {
                // Without a key, the copies have the same values as with a null key.
                "$unset" if loses_key(reference, path) => {
                    more.extend(copies_beside_key(reference, &resolved, &Bson::Null));
                    true
                }
                "$unset" => true,
                "$set" if is_key(reference, path) => {
                    more.extend(copies_beside_key(reference, &resolved, value));
                    true
                }
                // The key beside the copy determines the copy's value, so the value in the operand is replaced.
                "$set" if reference.place.arrays.is_empty() && is_copy(reference, path) => true,
                "$set" => fill(reference, &resolved, path, value)?,
                "$push" | "$addToSet" => fill_elements(&copies.all, &resolved, path, value)?,
                _ => false,
            };
        }
    }
    add(operators, more);
    Ok(Some(OperandCopies {
        copies: stored,
        keys: Some(keys),
        resolved: copies.follows(resolved),
        complete,
        ordered: None,
        is_new: false,
    }))
}

/// Whether an update adds elements that contain snapshots to an array.
pub(super) fn brings_new(snapshot: &ExtendedReference, update: &UpdateModifications) -> bool {
    let UpdateModifications::Document(operators) = update else {
        return false;
    };
    let added = operators
        .iter()
        .filter(|(operator, _)| adds(operator))
        .filter_map(|(_, fields)| fields.as_document());
    let mut paths = added.flat_map(Document::keys);
    match snapshot.key_owner() {
        KeyOwner::Target => paths.any(|path| level_of(snapshot, path).is_some()),
        KeyOwner::Source => false,
    }
}

/// Sets the copies and snapshots in the elements that an update adds to an array. Sends a `find` if the added elements
/// contain keys.
async fn fill_new(
    reference: &ExtendedReference,
    operators: &mut Document,
    exec: &Exec,
) -> Result<()> {
    let keys = keys_of(reference, operators, &adds).unwrap_or_default();
    if keys.is_empty() {
        return Ok(());
    }
    exec.note(|| format!("the values of {}", reference.name));
    let resolved = resolve(reference, keys, exec).await?;
    let added = operators.iter_mut().filter(|(operator, _)| adds(operator));
    let added = added.filter_map(|(_, fields)| fields.as_document_mut());
    for (path, value) in added.flat_map(Document::iter_mut) {
        fill_elements(reference, &resolved, path, value)?;
    }
    Ok(())
}

/// Extends an update that removes a key or sets it to null: the update then also removes the copies that only other
/// programs write. The other programs could not find the document later, because they search for the key in a job.
pub(super) fn unset_without_key(reference: &ExtendedReference, update: &mut UpdateModifications) {
    let UpdateModifications::Document(operators) = update else {
        return;
    };
    let of = |operator: &str| operators.get_document(operator).into_iter().flatten();
    let is_unset = of("$unset").any(|(path, _)| loses_key(reference, path));
    let is_null = of("$set").any(|(path, it)| is_key(reference, path) && *it == Bson::Null);
    if is_unset || is_null {
        let copies = reference.copies_beside_key();
        let copies: Document = copies.map(|it| (it, "".into())).collect();
        add(operators, doc! { "$unset": copies });
    }
}

/// Enqueues jobs for the keys in an update, if only other programs write the copies beside these keys.
pub(super) async fn leave(
    reference: &Arc<ExtendedReference>,
    update: &UpdateModifications,
    exec: &Exec,
) -> Result<OperandCopies> {
    let keys = match (update, reference.key_owner()) {
        (UpdateModifications::Document(operators), KeyOwner::Target) => {
            keys_of(reference, operators, &is_operator).unwrap_or_default()
        }
        (_, KeyOwner::Target | KeyOwner::Source) => Vec::new(),
    };
    super::leave(reference, keys.clone(), exec).await?;
    Ok(OperandCopies {
        // If the operators contain no keys, only the stored document shows whether there are keys.
        complete: !keys.is_empty(),
        keys: Some(keys),
        ..OperandCopies::of_left(reference)
    })
}

fn touches(reference: &ExtendedReference, path: &str) -> bool {
    let path = without_positions(path);
    overlap(&path, &reference.key_path())
        || reference.copy_paths().any(|copy| overlap(&path, &copy))
}

/// Whether an operator removes whole array elements.
fn removes(operator: &str) -> bool {
    matches!(operator, "$pull" | "$pullAll" | "$pop")
}

/// Whether an operator adds elements to an array.
fn adds(operator: &str) -> bool {
    matches!(operator, "$push" | "$addToSet")
}

/// Selects all operators; used if no operator has to be excluded.
fn is_operator(_: &str) -> bool {
    true
}

/// Whether the effect of an `$unset` on the copies can be determined without reading the stored document.
fn is_known_unset(reference: &ExtendedReference, path: &str) -> bool {
    loses_struct(reference, path) || loses_key(reference, path) || {
        reference.place.arrays.is_empty() && is_copy(reference, path)
    }
}

/// Whether an `$unset` removes the whole struct that contains the key and the copies.
fn loses_struct(reference: &ExtendedReference, path: &str) -> bool {
    covers(&without_positions(path), &reference.place.path(""))
}

/// Whether an `$unset` removes a key outside arrays, but not its copies.
fn loses_key(reference: &ExtendedReference, path: &str) -> bool {
    reference.place.arrays.is_empty()
        && covers(path, &reference.key_path())
        && !reference.copy_paths().any(|copy| covers(path, &copy))
}

/// Whether a path is the path of a key outside arrays.
fn is_key(reference: &ExtendedReference, path: &str) -> bool {
    reference.place.arrays.is_empty() && path == reference.key_path()
}

fn is_copy(reference: &ExtendedReference, path: &str) -> bool {
    reference.copy_paths().any(|copy| copy == path)
}

/// Lists the keys that the selected operators contain. Returns `None` if only the stored document contains the keys.
fn keys_of(
    reference: &ExtendedReference,
    operators: &Document,
    some: &dyn Fn(&str) -> bool,
) -> Option<Vec<JoinKey>> {
    let key_path = reference.key_path();
    let (mut keys, mut seen) = (Vec::new(), HashSet::new());
    for (operator, fields) in operators.iter().filter(|(operator, _)| some(operator)) {
        for (path, value) in fields.as_document()? {
            let renamed = value.as_str().filter(|_| operator == "$rename");
            // The update renames another field to the key, so only the document contains the value.
            if renamed.is_some_and(|to| touches(reference, to)) {
                return None;
            }
            if !touches(reference, path) || removes(operator) {
                continue;
            }
            let value = match operator.as_str() {
                "$set" => value.clone(),
                "$push" | "$addToSet" => elements(value),
                "$unset" if is_known_unset(reference, path) => continue,
                _ => return None,
            };
            let written = nested(&without_positions(path), value);
            each_value(&written, &key_path, &mut |key| {
                let key = JoinKey::from(key.clone());
                if !key.is_null() && seen.insert(key.clone()) {
                    keys.push(key);
                }
            });
        }
    }
    Some(keys)
}

fn elements(operand: &Bson) -> Bson {
    let each = operand.as_document().and_then(|it| it.get("$each"));
    each.cloned()
        .unwrap_or_else(|| Bson::Array(vec![operand.clone()]))
}

/// Returns the update operators that set the copies for a key.
fn copies_beside_key(reference: &ExtendedReference, resolved: &Resolved, key: &Bson) -> Document {
    let key = JoinKey::from(key.clone());
    let source = SourceValues::of_key(resolved, Some(&key));
    let fields = expected(reference, source).filter(|(_, value)| !value.is_any());
    set_or_unset(fields.map(|(copied, value)| {
        let path = reference.place.path(&copied.to);
        (path, value.stored().cloned())
    }))
}

/// Adds operators to an update. The added operators replace existing operators for the same path.
fn add(operators: &mut Document, more: Document) {
    for (operator, fields) in more {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields {
            // The server rejects an update that contains two operators for one path.
            for (_, said) in operators.iter_mut() {
                if let Bson::Document(said) = said {
                    said.remove(&path);
                }
            }
            let entry = operators.entry(operator.clone());
            let entry = entry.or_insert_with(|| Bson::Document(Document::new()));
            if let Bson::Document(said) = entry {
                said.insert(path, value);
            }
        }
    }
    let empty: Vec<String> = operators
        .iter()
        .filter(|(_, fields)| fields.as_document().is_some_and(Document::is_empty))
        .map(|(operator, _)| operator.clone())
        .collect();
    for operator in empty {
        operators.remove(operator);
    }
}

/// Sets the copies in an operand of `$set`, if the operand contains complete structs that consist of a key and its
/// copies. Returns whether there are such structs.
fn fill(
    reference: &ExtendedReference,
    resolved: &Resolved,
    path: &str,
    operand: &mut Bson,
) -> Result<bool> {
    // If the path contains a position, the operand is a single element, and `nested` cannot restore the array around
    // it.
    if path != without_positions(path) || !covers(path, &reference.place.path("")) {
        return Ok(false);
    }
    let filled = filled(reference, resolved, nested(path, operand.clone()))?;
    let value = value_at(&filled, path).cloned();
    let is_filled = value.is_some();
    *operand = value.unwrap_or_else(|| operand.clone());
    Ok(is_filled)
}

/// Sets the copies in elements that an operand adds to an array. Returns whether elements of this array contain the
/// copies.
fn fill_elements(
    reference: &ExtendedReference,
    resolved: &Resolved,
    path: &str,
    operand: &mut Bson,
) -> Result<bool> {
    let Some(arrays) = level_of(reference, path) else {
        return Ok(false);
    };
    let items = elements(operand);
    let whole = arrays.iter().rev().fold(items, |below, array| {
        // Each outer array contains one element. Only the innermost array contains all added elements.
        let below = match below {
            Bson::Document(element) => Bson::Array(vec![element.into()]),
            items => items,
        };
        nested(array, below).into()
    });
    let Bson::Document(whole) = whole else {
        return Ok(false);
    };
    let filled = filled(reference, resolved, whole)?;
    let mut found = None;
    let mut above = Some(&filled);
    for array in arrays {
        found = above.and_then(|above| value_at(above, array)?.as_array());
        above = found.and_then(|items| items.first()?.as_document());
    }
    let Some(items) = found else {
        return Ok(false);
    };
    match operand.as_document_mut().and_then(|it| it.get_mut("$each")) {
        Some(each) => *each = items.clone().into(),
        None => *operand = items.first().cloned().unwrap_or(Bson::Null),
    }
    Ok(true)
}

/// Returns a document in which the copies of an extended reference are set.
fn filled(
    reference: &ExtendedReference,
    resolved: &Resolved,
    document: Document,
) -> Result<Document> {
    let raw = RawDocumentBuf::try_from(&document).map_err(mongodb::error::Error::from)?;
    match Filler::new(reference, resolved)?.filled(&raw)? {
        Some(filled) => Ok(Document::try_from(&*filled).map_err(mongodb::error::Error::from)?),
        None => Ok(document),
    }
}

/// Returns the arrays along a path, if the array at the end of the path contains the copies.
fn level_of<'r>(reference: &'r ExtendedReference, path: &str) -> Option<&'r [String]> {
    let path = without_positions(path);
    let arrays = &reference.place.arrays;
    let mut levels = (1..=arrays.len()).filter_map(|levels| arrays.get(..levels));
    levels.find(|above| above.join(".") == path)
}
