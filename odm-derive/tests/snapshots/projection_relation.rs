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
        const NEW: Self = Self { id: __odm::Field::NEW };
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
    __odm::gives!(Host { id 628021283683842752 Id < Host >, });
    fn __odm_checks() {
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
    ///The field `host`, stored as `host`.
    host: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, Id<Host>, 1>,
    ///The field `message`, stored as `message`.
    message: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, LogMsg, String, 2>,
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
            host: __odm::Field::NEW,
            message: __odm::Field::NEW,
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
            __odm::FieldShape::new("message", "message")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
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
    impl __odm::Refers<<Id<Host> as __odm::Reference>::Target, 1> for LogMsg {}
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
        LogMsg { id 628021283683842752 Id < LogMsg >, host 4645455097838390639 Id < Host
        >, message 6080987277291999908 String, }
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
    impl __odm::Projection<LogMsg> for LogHost {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "LogHost",
            &[
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
            ],
        );
        const STRICT: bool = false;
    }
    #[automatically_derived]
    impl LogHost {
        const __ODM_HOST: __odm::Relation<
            Self,
            <Id<Host> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "LogHost.host",
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
    #[automatically_derived]
    impl __odm::Keys for LogHost {
        type Key = <Id<Host> as __odm::Keys>::Key;
        type Knows = <Id<Host> as __odm::Keys>::Knows;
        const MANY: bool = <Id<Host> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.host, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("host");
            <Id<Host> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for LogHost {
        type Target = <Id<Host> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = <Id<
            Host,
        > as __odm::Reference>::KEY;
    }
    const _: () = ::core::assert!(
        ! < Id < Host > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `LogHost.host` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< LogMsg as __odm::HasFields > ::FIELDS, "host").is_none() ||
        __odm::same_stored_name(< LogMsg as __odm::HasFields > ::FIELDS, "host", "host",
        ::core::option::Option::None),
        "`LogHost.host` reads `host`, and `LogMsg` stores `host` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <LogMsg>::fields().host.__projected_as::<Id<Host>>();
    }
};
