//! Converts the indexes and the shard key of a collection to attributes.

use mongo_odm::{__tools::mongosh_document, IndexSpec};
use mongodb::bson::{Bson, Document};

use super::{
    ident::{quoted, raw},
    structs::{FieldPlan, StructPlan},
};

/// The generated code for an index.
#[derive(Clone, Debug)]
pub(super) enum Declared {
    /// An attribute of a field: `index(unique)`.
    AtField(usize, String),
    /// An option of the struct: `index(keys(a = 1, b = -1))`.
    AtStruct(String),
    /// A comment that explains why no attribute can declare the index.
    Comment(String),
}

/// The struct of a model, and its embedded structs.
#[derive(Clone, Copy)]
pub(super) struct Structs<'p> {
    pub(super) root: &'p StructPlan,
    pub(super) embedded: &'p [StructPlan],
}

/// One key of an index, with its field, its Rust path and its direction.
struct IndexKey<'p> {
    first: usize,
    depth: usize,
    /// The Rust paths of the arrays that contain the key, the outermost first.
    arrays: Vec<String>,
    field: &'p FieldPlan,
    path: String,
    kind: &'static str,
}

/// Returns the code with which a model declares an index of its collection.
pub(super) fn declare(index: &IndexSpec, of: Structs<'_>, kind: Option<(&str, &str)>) -> Declared {
    match attribute(index, of, kind) {
        Ok(declared) => declared,
        Err(why) => {
            let shown = mongosh_document(&index.keys);
            Declared::Comment(format!("Index `{}` on {shown}: {why}.", index.name))
        }
    }
}

/// Returns the code with which a model declares the shard key of its collection.
pub(super) fn declare_shard_key(key: &Document, of: Structs<'_>) -> Declared {
    match shard_key(key, of) {
        Ok(option) => Declared::AtStruct(option),
        Err(why) => Declared::Comment(format!("Shard key {}: {why}.", mongosh_document(key))),
    }
}

fn shard_key(key: &Document, of: Structs<'_>) -> Result<String, String> {
    let keys = key.iter().map(|(path, kind)| of.key(path, kind));
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    if let Some(absent) = keys.iter().find(|key| key.field.serde.is_some()) {
        return Err(format!(
            "`{}` is absent in some documents, and a model needs it in each",
            absent.field.stored
        ));
    }
    Ok(format!("shard_key({})", written_keys(&keys)))
}

fn attribute(
    index: &IndexSpec,
    of: Structs<'_>,
    kind: Option<(&str, &str)>,
) -> Result<Declared, String> {
    let keys = index
        .keys
        .iter()
        .map(|(path, direction)| of.key(path, direction));
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    refused(index, &keys)?;
    let options = options(index, kind)?;
    if let [key] = keys.as_slice()
        && key.depth == 1
        && key.field.stored != "_id"
    {
        let word = match key.kind {
            "1" => None,
            "-1" => Some("desc".to_owned()),
            kind => Some(kind.trim_matches('"').to_owned()),
        };
        // `2d` and `2dsphere` are not Rust identifiers, so they can be written only in `keys(..)`.
        if word.as_ref().is_none_or(|word| !word.starts_with('2')) {
            let all: Vec<String> = word.into_iter().chain(options).collect();
            let list = if all.is_empty() {
                "index".to_owned()
            } else {
                format!("index({})", all.join(", "))
            };
            return Ok(Declared::AtField(key.first, list));
        }
    }
    let keys = format!("keys({})", written_keys(&keys));
    let all: Vec<String> = std::iter::once(keys).chain(options).collect();
    Ok(Declared::AtStruct(format!("index({})", all.join(", "))))
}

fn written_keys(keys: &[IndexKey<'_>]) -> String {
    let keys = keys
        .iter()
        .map(|key| format!("{} = {}", key.path, key.kind));
    keys.collect::<Vec<_>>().join(", ")
}

impl<'p> Structs<'p> {
    /// Converts a stored path and its direction in an index to the key that the attribute of the index contains. Fails
    /// if no field of the structs has this path.
    fn key(self, stored: &str, direction: &Bson) -> Result<IndexKey<'p>, String> {
        let mut plan = self.root;
        let mut names: Vec<String> = Vec::new();
        let (mut first, mut arrays) = (None, Vec::new());
        let mut steps = stored.split('.').peekable();
        loop {
            let step = steps.next().unwrap_or_default();
            let at = plan.fields.iter().position(|field| field.stored == step);
            let field = at.and_then(|at| plan.fields.get(at));
            let Some(field) = field else {
                return Err(format!("no field `{stored}` is in the struct"));
            };
            names.push(raw(&field.name));
            first = first.or(at);
            if field.is_array {
                arrays.push(names.join("."));
            }
            if steps.peek().is_none() {
                return Ok(IndexKey {
                    first: first.unwrap_or_default(),
                    depth: names.len(),
                    arrays,
                    field,
                    path: names.join("."),
                    kind: kind_of(direction)?,
                });
            }
            let embedded = field.embedded.and_then(|at| self.embedded.get(at));
            plan = embedded
                .ok_or_else(|| format!("`{stored}` leads through a map or a mixed value"))?;
        }
    }
}

fn kind_of(direction: &Bson) -> Result<&'static str, String> {
    let number = match direction {
        Bson::Int32(number) => f64::from(*number),
        #[allow(clippy::cast_precision_loss, reason = "its sign alone is asked for")]
        Bson::Int64(number) => *number as f64,
        Bson::Double(number) => *number,
        _ => 0.0,
    };
    match direction.as_str() {
        Some("text") => Ok("\"text\""),
        Some("hashed") => Ok("\"hashed\""),
        Some("2d") => Ok("\"2d\""),
        Some("2dsphere") => Ok("\"2dsphere\""),
        None if number > 0.0 => Ok("1"),
        None if number < 0.0 => Ok("-1"),
        _ => Err("it is of a kind that no attribute has".to_owned()),
    }
}

/// Fails with the reason if the derive macro or `check_models` would reject the index.
fn refused(index: &IndexSpec, keys: &[IndexKey<'_>]) -> Result<(), String> {
    let has = |option: &str| index.options.contains_key(option);
    let plain = || keys.iter().filter(|key| ["1", "-1"].contains(&key.kind));
    let arrays = plain().map(|key| key.arrays.as_slice());
    let most = arrays.max_by_key(|arrays| arrays.len()).unwrap_or_default();
    if plain().any(|key| !most.starts_with(&key.arrays)) {
        return Err("it has two arrays".to_owned());
    }
    if keys
        .iter()
        .any(|key| key.kind == "\"text\"" && is_no_string(key.field))
    {
        return Err("it searches values that are not strings".to_owned());
    }
    if keys
        .iter()
        .any(|key| key.kind == "\"hashed\"" && !key.arrays.is_empty())
    {
        return Err("it hashes an array".to_owned());
    }
    if has("expireAfterSeconds") && keys.iter().any(|key| key.field.base != "DateTime") {
        return Err("it expires documents by what is no date".to_owned());
    }
    let is_text = |key: &IndexKey<'_>| {
        !["i32", "i64", "f64", "Decimal128", "DateTime"].contains(&key.field.base.as_str())
    };
    if has("collation") && !plain().any(is_text) {
        return Err("it has a collation and no text".to_owned());
    }
    Ok(())
}

/// Whether the values of a field are not strings, so that a text index does not contain them.
fn is_no_string(field: &FieldPlan) -> bool {
    const TYPES: [&str; 12] = [
        "bool",
        "i32",
        "i64",
        "f64",
        "Decimal128",
        "DateTime",
        "ObjectId",
        "Uuid",
        "Binary",
        "Regex",
        "Timestamp",
        "Document",
    ];
    let base = field.base.as_str();
    let mut keys_of_ids = ["String>", "AnyKey>"].into_iter();
    let is_other_id = base.starts_with("Id<") && !keys_of_ids.any(|key| base.ends_with(key));
    let is_struct = field.embedded.is_some() || base.contains("Map<");
    is_struct || is_other_id || TYPES.contains(&base)
}

/// Converts the options of an index to attributes.
fn options(index: &IndexSpec, kind: Option<(&str, &str)>) -> Result<Vec<String>, String> {
    let mut written = Vec::new();
    let mut is_of_kind = false;
    for (name, value) in &index.options {
        match name.as_str() {
            "unique" => written.push("unique".to_owned()),
            "sparse" => written.push("sparse".to_owned()),
            "expireAfterSeconds" => {
                let seconds = whole(value).ok_or("its expiry is no number of seconds")?;
                written.push(format!("expire_after_secs = {seconds}"));
            }
            "partialFilterExpression" => {
                let filter = value.as_document().cloned().unwrap_or_default();
                is_of_kind = kind.is_some_and(|(field, of)| is_kind(&filter, field, of));
                if !is_of_kind {
                    let json = serde_json::to_string(&filter);
                    let json = json.map_err(|error| format!("its filter is no JSON: {error}"))?;
                    written.push(format!("partial = r##\"{json}\"##"));
                }
            }
            "collation" => written.extend(collation(
                value.as_document().ok_or("its collation is none")?,
            )?),
            other => return Err(format!("no attribute has its option `{other}`")),
        }
    }
    if kind.is_some() && !is_of_kind {
        written.push("all_kinds".to_owned());
    }
    let default = index.keys.iter().map(|(path, direction)| match direction {
        Bson::String(word) => format!("{path}_{word}"),
        number => format!("{path}_{number}"),
    });
    if index.name != default.collect::<Vec<_>>().join("_") || is_of_kind {
        written.push(format!("name = {}", quoted(&index.name)));
    }
    Ok(written)
}

fn is_kind(filter: &Document, field: &str, value: &str) -> bool {
    filter.len() == 1 && filter.get_str(field).is_ok_and(|it| it == value)
}

/// Converts a collation to attributes. Only a locale and a strength are supported.
fn collation(all: &Document) -> Result<Vec<String>, String> {
    const DEFAULTS: [(&str, &str); 7] = [
        ("caseLevel", "false"),
        ("caseFirst", "\"off\""),
        ("numericOrdering", "false"),
        ("alternate", "\"non-ignorable\""),
        ("maxVariable", "\"punct\""),
        ("normalization", "false"),
        ("backwards", "false"),
    ];
    let mut written = Vec::new();
    for (name, value) in all {
        let is_default = || {
            DEFAULTS
                .iter()
                .any(|(known, text)| known == name && value.to_string() == *text)
        };
        match name.as_str() {
            "locale" => written.push(format!(
                "locale = {}",
                quoted(value.as_str().unwrap_or("simple"))
            )),
            "strength" => match whole(value) {
                Some(3) => {}
                Some(strength) => written.push(format!("strength = {strength}")),
                None => return Err("the strength of its collation is no number".to_owned()),
            },
            "version" => {}
            _ if is_default() => {}
            other => return Err(format!("no attribute has `{other}` of its collation")),
        }
    }
    Ok(written)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "seconds and strengths are small"
)]
fn whole(value: &Bson) -> Option<u32> {
    let number = match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        Bson::Double(number) if number.fract() == 0.0 => *number as i64,
        _ => return None,
    };
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server accepts such a number, but an index that expires after 0 seconds would delete all documents.
    #[test]
    fn an_expiry_that_is_not_a_number_is_not_declared() {
        assert_eq!(whole(&Bson::Double(60.0)), Some(60));
        for number in [f64::NAN, f64::INFINITY, 0.5, -1.0] {
            assert_eq!(whole(&Bson::Double(number)), None);
        }
    }
}
