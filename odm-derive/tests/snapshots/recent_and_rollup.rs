/**Typed handles of the stored fields of `Host`.

Got from `Host::fields()`, or from the handle of a field that embeds a `Host`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct HostFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, Id<Host>, 0>,
    ///The field `logmsgs`, stored as `logmsgs`.
    logmsgs: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Host,
        Vec<LogLine>,
        1,
    >,
    ///The field `messages`, stored as `messages`.
    messages: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, i64, 2>,
    ///The field `bytes`, stored as `bytes`.
    bytes: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Host, i64, 3>,
    ///The field `last`, stored as `last`.
    last: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Host,
        Option<DateTime>,
        4,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = HostFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Host";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                ),
            __odm::FieldShape::new("logmsgs", "logmsgs")
                .of_type(
                    __odm::TypeProbe::<Vec<LogLine>>::ARRAY,
                    __odm::TypeProbe::<Vec<LogLine>>::EMBED,
                )
                .recent(
                    __odm::RecentShape::new(
                        || <LogMsg as __odm::Model>::SHAPE,
                        || <LogMsg>::fields().host.__reference_path(),
                        || <LogMsg>::fields().time.path(),
                        1000u32,
                    ),
                ),
            __odm::FieldShape::new("messages", "messages")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .rollup(
                    __odm::RollupShape::new(
                        __odm::RollupKind::Count,
                        || <LogMsg as __odm::Model>::SHAPE,
                        || <LogMsg>::fields().host.__reference_path(),
                    ),
                ),
            __odm::FieldShape::new("bytes", "bytes")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Sum,
                            || <LogMsg as __odm::Model>::SHAPE,
                            || <LogMsg>::fields().host.__reference_path(),
                        )
                        .field(|| <LogMsg>::fields().size.path()),
                ),
            __odm::FieldShape::new("last", "last")
                .of_type(
                    __odm::TypeProbe::<Option<DateTime>>::ARRAY,
                    __odm::TypeProbe::<Option<DateTime>>::EMBED,
                )
                .rollup(
                    __odm::RollupShape::new(
                            __odm::RollupKind::Max,
                            || <LogMsg as __odm::Model>::SHAPE,
                            || <LogMsg>::fields().host.__reference_path(),
                        )
                        .field(|| <LogMsg>::fields().time.path()),
                ),
        ];
    }
    #[automatically_derived]
    impl Host {
        ///Returns typed handles of the stored fields of `Host`, for filters, sorts and updates.
        fn fields() -> HostFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Host {
        type Key = <Id<Host> as __odm::IdOf<Host>>::Key;
        type Id = Id<Host>;
        fn id(&self) -> &Id<Host> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "hosts",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        Host { id 628021283683842752 Id < Host >, logmsgs 8215268897002186895 Vec <
        LogLine >, messages 1063340946325652309 i64, bytes 3399866181213769700 i64, last
        312668867041707993 Option < DateTime >, }
    );
    fn __odm_checks() {
        fn __odm_lists<T: ::mongo_odm::field::ArrayType<Item: __odm::Projection<C>>, C>() {}
        __odm_lists::<Vec<LogLine>, LogMsg>();
        <LogMsg>::fields().host.__refers_to::<Host>();
        <LogMsg>::fields().time.path();
        <LogMsg>::fields().host.__refers_to::<Host>();
        <LogMsg>::fields().host.__refers_to::<Host>();
        <LogMsg>::fields().size.path();
        <LogMsg>::fields().host.__refers_to::<Host>();
        <LogMsg>::fields().time.path();
        __odm::check_id::<Id<Host>, Host>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Host as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `LogMsg`.

Got from `LogMsg::fields()`, or from the handle of a field that embeds a `LogMsg`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct LogMsgFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, Id<LogMsg>, 0>,
    ///The field `time`, stored as `time`.
    time: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, DateTime, 1>,
    ///The field `size`, stored as `size`.
    size: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, i64, 2>,
    ///The field `host`, stored as `host`.
    host: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, Id<Host>, 3>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for LogMsgFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LogMsgFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LogMsgFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            time: __odm::Field::NEW,
            size: __odm::Field::NEW,
            host: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for LogMsg {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LogMsgFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "LogMsg";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<LogMsg>>::ARRAY,
                    __odm::TypeProbe::<Id<LogMsg>>::EMBED,
                ),
            __odm::FieldShape::new("time", "time")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::EMBED,
                ),
            __odm::FieldShape::new("size", "size")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("host", "host")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || {
                                <<Id<
                                    Host,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Host>>,
                        )
                        .keyed(<Id<Host> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Host>>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl LogMsg {
        ///Returns typed handles of the stored fields of `LogMsg`, for filters, sorts and updates.
        fn fields() -> LogMsgFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for LogMsg {
        type Key = <Id<LogMsg> as __odm::IdOf<LogMsg>>::Key;
        type Id = Id<LogMsg>;
        fn id(&self) -> &Id<LogMsg> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "logmsg",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<Host> as __odm::Reference>::Target, 3> for LogMsg {}
    #[automatically_derived]
    impl LogMsg {
        const __ODM_HOST: __odm::Relation<
            Self,
            <Id<Host> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "LogMsg.host",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.host,
                __odm_found,
            ),
            <Id<Host> as __odm::Reference>::target_path,
        );
        /**Loads the document that `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_host(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_host<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Host> as __odm::Reference>::Target> {
            Self::__ODM_HOST.join_one(owners, odm)
        }
    }
    __odm::gives!(
        LogMsg { id 628021283683842752 Id < LogMsg >, time 2185518981507421060 DateTime,
        size 5614464919154503228 i64, host 4645455097838390639 Id < Host >, }
    );
    const _: () = ::core::assert!(
        ! < Id < Host > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `LogMsg.host` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        __odm::check_id::<Id<LogMsg>, LogMsg>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< LogMsg as __odm::Model > ::SHAPE)
    }
};

#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<LogMsg> for LogLine {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "LogLine",
            &[
                __odm::FieldShape::new("time", "time")
                    .of_type(
                        __odm::TypeProbe::<DateTime>::ARRAY,
                        __odm::TypeProbe::<DateTime>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< LogMsg as __odm::HasFields > ::FIELDS, "time").is_none() ||
        __odm::same_stored_name(< LogMsg as __odm::HasFields > ::FIELDS, "time", "time",
        ::core::option::Option::None),
        "`LogLine.time` reads `time`, and `LogMsg` stores `time` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <LogMsg>::fields().time.__projected_as::<DateTime>();
    }
};
