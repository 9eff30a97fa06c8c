//! Options that exist in other libraries or in SQL, and the options of this library that replace
//! them.

use syn::LitStr;

use super::{
    habits::{SOFT_DELETE, TIMESTAMPS},
    item::Item,
};

/// Each row lists an attribute, an option that this library does not have, and the remedy.
const OPTIONS: [(&str, &str, &str); 22] = [
    ("model", "table", "write `collection = \"..\"`"),
    ("model", "name", "write `collection = \"..\"`"),
    ("model", "table_name", "write `collection = \"..\"`"),
    ("model", "collection_name", "write `collection = \"..\"`"),
    (
        "model",
        "rename_all",
        "write `#[serde(rename_all = \"..\")]` above the struct",
    ),
    ("model", "timestamps", TIMESTAMPS),
    ("model", "soft_delete", SOFT_DELETE),
    (
        "model",
        "unique",
        "write `index(keys(first = 1, second = 1), unique)`, or `#[index(unique)]` at the field",
    ),
    (
        "model",
        "primary_key",
        "write `#[serde(rename = \"_id\")]` at the field with the id",
    ),
    (
        "model",
        "belongs_to",
        "write `#[parent_ref]` at the field with the id of the parent",
    ),
    ("index", "ttl", "write `expire_after_secs = 60`"),
    ("index", "expires", "write `expire_after_secs = 60`"),
    (
        "index",
        "asc",
        "an index is ascending by default; remove it",
    ),
    (
        "index",
        "keys",
        "an index of several fields is `index(keys(..))` in `#[model(..)]`",
    ),
    (
        "refs",
        "foreign_key",
        "the field itself contains the key; remove it",
    ),
    ("refs", "on_update", "an id never changes; remove it"),
    ("refs", "has_many", HAS_MANY),
    ("refs", "has_one", HAS_MANY),
    ("parent_ref", "one", "a document has one parent; remove it"),
    ("parent_ref", "many", "several parents are `#[refs(many)]`"),
    (
        "recent",
        "order",
        "write `desc` for a list that starts with the newest",
    ),
    (
        "test",
        "start_paused",
        "the server does not wait for Tokio's clock; remove it, and add the argument `clock: TestClock` to set the times that are stored",
    ),
];

const HAS_MANY: &str = "documents that refer to this one are `has_many(children = \"Child.parent\")` in `#[model(..)]`";

/// The main option of each attribute. Users often write only the value of this option and forget
/// its name.
const MAIN: [(&str, &str); 4] = [
    ("model", "collection"),
    ("denorm", "from"),
    ("projection", "of"),
    ("embedded", "from"),
];

/// Returns the remedy for an option that exists in another library.
pub(super) fn remedy(attribute: &str, item: &Item) -> Option<String> {
    let known = OPTIONS.iter();
    let known = known.filter(|(of, name, _)| *of == attribute && *name == item.name);
    if let Some((_, _, remedy)) = known.into_iter().next() {
        return Some((*remedy).to_owned());
    }
    let has_rules = matches!(attribute, "refs" | "parent_ref");
    if let Some(rule) = rule_of(&item.name).filter(|_| has_rules) {
        return Some(format!("write `on_delete = \"{rule}\"`"));
    }
    let is_quoted = syn::parse2::<LitStr>(item.key.clone()).is_ok();
    let is_type = item.name.starts_with(char::is_uppercase);
    let mut main = MAIN.iter().filter(|(of, _)| *of == attribute);
    match main.next() {
        Some((_, option)) if is_quoted || is_type => {
            Some(format!("write `{option} = \"{}\"`", item.name))
        }
        None if attribute == "parent_ref" && is_type => {
            Some("the type of the field is the model; write `#[parent_ref]`".to_owned())
        }
        None if attribute == "refs" && is_type => Some(
            "the type of the field contains the model; write `one` or `many`, and `to = \"Model\"` at a plain key"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Returns the remedy for a delete rule that is written as in SQL or with the wrong capitalization.
pub(super) fn rule(name: &str) -> Option<String> {
    Some(format!("write `{}`", rule_of(name)?))
}

fn rule_of(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().replace([' ', '_'], "").as_str() {
        "setnull" | "nullify" => "nullify",
        "noaction" | "donothing" => "keep",
        "delete" | "cascade" => "cascade",
        "restrict" => "restrict",
        "pull" => "pull",
        _ => return None,
    })
}
