//! Field types that are stored as strings, and field types for `contains`.

use std::{borrow::Cow, sync::Arc};

use mongodb::bson::{Bson, doc};

use super::{ArrayElements, FieldOf, equality_without_copies::same_elements};
use crate::{
    error::Result,
    value::{key::equal_to, presence::Presence},
};

/// Implemented by field types that are stored as strings.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored as a string",
    label = "not a string",
    note = "strings are `String`, `Box<str>`, `Arc<str>`, `Cow<'static, str>` and options of them; of an array of strings, ask `.each()`"
)]
pub trait TextType {}

/// Implemented by field types that `contains` accepts: arrays and strings.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an array nor a string",
    label = "neither an array nor a string",
    note = "compare a single value with `.eq(..)`"
)]
pub trait PartedType: Sized {
    /// The type of the operand: an array element, or a string.
    type Part;

    /// Returns a condition that is true if the field contains the given element or string.
    #[doc(hidden)]
    fn condition<M, F: FieldOf<M, Value = Self>>(field: F, part: Self::Part) -> Result<Bson>;
}

#[diagnostic::do_not_recommend]
impl<A: ArrayElements> PartedType for A {
    type Part = A::Item;

    fn condition<M, F: FieldOf<M, Value = Self>>(field: F, part: A::Item) -> Result<Bson> {
        let mut items = A::encode(field, vec![part])?;
        let item = items.pop().unwrap_or(Bson::Null);
        let same = same_elements(field.shape(), std::slice::from_ref(&item));
        Ok(match same.and_then(|it| it.structs.into_iter().next()) {
            Some(same) => doc! { "$elemMatch": same }.into(),
            // The server would also compare these values with the whole field, which may be an empty array, null or
            // missing.
            None if matches!(item, Bson::Array(_) | Bson::Null) => {
                doc! { "$elemMatch": { "$eq": item } }.into()
            }
            None => equal_to(item),
        })
    }
}

macro_rules! texts {
    ($($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl TextType for $type {}

        #[diagnostic::do_not_recommend]
        impl PartedType for $type {
            type Part = String;

            fn condition<M, F: FieldOf<M, Value = Self>>(_: F, part: String) -> Result<Bson> {
                Ok(doc! { "$regex": escape_pattern(&part) }.into())
            }
        }
    )*};
}
texts!(String, Option<String>, Presence<String>);
texts!(Box<str>, Option<Box<str>>, Presence<Box<str>>);
texts!(Arc<str>, Option<Arc<str>>, Presence<Arc<str>>);
texts!(
    Cow<'static, str>,
    Option<Cow<'static, str>>,
    Presence<Cow<'static, str>>
);

/// Escapes a string, so that the returned pattern matches exactly this string. If a query searches for strings that
/// start with the pattern, the server can use an index.
pub(crate) fn escape_pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // The server rejects patterns that contain this character.
            '\0' => pattern.push_str(r"\x00"),
            letter => {
                if r"\^$.|?*+()[]{}".contains(letter) {
                    pattern.push('\\');
                }
                pattern.push(letter);
            }
        }
    }
    pattern
}
