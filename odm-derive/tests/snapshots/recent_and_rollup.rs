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
    ///Typed field handles of `Host`, from `Host::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct HostFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Host,
            Id<Host>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `logmsgs`, stored as `logmsgs`.
        logmsgs: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Host,
            Vec<LogLine>,
            1,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
        ///The field `messages`, stored as `messages`.
        messages: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Host,
            i64,
            2,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
        ///The field `bytes`, stored as `bytes`.
        bytes: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Host,
            i64,
            3,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
        ///The field `last`, stored as `last`.
        last: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Host,
            Option<DateTime>,
            4,
            __odm::AsSerde,
            __odm::FollowsChildren,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for HostFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for HostFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for HostFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            logmsgs: __odm::Field::NEW,
            messages: __odm::Field::NEW,
            bytes: __odm::Field::NEW,
            last: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Host {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = HostFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Host";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::OPTION,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Host>>::FORM,
                    __odm::TypeProbe::<Id<Host>>::TRACED_FORM,
                )
                .written("Id<Host>"),
            __odm::FieldShape::new("logmsgs", "logmsgs")
                .of_type(
                    __odm::TypeProbe::<Vec<LogLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<LogLine>>::OPTION,
                    __odm::TypeProbe::<Vec<LogLine>>::EMBED,
                )
                .written("Vec<LogLine>")
                .recent(
                    __odm::RecentShape::new(
                            || <LogMsg as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                    .host
                                    .__reference_path()
                            },
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.time.path()
                            },
                            1000u32,
                            __odm::line_shape::<Vec<LogLine>, LogMsg>,
                        )
                        .key(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__target_path()
                        }),
                ),
            __odm::FieldShape::new("messages", "messages")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .written("i64")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Count,
                            || <LogMsg as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                    .host
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__target_path()
                        }),
                ),
            __odm::FieldShape::new("bytes", "bytes")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .written("i64")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <LogMsg as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                    .host
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.size.path()
                        })
                        .zero(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .size
                                .__rolled_up::<__odm::Sum, i64>()
                        }),
                ),
            __odm::FieldShape::new("last", "last")
                .of_type(
                    __odm::TypeProbe::<Option<DateTime>>::ARRAY,
                    __odm::TypeProbe::<Option<DateTime>>::OPTION,
                    __odm::TypeProbe::<Option<DateTime>>::EMBED,
                )
                .written("Option<DateTime>")
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Max,
                            || <LogMsg as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                    .host
                                    .__reference_path()
                            },
                        )
                        .key(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__target_path()
                        })
                        .field(|| {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.time.path()
                        }),
                ),
        ];
    }
    #[automatically_derived]
    impl Host {
        ///Returns typed field handles of `Host`, for filters, sorts and updates.
        fn fields() -> HostFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Host {
        type Key = <Id<Host> as __odm::IdOf<Host>>::Key;
        type Id = Id<Host>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "hosts",
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
    impl __odm::DeclaresId<Id<Host>> for Host {
        fn __odm_declared_id(&self) -> &Id<Host> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Host>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<LogLine>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.host)
        .has_one_name(),
        "`LogMsg.host` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.time)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.time)
        .has_one_name(),
        "`LogMsg.time` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.host)
        .has_one_name(),
        "`LogMsg.host` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.host)
        .has_one_name(),
        "`LogMsg.host` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.size)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.size)
        .has_one_name(),
        "`LogMsg.size` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.size)
        .is_stored_as_number(),
        "the server computes `Host.bytes` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<DateTime>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.host)
        .has_one_name(),
        "`LogMsg.host` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.time)
        .is_single(),
        "this field of the child is in an array, but each child needs one value; write a field outside of arrays"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.time)
        .has_one_name(),
        "`LogMsg.time` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::source(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.time)
        .has_codec(::core::option::Option::None),
        "the server computes `Host.last` from stored values, but this field of the child has another codec; write a field with the same stored form"
    );
    fn __odm_checks() {
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__refers_to::<Host>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__refers_to::<Host>();
        __odm::check_count::<i64>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__refers_to::<Host>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__refers_to::<Host>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
            .time
            .__rolled_up::<__odm::Extreme, Option<DateTime>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Host > ()
    }
};
