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
    ///Typed field handles of `Order`, from `Order::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct OrderFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        pub id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            Id<Order, uuid::Uuid>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `at`, stored as `at`.
        pub at: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            chrono::DateTime<chrono::Utc>,
            1,
            __OdmOrderCodec1,
        >,
        ///The field `price`, stored as `price`.
        pub price: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            Option<rust_decimal::Decimal>,
            2,
            __OdmOrderCodec2,
            __odm::Defaulted,
        >,
        ///The field `seen`, stored as `seen`.
        pub seen: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Order,
            Vec<jiff::ZonedDateTime>,
            3,
            __OdmOrderCodec3,
        >,
    }
    ///The codec of `Order.at`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    pub struct __OdmOrderCodec1;
    #[automatically_derived]
    impl __odm::Codec<chrono::DateTime<chrono::Utc>> for __OdmOrderCodec1 {
        type Form = __odm::CodecPath<
            { __odm::relation_name("mongo_odm::with::native") },
        >;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &chrono::DateTime<chrono::Utc>,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<chrono::DateTime<chrono::Utc>, __OdmD::Error> {
            mongo_odm::with::native::deserialize(deserializer)
        }
    }
    ///The codec of `Order.price`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    pub struct __OdmOrderCodec2;
    #[automatically_derived]
    impl __odm::Codec<Option<rust_decimal::Decimal>> for __OdmOrderCodec2 {
        type Form = __odm::CodecPath<
            { __odm::relation_name("mongo_odm::with::native") },
        >;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Option<rust_decimal::Decimal>,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Option<rust_decimal::Decimal>, __OdmD::Error> {
            mongo_odm::with::native::deserialize(deserializer)
        }
    }
    ///The codec of `Order.seen`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    pub struct __OdmOrderCodec3;
    #[automatically_derived]
    impl __odm::Codec<Vec<jiff::ZonedDateTime>> for __OdmOrderCodec3 {
        type Form = __odm::CodecPath<{ __odm::relation_name("mongo_odm::with::text") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Vec<jiff::ZonedDateTime>,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::text::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Vec<jiff::ZonedDateTime>, __OdmD::Error> {
            mongo_odm::with::text::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for OrderFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for OrderFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for OrderFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            at: __odm::Field::NEW,
            price: __odm::Field::NEW,
            seen: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Order {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = OrderFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Order";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Order, uuid::Uuid>>::ARRAY,
                    __odm::TypeProbe::<Id<Order, uuid::Uuid>>::OPTION,
                    __odm::TypeProbe::<Id<Order, uuid::Uuid>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Order, uuid::Uuid>>::FORM,
                    __odm::TypeProbe::<Id<Order, uuid::Uuid>>::TRACED_FORM,
                )
                .written("Id<Order, Uuid>"),
            __odm::FieldShape::new("at", "at")
                .of_type(
                    (__odm::TypeProbe::<chrono::DateTime<chrono::Utc>>::ARRAY
                        & !__odm::TypeProbe::<chrono::DateTime<chrono::Utc>>::BYTES),
                    __odm::TypeProbe::<chrono::DateTime<chrono::Utc>>::OPTION,
                    __odm::TypeProbe::<chrono::DateTime<chrono::Utc>>::EMBED,
                )
                .form(
                    __odm::native_form(
                        "mongo_odm::with::native",
                        __odm::TypeProbe::<chrono::DateTime<chrono::Utc>>::NATIVE_FORM,
                    ),
                    ::core::option::Option::None,
                )
                .written("DateTime<Utc>")
                .codec("mongo_odm::with::native")
                .index(__odm::IndexShape::new(&[])),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    (__odm::TypeProbe::<Option<rust_decimal::Decimal>>::ARRAY
                        & !__odm::TypeProbe::<Option<rust_decimal::Decimal>>::BYTES),
                    __odm::TypeProbe::<Option<rust_decimal::Decimal>>::OPTION,
                    __odm::TypeProbe::<Option<rust_decimal::Decimal>>::EMBED,
                )
                .form(
                    __odm::native_form(
                        "mongo_odm::with::native",
                        __odm::TypeProbe::<Option<rust_decimal::Decimal>>::NATIVE_FORM,
                    ),
                    ::core::option::Option::None,
                )
                .default()
                .written("Option<Decimal>")
                .codec("mongo_odm::with::native"),
            __odm::FieldShape::new("seen", "seen")
                .of_type(
                    (__odm::TypeProbe::<Vec<jiff::ZonedDateTime>>::ARRAY
                        & !__odm::TypeProbe::<Vec<jiff::ZonedDateTime>>::BYTES),
                    __odm::TypeProbe::<Vec<jiff::ZonedDateTime>>::OPTION,
                    __odm::TypeProbe::<Vec<jiff::ZonedDateTime>>::EMBED,
                )
                .form(
                    __odm::native_form(
                        "mongo_odm::with::text",
                        __odm::TypeProbe::<Vec<jiff::ZonedDateTime>>::NATIVE_FORM,
                    ),
                    ::core::option::Option::None,
                )
                .written("Vec<ZonedDateTime>")
                .codec("mongo_odm::with::text"),
        ];
    }
    #[automatically_derived]
    impl Order {
        ///Returns typed field handles of `Order`, for filters, sorts and updates.
        pub fn fields() -> OrderFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Order {
        type Key = <Id<Order, uuid::Uuid> as __odm::IdOf<Order>>::Key;
        type Id = Id<Order, uuid::Uuid>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "orders",
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
    impl __odm::DeclaresId<Id<Order, uuid::Uuid>> for Order {
        fn __odm_declared_id(&self) -> &Id<Order, uuid::Uuid> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Order, uuid::Uuid>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Order > ()
    }
};
