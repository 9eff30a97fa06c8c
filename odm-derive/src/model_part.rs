//! Reads structs that contain some fields of a model and are not stored themselves, such as patches.

use proc_macro2::{Ident, TokenStream};
use syn::{Data, DeriveInput, Fields, FieldsNamed, Path};

use crate::{
    attr::{Options, default_library, single},
    error::Errors,
};

/// The words of a derive that occur in its messages.
pub(crate) struct Words {
    pub(crate) derive: &'static str,
    pub(crate) attribute: &'static str,
    /// Whether the attribute has the option `validate`.
    pub(crate) has_validate: bool,
    /// Whether the attribute has the option `set(..)`.
    pub(crate) has_set: bool,
    /// An example of a struct, for a message.
    pub(crate) example: &'static str,
}

/// The options of the attribute, such as `#[patch(..)]`.
pub(crate) struct Container {
    pub(crate) library: Path,
    pub(crate) of: Option<Path>,
    /// The tokens of the option `validate`.
    pub(crate) validate: Option<TokenStream>,
    /// The fields in the option `set(..)`.
    pub(crate) set: Vec<Ident>,
}

impl Container {
    pub(crate) fn read(input: &DeriveInput, words: &Words, errors: &mut Errors) -> Self {
        let Words {
            derive, attribute, ..
        } = words;
        let Some(found) = single(&input.attrs, attribute, errors) else {
            let message =
                format!("`{derive}` needs its attribute; add `#[{attribute}(of = \"Model\")]`");
            errors.at(&input.ident, message);
            return Self {
                library: default_library(),
                of: None,
                validate: None,
                set: Vec::new(),
            };
        };
        let mut options = Options::read(found, errors);
        let library = options.path("crate", "\"mongo_odm\"");
        let of = options.path("of", "\"Model\"");
        if of.is_none() {
            options.missing(&["of"], "write `of = \"Model\"`");
        }
        let validate = words.has_validate.then(|| options.word("validate"));
        let set = words.has_set.then(|| options.names("set"));
        options.finish();
        Self {
            library: library.unwrap_or_else(default_library),
            of,
            validate: validate.flatten(),
            set: set.unwrap_or_default(),
        }
    }
}

/// Returns the fields of the struct. Reports an item that cannot contain fields of a model.
pub(crate) fn fields<'i>(
    input: &'i DeriveInput,
    words: &Words,
    errors: &mut Errors,
) -> Option<&'i FieldsNamed> {
    let Words {
        derive, example, ..
    } = words;
    if !input.generics.params.is_empty() {
        let message = format!("`{derive}` cannot be generic; write one struct for each model");
        errors.at(&input.generics, message);
        return None;
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(fields),
            Fields::Unnamed(_) | Fields::Unit => errors.at(
                &input.ident,
                format!("`{derive}` needs the fields of a model; write `{example}`"),
            ),
        },
        Data::Enum(_) | Data::Union(_) => errors.at(
            &input.ident,
            format!("`{derive}` needs a struct that has some fields of a model"),
        ),
    }
    None
}
