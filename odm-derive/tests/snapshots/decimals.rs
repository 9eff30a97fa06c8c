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
    ///Typed field handles of `Account`, from `Account::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct AccountFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Id<Account>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `balance`, stored as `balance`.
        balance: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Decimal,
            1,
            __OdmAccountCodec1,
            __odm::FollowsChildren,
        >,
        ///The field `fees`, stored as `fees`.
        fees: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Decimal,
            2,
            __OdmAccountCodec2,
            __odm::FollowsChildren,
        >,
        ///The field `taxes`, stored as `taxes`.
        taxes: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Decimal,
            3,
            __OdmAccountCodec3,
            __odm::FollowsChildren,
        >,
        ///The field `exact`, stored as `exact`.
        exact: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Decimal128,
            4,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
        ///The field `mean`, stored as `mean`.
        mean: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Average,
            5,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
        ///The field `largest`, stored as `largest`.
        largest: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Account,
            Option<Decimal>,
            6,
            __OdmAccountCodec6,
            __odm::FollowsChildren,
        >,
    }
    ///The codec of `Account.balance`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmAccountCodec1;
    #[automatically_derived]
    impl __odm::Codec<Decimal> for __OdmAccountCodec1 {
        type Form = __odm::CodecPath<
            { __odm::relation_name("mongo_odm::with::native") },
        >;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Decimal,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Decimal, __OdmD::Error> {
            mongo_odm::with::native::deserialize(deserializer)
        }
    }
    ///The codec of `Account.fees`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmAccountCodec2;
    #[automatically_derived]
    impl __odm::Codec<Decimal> for __OdmAccountCodec2 {
        type Form = __odm::CodecPath<{ __odm::relation_name("with::native") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Decimal,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Decimal, __OdmD::Error> {
            with::native::deserialize(deserializer)
        }
    }
    ///The codec of `Account.taxes`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmAccountCodec3;
    #[automatically_derived]
    impl __odm::Codec<Decimal> for __OdmAccountCodec3 {
        type Form = __odm::CodecPath<
            { __odm::relation_name("mongo_odm::with::native") },
        >;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Decimal,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Decimal, __OdmD::Error> {
            mongo_odm::with::native::deserialize(deserializer)
        }
    }
    ///The codec of `Account.largest`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmAccountCodec6;
    #[automatically_derived]
    impl __odm::Codec<Option<Decimal>> for __OdmAccountCodec6 {
        type Form = __odm::CodecPath<
            { __odm::relation_name("mongo_odm::with::native") },
        >;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Option<Decimal>,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            mongo_odm::with::native::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Option<Decimal>, __OdmD::Error> {
            mongo_odm::with::native::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AccountFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AccountFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AccountFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            balance: __odm::Field::NEW,
            fees: __odm::Field::NEW,
            taxes: __odm::Field::NEW,
            exact: __odm::Field::NEW,
            mean: __odm::Field::NEW,
            largest: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Account {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AccountFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Account";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Account>>::ARRAY,
                    __odm::TypeProbe::<Id<Account>>::OPTION,
                    __odm::TypeProbe::<Id<Account>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Account>>::FORM,
                    __odm::TypeProbe::<Id<Account>>::TRACED_FORM,
                )
                .written("Id<Account>"),
            __odm::FieldShape::new("balance", "balance")
                .of_type(
                    (__odm::TypeProbe::<Decimal>::ARRAY
                        & !__odm::TypeProbe::<Decimal>::BYTES),
                    __odm::TypeProbe::<Decimal>::OPTION,
                    __odm::TypeProbe::<Decimal>::EMBED,
                )
                .written("Decimal")
                .codec("mongo_odm::with::native")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .path()
                        })
                        .zero(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .__rolled_up::<__odm::Sum, Decimal>()
                        }),
                ),
            __odm::FieldShape::new("fees", "fees")
                .of_type(
                    (__odm::TypeProbe::<Decimal>::ARRAY
                        & !__odm::TypeProbe::<Decimal>::BYTES),
                    __odm::TypeProbe::<Decimal>::OPTION,
                    __odm::TypeProbe::<Decimal>::EMBED,
                )
                .written("Decimal")
                .codec("with::native")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW.fee.path()
                        })
                        .zero(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .fee
                                .__rolled_up::<__odm::Sum, Decimal>()
                        }),
                ),
            __odm::FieldShape::new("taxes", "taxes")
                .of_type(
                    (__odm::TypeProbe::<Decimal>::ARRAY
                        & !__odm::TypeProbe::<Decimal>::BYTES),
                    __odm::TypeProbe::<Decimal>::OPTION,
                    __odm::TypeProbe::<Decimal>::EMBED,
                )
                .written("Decimal")
                .codec("mongo_odm::with::native")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW.tax.path()
                        })
                        .zero(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .tax
                                .__rolled_up::<__odm::Sum, Decimal>()
                        }),
                ),
            __odm::FieldShape::new("exact", "exact")
                .of_type(
                    __odm::TypeProbe::<Decimal128>::ARRAY,
                    __odm::TypeProbe::<Decimal128>::OPTION,
                    __odm::TypeProbe::<Decimal128>::EMBED,
                )
                .written("Decimal128")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .path()
                        })
                        .zero(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .__rolled_up::<__odm::Sum, Decimal128>()
                        }),
                ),
            __odm::FieldShape::new("mean", "mean")
                .of_type(
                    __odm::TypeProbe::<Average>::ARRAY,
                    __odm::TypeProbe::<Average>::OPTION,
                    __odm::TypeProbe::<Average>::EMBED,
                )
                .written("Average")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Average,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .path()
                        }),
                ),
            __odm::FieldShape::new("largest", "largest")
                .of_type(
                    (__odm::TypeProbe::<Option<Decimal>>::ARRAY
                        & !__odm::TypeProbe::<Option<Decimal>>::BYTES),
                    __odm::TypeProbe::<Option<Decimal>>::OPTION,
                    __odm::TypeProbe::<Option<Decimal>>::EMBED,
                )
                .default()
                .written("Option<Decimal>")
                .codec("mongo_odm::with::native")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Max,
                            || <Booking as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                    .account
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .account
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<Booking> as __odm::FieldSet>::NEW
                                .amount
                                .path()
                        }),
                ),
        ];
    }
    #[automatically_derived]
    impl Account {
        ///Returns typed field handles of `Account`, for filters, sorts and updates.
        fn fields() -> AccountFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Account {
        type Key = <Id<Account> as __odm::IdOf<Account>>::Key;
        type Id = Id<Account>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "decimals_accounts",
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
    impl __odm::DeclaresId<Id<Account>> for Account {
        fn __odm_declared_id(&self) -> &Id<Account> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Account>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .has_one_name(),
        "`Booking.amount` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_stored_as_number(),
        "the server computes `Account.balance` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Decimal > ::TEXT_FORM ||
        __odm::is_native("mongo_odm::with::native"),
        "`Account.balance` is a sum that the server stores as a Decimal128; write `#[serde(with = \"mongo_odm::with::native\")]`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.fee)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.fee)
        .has_one_name(),
        "`Booking.fee` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.fee)
        .is_stored_as_number(),
        "the server computes `Account.fees` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Decimal > ::TEXT_FORM || __odm::is_native("with::native"),
        "`Account.fees` is a sum that the server stores as a Decimal128; write `#[serde(with = \"mongo_odm::with::native\")]`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.tax)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.tax)
        .has_one_name(),
        "`Booking.tax` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.tax)
        .is_stored_as_number(),
        "the server computes `Account.taxes` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Decimal > ::TEXT_FORM ||
        __odm::is_native("mongo_odm::with::native"),
        "`Account.taxes` is a sum that the server stores as a Decimal128; write `#[serde(with = \"mongo_odm::with::native\")]`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Decimal128>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .has_one_name(),
        "`Booking.amount` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_stored_as_number(),
        "the server computes `Account.exact` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Average>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .has_one_name(),
        "`Booking.amount` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_stored_as_number(),
        "the server computes `Account.mean` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.account)
        .has_one_name(),
        "`Booking.account` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .has_one_name(),
        "`Booking.amount` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < Booking > as __odm::FieldSet > ::NEW.amount)
        .has_codec(::core::option::Option::Some("mongo_odm::with::native")),
        "the server computes `Account.largest` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    fn __odm_checks() {
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .amount
            .__rolled_up::<__odm::Mean, Average>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .account
            .__refers_to::<Account>();
        <__odm::Handles<Booking> as __odm::FieldSet>::NEW
            .amount
            .__rolled_up::<__odm::Extreme, Option<Decimal>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Account > ()
    }
};
