//! Traces the stored form of a type: calls its `Deserialize` impl with a deserializer that records the requested type.
//!
//! A Rust type that can read its own stored values must request the BSON type that it writes. So the requested type is
//! the stored form. A Rust type that accepts several BSON types requests `any`, so its form is not known. The driver's
//! types request `any` or bytes, so the form of a newtype around one of them is not known, either.
//!
//! An enum is read once for each variant, because a variant is stored as a string only if it requests no content.

use std::fmt;

use serde::{
    Deserializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, SeqAccess,
        VariantAccess, Visitor,
    },
    forward_to_deserialize_any,
};

use super::BsonForm;

/// Returns the stored form of a type, as its `Deserialize` impl requests it.
pub(crate) fn traced_form<T: DeserializeOwned>() -> BsonForm {
    let first = Trace::of::<T>("");
    let form = match first.request {
        Request::Form(form) => form,
        Request::Enum(names) if is_closed::<T>(names) => BsonForm::Names(names.to_vec()),
        Request::Enum(_) => BsonForm::Any,
    };
    let containers = first.containers.into_iter().rev();
    containers.fold(form, |form, container| match container {
        Container::Array => BsonForm::array(form),
        Container::Option => BsonForm::nullable(form),
    })
}

/// Returns whether all variants of an enum are stored as strings and the enum rejects all other strings.
fn is_closed<T: DeserializeOwned>(names: &[&'static str]) -> bool {
    // No variant has this name, so an enum that accepts the name has a variant for all other strings.
    const OTHER: &str = "\u{0}";
    let variant = |name| Trace::of::<T>(name).variant;
    let mut names = names.iter();
    names.all(|name| variant(name) == Some(Variant::Unit)) && variant(OTHER).is_none()
}

/// The requests of a `Deserialize` impl.
struct Trace {
    /// The name of the variant that the deserializer passes to an enum.
    name: &'static str,
    /// The containers around the value, the outermost first.
    containers: Vec<Container>,
    request: Request,
    /// The content that the enum requested for the variant. `None` if the enum does not have a variant with the name.
    variant: Option<Variant>,
}

#[derive(Clone, Copy)]
enum Container {
    Array,
    Option,
}

enum Request {
    Form(BsonForm),
    /// An enum with these variants, including their aliases.
    Enum(&'static [&'static str]),
}

#[derive(Clone, Copy, PartialEq)]
enum Variant {
    Unit,
    Other,
}

impl Trace {
    fn of<T: DeserializeOwned>(name: &'static str) -> Self {
        let mut trace = Self {
            name,
            containers: Vec::new(),
            request: Request::Form(BsonForm::Any),
            variant: None,
        };
        // The result is ignored, because the deserializer does not contain a value.
        let _ = T::deserialize(Tracer(&mut trace));
        trace
    }

    /// Records a container. Fails if there are too many, as in a newtype that contains itself.
    fn enter(&mut self, container: Container) -> Result<(), Traced> {
        const DEEPEST: usize = 16;
        if self.containers.len() >= DEEPEST {
            return Err(Traced);
        }
        self.containers.push(container);
        Ok(())
    }
}

/// The error that ends the trace as soon as the request is known.
#[derive(Debug)]
struct Traced;

/// Returns whether a deserializer only traces the form in which a type is stored.
pub(crate) fn traces<'de, D: Deserializer<'de>>() -> bool {
    typeid::of::<D::Error>() == typeid::of::<Traced>()
}

impl fmt::Display for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("traced")
    }
}

impl std::error::Error for Traced {}

impl de::Error for Traced {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

struct Tracer<'t>(&'t mut Trace);

impl Tracer<'_> {
    fn request<T>(self, form: BsonForm) -> Result<T, Traced> {
        self.0.request = Request::Form(form);
        Err(Traced)
    }
}

macro_rules! request {
    ($($method:ident($($argument:ty),*): $form:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $(_: $argument,)* _: V) -> Result<V::Value, Traced> {
            self.request($form)
        }
    )*};
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Traced;

    request! {
        deserialize_any(): BsonForm::Any;
        deserialize_bool(): BsonForm::BOOL;
        deserialize_i8(): BsonForm::INTEGER;
        deserialize_i16(): BsonForm::INTEGER;
        deserialize_i32(): BsonForm::INTEGER;
        deserialize_i64(): BsonForm::INTEGER;
        deserialize_u8(): BsonForm::INTEGER;
        deserialize_u16(): BsonForm::INTEGER;
        deserialize_u32(): BsonForm::INTEGER;
        deserialize_u64(): BsonForm::INTEGER;
        deserialize_f32(): BsonForm::FLOAT;
        deserialize_f64(): BsonForm::FLOAT;
        deserialize_char(): BsonForm::STRING;
        deserialize_str(): BsonForm::STRING;
        deserialize_string(): BsonForm::STRING;
        deserialize_tuple(usize): BsonForm::array(BsonForm::Any);
        deserialize_tuple_struct(&'static str, usize): BsonForm::array(BsonForm::Any);
        deserialize_map(): BsonForm::Document;
        deserialize_struct(&'static str, &'static [&'static str]): BsonForm::Document;
    }
    forward_to_deserialize_any! { i128 u128 bytes byte_buf unit unit_struct identifier ignored_any }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Traced> {
        self.0.enter(Container::Option)?;
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Traced> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Traced> {
        self.0.enter(Container::Array)?;
        visitor.visit_seq(OneItem(Some(self)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Traced> {
        self.0.request = Request::Enum(variants);
        visitor.visit_enum(self)
    }

    /// BSON is not human-readable.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The only element of an array.
struct OneItem<'t>(Option<Tracer<'t>>);

impl<'de> SeqAccess<'de> for OneItem<'_> {
    type Error = Traced;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Traced> {
        self.0.take().map(|item| seed.deserialize(item)).transpose()
    }
}

impl<'de, 't> EnumAccess<'de> for Tracer<'t> {
    type Error = Traced;
    type Variant = Tracer<'t>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Traced> {
        let name: de::value::StrDeserializer<'_, Traced> = self.0.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Tracer<'_> {
    type Error = Traced;

    fn unit_variant(self) -> Result<(), Traced> {
        self.0.variant = Some(Variant::Unit);
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Traced> {
        self.0.variant = Some(Variant::Other);
        Err(Traced)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Traced> {
        self.0.variant = Some(Variant::Other);
        Err(Traced)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Traced> {
        self.0.variant = Some(Variant::Other);
        Err(Traced)
    }
}

#[cfg(test)]
#[allow(dead_code, reason = "the types are only traced")]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use mongodb::bson::{Bson, DateTime, Decimal128, Uuid, oid::ObjectId};
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    enum State {
        Open,
        #[serde(alias = "closed")]
        InTheEnd,
    }

    #[derive(Deserialize)]
    struct Point {
        x: i32,
    }

    #[test]
    fn an_enum_of_strings_has_its_names_and_aliases() {
        let names = BsonForm::Names(vec!["open", "closed", "in_the_end"]);
        assert_eq!(traced_form::<State>(), names);
        let some = BsonForm::nullable(BsonForm::array(names.clone()));
        assert_eq!(traced_form::<Option<Vec<State>>>(), some);
        assert_eq!(traced_form::<BTreeSet<State>>(), BsonForm::array(names));
    }

    #[test]
    fn an_enum_that_accepts_more_than_its_names_has_no_known_form() {
        #[derive(Deserialize)]
        enum WithOther {
            Known,
            #[serde(other)]
            Other,
        }
        #[derive(Deserialize)]
        enum WithContent {
            Empty,
            Full(i32),
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Untagged {
            Number(i32),
            Text(String),
        }
        assert_eq!(traced_form::<WithOther>(), BsonForm::Any);
        assert_eq!(traced_form::<WithContent>(), BsonForm::Any);
        assert_eq!(traced_form::<Untagged>(), BsonForm::Any);
    }

    #[test]
    fn a_newtype_has_the_form_of_its_value() {
        #[derive(Deserialize)]
        struct Name(String);
        #[derive(Deserialize)]
        #[serde(try_from = "i64")]
        struct Even(i64);
        impl TryFrom<i64> for Even {
            type Error = String;
            fn try_from(value: i64) -> Result<Self, String> {
                (value % 2 == 0)
                    .then_some(Self(value))
                    .ok_or_else(|| "odd".to_owned())
            }
        }
        #[derive(Deserialize)]
        struct Nested(Vec<Nested>);
        assert_eq!(traced_form::<Name>(), BsonForm::STRING);
        assert_eq!(traced_form::<Box<Even>>(), BsonForm::INTEGER);
        assert_eq!(traced_form::<Point>(), BsonForm::Document);
        assert_eq!(traced_form::<HashMap<String, Point>>(), BsonForm::Document);
        let pair = BsonForm::array(BsonForm::Any);
        assert_eq!(traced_form::<(String, i32)>(), pair);
        // A type that contains itself does not recurse forever.
        assert!(matches!(traced_form::<Nested>(), BsonForm::Array(_)));
    }

    #[test]
    fn a_newtype_around_a_native_value_has_no_traced_form() {
        #[derive(Deserialize)]
        struct When(#[serde(with = "crate::value::with::native")] DateTime);
        #[derive(Deserialize)]
        struct Days(#[serde(with = "crate::value::with::native")] Vec<DateTime>);
        #[derive(Deserialize)]
        struct Text(#[serde(with = "crate::value::with::text")] DateTime);
        assert_eq!(traced_form::<When>(), BsonForm::Any);
        assert_eq!(traced_form::<Days>(), BsonForm::array(BsonForm::Any));
        assert_eq!(traced_form::<Text>(), BsonForm::STRING);
    }

    /// The driver's types request bytes or any value. Such a request must not be mistaken for their form.
    #[test]
    fn the_types_of_the_driver_have_no_traced_form() {
        #[derive(Deserialize)]
        struct TaskId(ObjectId);
        assert_eq!(traced_form::<TaskId>(), BsonForm::Any);
        assert_eq!(traced_form::<DateTime>(), BsonForm::Any);
        assert_eq!(traced_form::<Decimal128>(), BsonForm::Any);
        assert_eq!(traced_form::<Uuid>(), BsonForm::Any);
        assert_eq!(traced_form::<Bson>(), BsonForm::Any);
    }
}
