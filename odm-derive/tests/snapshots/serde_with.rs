#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    non_camel_case_types,
    non_snake_case,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    ///Typed field handles of `A`, from `A::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct AFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Id<A>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `price`, stored as `price`.
        price: __odm::Field<__OdmDocument, __OdmPath, A, f64, 1, __OdmACodec1>,
        ///The field `cost`, stored as `cost`.
        cost: __odm::Field<__OdmDocument, __OdmPath, A, f64, 2, __OdmACodec2>,
        ///The field `half`, stored as `half`.
        half: __odm::Field<__OdmDocument, __OdmPath, A, f64, 3, __OdmACodec3>,
    }
    ///The codec of `A.price`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmACodec1;
    #[automatically_derived]
    impl __odm::Codec<f64> for __OdmACodec1 {
        type Form = __odm::CodecPath<{ __odm::relation_name("cents") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &f64,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            cents::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<f64, __OdmD::Error> {
            cents::deserialize(deserializer)
        }
    }
    ///The codec of `A.cost`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmACodec2;
    #[automatically_derived]
    impl __odm::Codec<f64> for __OdmACodec2 {
        type Form = __odm::CodecPath<{ __odm::relation_name("cents") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &f64,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            cents::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<f64, __OdmD::Error> {
            cents::deserialize(deserializer)
        }
    }
    ///The codec of `A.half`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmACodec3;
    #[automatically_derived]
    impl __odm::Codec<f64> for __OdmACodec3 {
        type Form = __odm::CodecPath<{ __odm::relation_name("cents::deserialize") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &f64,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            __odm::serde::Serialize::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<f64, __OdmD::Error> {
            cents::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            price: __odm::Field::NEW,
            cost: __odm::Field::NEW,
            half: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "A";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::OPTION,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<A>>::FORM,
                    __odm::TypeProbe::<Id<A>>::TRACED_FORM,
                )
                .written("Id<A>"),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    (__odm::TypeProbe::<f64>::ARRAY & !__odm::TypeProbe::<f64>::BYTES),
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::native_form("cents", __odm::TypeProbe::<f64>::NATIVE_FORM),
                    ::core::option::Option::None,
                )
                .written("f64")
                .codec("cents"),
            __odm::FieldShape::new("cost", "cost")
                .of_type(
                    (__odm::TypeProbe::<f64>::ARRAY & !__odm::TypeProbe::<f64>::BYTES),
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::native_form("cents", __odm::TypeProbe::<f64>::NATIVE_FORM),
                    ::core::option::Option::None,
                )
                .written("f64")
                .codec("cents"),
            __odm::FieldShape::new("half", "half")
                .of_type(
                    (__odm::TypeProbe::<f64>::ARRAY & !__odm::TypeProbe::<f64>::BYTES),
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::native_form(
                        "cents::deserialize",
                        __odm::TypeProbe::<f64>::NATIVE_FORM,
                    ),
                    ::core::option::Option::None,
                )
                .written("f64")
                .codec("cents::deserialize"),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed field handles of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "a",
            <Self as __odm::HasFields>::__ODM_FIELDS,
        );
        type __OdmModel = Self;
        fn __odm_read_document(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_model::<Self>(__odm_collection, __odm_part, __odm_whole)
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresId<Id<A>> for A {
        fn __odm_declared_id(&self) -> &Id<A> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < A > ()
    }
};
