//! Words of other libraries and of SQL, and what is written here in their place.

use syn::LitStr;

use super::item::Item;

/// What is written in the place of an option: its attribute, its name and the remedy.
const OPTIONS: [(&str, &str, &str); 13] = [
    ("model", "table", "write `collection = \"..\"`"),
    ("model", "name", "write `collection = \"..\"`"),
    ("index", "ttl", "write `expire_after_secs = 60`"),
    ("index", "expires", "write `expire_after_secs = 60`"),
    ("index", "asc", "an index is ascending without a word"),
    (
        "index",
        "keys",
        "an index of several fields is `index(keys(..))` in `#[model(..)]`",
    ),
    (
        "refs",
        "foreign_key",
        "the field itself holds the key; remove it",
    ),
    ("refs", "on_update", "an id never changes; remove it"),
    ("refs", "has_many", HAS_MANY),
    ("refs", "has_one", HAS_MANY),
    ("parent_ref", "one", "a document has one parent; remove it"),
    ("parent_ref", "many", "several parents are `#[refs(many)]`"),
    (
        "recent",
        "order",
        "write `desc` for a list that begins with the newest",
    ),
];

const HAS_MANY: &str = "documents that refer to this one are `has_many(children = \"Child.parent\")` in `#[model(..)]`";

/// Options that are the first thing that an attribute says, and are often written without their name.
const MAIN: [(&str, &str); 4] = [
    ("model", "collection"),
    ("denorm", "from"),
    ("projection", "of"),
    ("embedded", "from"),
];

/// Returns the remedy for an option that is known elsewhere.
pub(super) fn remedy(attribute: &str, item: &Item) -> Option<String> {
    let known = OPTIONS.iter();
    let known = known.filter(|(of, name, _)| *of == attribute && *name == item.name);
    if let Some((_, _, remedy)) = known.into_iter().next() {
        return Some((*remedy).to_owned());
    }
    let is_quoted = syn::parse2::<LitStr>(item.key.clone()).is_ok();
    let is_type = item.name.starts_with(char::is_uppercase);
    let mut main = MAIN.iter().filter(|(of, _)| *of == attribute);
    match main.next() {
        Some((_, option)) if is_quoted || is_type => {
            Some(format!("write `{option} = \"{}\"`", item.name))
        }
        None if attribute == "refs" && is_type => Some(
            "the type of the field says the model; write `one` or `many`, and `to = \"Model\"` at a plain key"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Returns the remedy for a rule of deletes that SQL has under another name, or in capitals.
pub(super) fn rule(name: &str) -> Option<String> {
    let rule = match name.to_lowercase().replace([' ', '_'], "").as_str() {
        "setnull" => "nullify",
        "noaction" | "donothing" => "keep",
        "delete" | "cascade" => "cascade",
        "restrict" => "restrict",
        _ => return None,
    };
    Some(format!("write `{rule}`"))
}
