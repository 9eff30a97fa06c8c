//! Checks of insertable structs, which the compiler evaluates: a struct contains all fields that only your code can
//! set, and no field that the library sets or that serde does not read.

use super::{FieldShape, KindShape, Maintained, find_field, same_text};

/// Checks that an insertable struct may contain a field. An unknown field is reported at its handle.
///
/// # Panics
///
/// If the library sets the field, or if serde does not read it. The compiler reports the panic.
#[track_caller]
pub const fn check_given_field(fields: &'static [FieldShape], name: &str) {
    let Some(field) = find_field(fields, name) else {
        return;
    };
    assert!(
        !field.is_synchronized_copy(),
        "this field is a copy, which the library fills from its source; remove the field from this struct"
    );
    assert!(
        !field.is_synchronized(),
        "the library computes this field from other documents; remove the field from this struct"
    );
    assert!(
        matches!(field.maintained, None | Some(Maintained::Tenant(_))),
        "the library sets this field in each insert; remove the field from this struct; to import documents with their own timestamps, insert the model: `insert_many(..).keep_timestamps()`"
    );
    assert!(
        !field.unread,
        "serde does not read this field, so the insert would store its default; remove the field from this struct, or remove `skip_deserializing` from the field of the model"
    );
}

/// Checks that an insertable struct with the option `set(..)` is for a model. The caller of an insert cannot set fields
/// of embedded structs.
///
/// # Panics
///
/// If the struct is for an embedded struct. The compiler reports the panic.
#[track_caller]
pub const fn check_set_of_model(is_model: bool) {
    assert!(
        is_model,
        "`set` is for fields of a model, and this struct is for an embedded struct, whose fields `.set(..)` cannot reach; remove `set`, and add the field to this struct"
    );
}

/// Checks that an insertable struct contains all fields that only your code can set. `kind` is the kind of the model,
/// and `makes_ids` specifies whether the library can generate an `_id`.
///
/// # Panics
///
/// If a field is missing. The compiler reports the panic.
#[track_caller]
pub const fn check_given_fields(
    fields: &'static [FieldShape],
    given: &[&str],
    kind: Option<KindShape<'static>>,
    makes_ids: bool,
) {
    if !are_known(fields, given) {
        // Another error marks the unknown field, whose name may be a misspelling of a required field.
        return;
    }
    let mut missing = Text::new();
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        let field = &fields[at];
        at += 1;
        if may_be_left_out(field, kind) || contains(given, field.name) {
            continue;
        }
        if same_text(field.stored, "_id") {
            assert!(
                makes_ids,
                "this struct needs the field of the model's `_id`, because the library only generates ids over an `ObjectId` or a UUID"
            );
            continue;
        }
        missing.add_field(field);
    }
    if !missing.is_empty() {
        missing.add("; add them, or write `#[serde(default)]` above the field of the model");
        panic!("{}", missing.as_str());
    }
}

/// Whether an insertable struct may leave out the field, because the library or serde sets its value.
const fn may_be_left_out(field: &FieldShape, kind: Option<KindShape<'static>>) -> bool {
    let is_kind = matches!(kind, Some(kind) if same_text(kind.field, field.stored));
    let is_flattened_map = field.flatten && field.embed.is_none();
    is_kind
        || is_flattened_map
        || field.derived.is_some()
        || field.may_be_missing()
        || field.maintained.is_some()
        || field.links.is_some()
}

const fn are_known(fields: &'static [FieldShape], names: &[&str]) -> bool {
    let mut at = 0;
    while at < names.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        if find_field(fields, names[at]).is_none() {
            return false;
        }
        at += 1;
    }
    true
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < names.len() {
        #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
        if same_text(names[at], name) {
            return true;
        }
        at += 1;
    }
    false
}

/// The text of a compiler error, which `const` code builds.
struct Text {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 1_024;

    const fn new() -> Self {
        Self {
            bytes: [0; Self::CAPACITY],
            len: 0,
        }
    }

    const fn is_empty(&self) -> bool {
        self.len == 0
    }

    const fn add_field(&mut self, field: &FieldShape) {
        self.add(if self.is_empty() {
            "this struct lacks fields of the model: `"
        } else {
            ", `"
        });
        self.add(field.name);
        if !field.written.is_empty() {
            self.add(": ");
            self.add(field.written);
        }
        self.add("`");
    }

    /// Appends a text, unless the buffer is full.
    const fn add(&mut self, text: &str) {
        let text = text.as_bytes();
        if self.len + text.len() > Self::CAPACITY {
            return;
        }
        let mut at = 0;
        while at < text.len() {
            #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
            {
                self.bytes[self.len] = text[at];
            }
            self.len += 1;
            at += 1;
        }
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "this struct lacks fields of the model",
        }
    }
}
