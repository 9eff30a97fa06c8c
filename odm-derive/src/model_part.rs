//! Reads structs that contain some fields of a model and are not stored themselves, such as patches.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Field, Fields, FieldsNamed, Meta, Path};

use crate::{
    attr::{Options, default_library, refuse_parameters, single},
    error::Errors,
    expand::handle,
    hygiene::ends,
};

/// The names and options in which the derives of `Insertable` and `Patch` differ.
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
        let of = options.struct_path("of", "\"Model\"");
        options.require("of", of.as_ref(), "write `of = \"Model\"`");
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
        let remedy = "write one struct for each model";
        refuse_parameters(derive, remedy, &input.generics, errors);
        return None;
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                for field in &fields.named {
                    check_embed(field, derive, errors);
                }
                return Some(fields);
            }
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

/// Reports options of `#[embed]`, which only a field of a model has.
fn check_embed(field: &Field, derive: &str, errors: &mut Errors) {
    let Some(embed) = single(&field.attrs, "embed", errors) else {
        return;
    };
    if !matches!(embed.meta, Meta::Path(_)) {
        let message = format!(
            "`embed` has no options in the derive of `{derive}`; write `#[embed]`, and options such as `max` at the field of the model"
        );
        errors.at(&embed.meta, message);
    }
}

/// Generates the call for one field. `plain` and `embedded` are the names of the library's functions for a plain field
/// and for an `#[embed]` field. `arguments` receives the name of the field, and returns the arguments of the call.
///
/// The first part of the call contains the handle and the type, but no local variable. So an error marks the user's
/// tokens, even if a `macro_rules` macro has generated the struct.
pub(crate) fn field_call(
    field: &Field,
    [plain, embedded]: [&str; 2],
    arguments: impl FnOnce(&Ident) -> TokenStream,
) -> Option<TokenStream> {
    let (ident, ty) = (field.ident.as_ref()?, &field.ty);
    let (first, last) = ends(ty);
    let of = quote_spanned!(ident.span()=> __OdmOf);
    let handle = handle(&of, std::slice::from_ref(ident));
    let is_embedded = field.attrs.iter().any(|it| it.path().is_ident("embed"));
    let function = Ident::new(if is_embedded { embedded } else { plain }, first);
    let function = quote_spanned!(first=> __odm::#function);
    let inferred = quote_spanned!(ident.span()=> _, _,);
    let function = quote_spanned!(last=> #function::<#inferred #ty>(#handle));
    let arguments = arguments(ident);
    Some(quote!((#function)(#arguments);))
}
