//! Proposes declarations for references that were found in samples.

use super::by_hand::model_of;
use crate::advise::seen::{KeysStand, SeenCollection, SeenReference};

/// Returns the proposed declaration of a reference, with the given options. For a `DBRef`, the text recommends storing
/// only the `_id`, because the library does not follow `DBRef`s.
pub(super) fn declaration(seen: &SeenCollection, it: &SeenReference, options: &[&str]) -> String {
    let name = &seen.name;
    if let Some(path) = it.path.strip_suffix(".$id") {
        return format!(
            "{} at a field with only the `_id`, instead of the `DBRef` `{path}` of `{name}`, which the library does \
            not follow,",
            shown(it, options)
        );
    }
    format!(
        "{} at `{}` of the model of `{name}`",
        shown(it, options),
        it.path
    )
}

/// Returns the attribute that declares a reference, in the form that `pull` would write.
fn shown(it: &SeenReference, options: &[&str]) -> String {
    let is_nested = it.path.trim_end_matches(".$id").contains('.');
    let (word, kind) = match (it.stand, is_nested) {
        (KeysStand::AsElements, _) => ("refs", Some("many")),
        (_, true) => ("refs", Some("one")),
        (_, false) => ("parent_ref", None),
    };
    let key = &it.target_path;
    let to = (key != "_id").then(|| format!("to = \"{}.{key}\"", model_of(&it.target)));
    let kind = kind.map(str::to_owned).into_iter().chain(to);
    let options = options.iter().map(|it| (*it).to_owned());
    let options: Vec<_> = kind.chain(options).collect();
    if options.is_empty() {
        return format!("`#[{word}]`");
    }
    format!("`#[{word}({})]`", options.join(", "))
}
