//! Reads `#[denorm(..)]`, which declares a copy of a field of another model.

use syn::Attribute;

use super::options::{Options, single};
use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Copy, ModelPath, Via},
};

pub(crate) fn copy(attrs: &[Attribute], errors: &mut Errors) -> Option<Copy> {
    let attribute = single(attrs, "denorm", errors)?;
    let mut options = Options::read(attribute, errors);
    let from = options.model_path("from", "\"Model.field\"");
    let via = options.model_path("via", "\"field\"");
    let snapshot = options.word("snapshot").is_some();
    let on_delete = options.on_delete();
    let from = source(&mut options, from);
    let copy = from.map(|from| Copy {
        attribute: options.attribute().clone(),
        from,
        via: via.and_then(via_of),
        snapshot,
        on_delete,
    });
    options.finish();
    copy
}

/// Returns the source of a copy, or reports an error if the path in `from` does not contain a field.
fn source(options: &mut Options<'_>, from: Option<ModelPath>) -> Option<ModelPath> {
    match from {
        Some(from) if from.fields.is_empty() => {
            let segments: Vec<String> = from
                .model
                .segments
                .iter()
                .map(|it| plain(&it.ident))
                .collect();
            let message = match &segments[..] {
                [model @ .., field]
                    if !model.is_empty() && field.starts_with(char::is_lowercase) =>
                {
                    format!(
                        "a dot separates the model and its field; write `from = \"{}.{field}\"`",
                        model.join("::")
                    )
                }
                _ => {
                    "`from` has a model without a field; write `from = \"Model.field\"`".to_owned()
                }
            };
            options.errors.at(&from, message);
            None
        }
        None => {
            options.missing(&["from"], "write `from = \"Model.field\"`");
            None
        }
        from => from,
    }
}

/// Converts the path in `via` to the reference that connects the copy with its source. A path of one segment is a field
/// of the same struct.
fn via_of(path: ModelPath) -> Option<Via> {
    if !path.fields.is_empty() {
        return Some(Via::Model(path));
    }
    path.model
        .segments
        .last()
        .map(|segment| Via::Field(segment.ident.clone()))
}
