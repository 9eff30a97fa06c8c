//! The copies that an update itself brings along.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::UpdateModifications,
};

use super::documents::Filler;
use crate::{
    copy::{Expected, ExtendedReference, Resolved, SourceValues, expected, resolve},
    effects::awaited_source::expect,
    error::Result,
    key::JoinKey,
    odm::Exec,
    path::{covers, each_value, nested, overlap, value_at, without_positions},
};

/// What the operands of an update say about one extended reference.
#[derive(Clone, Debug)]
pub(super) struct OperandCopies {
    pub(super) reference: &'static ExtendedReference,
    /// The keys that the update brings; none if only the documents tell.
    pub(super) keys: Option<Vec<JoinKey>>,
    pub(super) resolved: Resolved,
    /// Whether the update brings the copies of all these keys as well, so that no document that it has
    /// changed can differ.
    pub(super) complete: bool,
}

/// Reads the sources of the keys that an update brings, and puts their values into the update: a
/// reference and its copies change in one statement.
pub(super) async fn complete(
    reference: &'static ExtendedReference,
    update: &mut UpdateModifications,
    exec: &Exec,
) -> Result<OperandCopies> {
    let unknown = OperandCopies {
        reference,
        keys: None,
        resolved: Resolved::default(),
        complete: false,
    };
    let UpdateModifications::Document(operators) = update else {
        return Ok(unknown);
    };
    // The key of a copy whose reference is elsewhere is the document's own.
    if reference.keys_in_source {
        return Ok(unknown);
    }
    let Some(keys) = keys_of(reference, operators) else {
        return Ok(unknown);
    };
    exec.note(|| format!("the values of {}", reference.name));
    let resolved = resolve(reference, keys.iter().cloned(), exec).await?;
    expect(reference, &keys, &resolved, exec).await?;
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
                // Without its key a copy is as with one that is null.
                "$unset" if loses_key(reference, path) => {
                    more.extend(beside(reference, &resolved, &Bson::Null));
                    true
                }
                "$unset" => true,
                "$set" if is_key(reference, path) => {
                    more.extend(beside(reference, &resolved, value));
                    true
                }
                // Said by the key beside it.
                "$set" if reference.place.arrays.is_empty() && is_copy(reference, path) => true,
                "$set" | "$push" | "$addToSet" => fill(reference, &resolved, path, value)?,
                _ => false,
            };
        }
    }
    add(operators, more);
    Ok(OperandCopies {
        reference,
        keys: Some(keys),
        resolved,
        complete,
    })
}

/// Leaves jobs for the keys that an update brings, where only other programs write the copies beside them.
pub(super) async fn leave(
    reference: &'static ExtendedReference,
    update: &UpdateModifications,
    exec: &Exec,
) -> Result<OperandCopies> {
    let keys = match update {
        UpdateModifications::Document(operators) if !reference.keys_in_source => {
            keys_of(reference, operators).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    super::leave(reference, &keys, exec).await?;
    Ok(OperandCopies {
        reference,
        complete: !keys.is_empty(),
        keys: Some(keys),
        resolved: Resolved::default(),
    })
}

fn touches(reference: &ExtendedReference, path: &str) -> bool {
    let path = without_positions(path);
    overlap(&path, &reference.key_path())
        || reference.copy_paths().any(|copy| overlap(&path, &copy))
}

/// Whether an operator takes elements away, with all that is in them.
fn removes(operator: &str) -> bool {
    matches!(operator, "$pull" | "$pullAll" | "$pop")
}

/// Whether it is known without the documents what is left of a reference when a path is unset.
fn is_known_unset(reference: &ExtendedReference, path: &str) -> bool {
    loses_struct(reference, path) || loses_key(reference, path) || {
        reference.place.arrays.is_empty() && is_copy(reference, path)
    }
}

/// Whether the struct with key and copies goes as a whole.
fn loses_struct(reference: &ExtendedReference, path: &str) -> bool {
    covers(&without_positions(path), &reference.place.path(""))
}

/// Whether the only key of a document goes, and its copies stay.
fn loses_key(reference: &ExtendedReference, path: &str) -> bool {
    reference.place.arrays.is_empty()
        && covers(path, &reference.key_path())
        && !reference.copy_paths().any(|copy| covers(path, &copy))
}

/// Whether a path is the only key of a document, outside of arrays.
fn is_key(reference: &ExtendedReference, path: &str) -> bool {
    reference.place.arrays.is_empty() && path == reference.key_path()
}

fn is_copy(reference: &ExtendedReference, path: &str) -> bool {
    reference.copy_paths().any(|copy| copy == path)
}

/// Lists the keys that an update brings; none if only the documents tell.
fn keys_of(reference: &ExtendedReference, operators: &Document) -> Option<Vec<JoinKey>> {
    let key_path = reference.key_path();
    let mut keys: Vec<JoinKey> = Vec::new();
    for (operator, fields) in operators {
        for (path, value) in fields.as_document()? {
            let renamed = value.as_str().filter(|_| operator == "$rename");
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
                if !key.is_null() && !keys.contains(&key) {
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

/// Returns the copies that stand beside a key that is set, by operator.
fn beside(reference: &ExtendedReference, resolved: &Resolved, key: &Bson) -> Document {
    let key = JoinKey::from(key.clone());
    let source = match resolved.get(&key) {
        _ if key.is_null() => SourceValues::NoKey,
        Some(values) => SourceValues::Is(values),
        None => SourceValues::Gone,
    };
    let (mut set, mut unset) = (Document::new(), Document::new());
    for (copied, value) in expected(reference, source) {
        let path = reference.place.path(&copied.to);
        match value {
            Expected::Value(value) => _ = set.insert(path, value.clone()),
            Expected::Empty => _ = set.insert(path, Bson::Null),
            Expected::Absent => _ = unset.insert(path, ""),
            Expected::Any => {}
        }
    }
    doc! { "$set": set, "$unset": unset }
}

/// Adds operators; what they say about a path wins.
fn add(operators: &mut Document, more: Document) {
    for (operator, fields) in more {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields {
            // An update may not name a path twice.
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

/// Puts the values into an operand that holds whole structs with key and copies; returns whether it
/// does.
fn fill(
    reference: &ExtendedReference,
    resolved: &Resolved,
    path: &str,
    operand: &mut Bson,
) -> Result<bool> {
    // A position says which element; that the value stands in an array is not to be seen then.
    if path != without_positions(path) || !covers(path, &reference.place.path("")) {
        return Ok(false);
    }
    let is_each = operand
        .as_document()
        .is_some_and(|operand| operand.contains_key("$each"));
    let value = match operand {
        Bson::Document(each) if is_each => each.get_mut("$each"),
        value => Some(value),
    };
    let Some(value) = value else {
        return Ok(false);
    };
    let is_element = is_array(reference, path) && value.as_array().is_none();
    let wrapped = if is_element {
        Bson::Array(vec![value.clone()])
    } else {
        value.clone()
    };
    let document =
        RawDocumentBuf::try_from(&nested(path, wrapped)).map_err(mongodb::error::Error::from)?;
    let filled = Filler::new(reference, resolved)?.filled(&document)?;
    let filled = filled.unwrap_or(document);
    let filled = Document::try_from(&*filled).map_err(mongodb::error::Error::from)?;
    match value_at(&filled, path).cloned() {
        Some(Bson::Array(mut items)) if is_element => *value = items.pop().unwrap_or(Bson::Null),
        Some(filled) => *value = filled,
        None => return Ok(false),
    }
    Ok(true)
}

/// Whether a path is that of one of the arrays above the copies.
fn is_array(reference: &ExtendedReference, path: &str) -> bool {
    let arrays = &reference.place.arrays;
    (1..=arrays.len()).any(|levels| {
        let above = arrays.get(..levels).unwrap_or_default();
        above.join(".") == path
    })
}
