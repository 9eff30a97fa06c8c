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
    ///Typed field handles of `Log`, from `Log::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct LogFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Log,
            Id<Log>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `org`, stored as `org`.
        org: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Log,
            Option<String>,
            1,
            __odm::AsSerde,
            __odm::SetByLibrary,
        >,
        ///The field `place`, stored as `place`.
        place: __odm::Field<__OdmDocument, __OdmPath, Log, Place, 2>,
        ///The field `at`, stored as `at`.
        at: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Log,
            DateTime,
            3,
            __odm::AsSerde,
            __odm::SetByLibrary,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for LogFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LogFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LogFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            org: __odm::Field::NEW,
            place: __odm::Field::NEW,
            at: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Log {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LogFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Log";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Log>>::ARRAY,
                    __odm::TypeProbe::<Id<Log>>::OPTION,
                    __odm::TypeProbe::<Id<Log>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Log>>::FORM,
                    __odm::TypeProbe::<Id<Log>>::TRACED_FORM,
                )
                .written("Id<Log>"),
            __odm::FieldShape::new("org", "org")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .written("Option<String>")
                .maintained(
                    __odm::Maintained::Tenant(__odm::ActorType::of::<Option<String>>()),
                ),
            __odm::FieldShape::new("place", "place")
                .of_type(
                    __odm::TypeProbe::<Place>::ARRAY,
                    __odm::TypeProbe::<Place>::OPTION,
                    __odm::TypeProbe::<Place>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Place>::FORM,
                    __odm::TypeProbe::<Place>::TRACED_FORM,
                )
                .written("Place"),
            __odm::FieldShape::new("at", "at")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::OPTION,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<DateTime>::FORM,
                    __odm::TypeProbe::<DateTime>::TRACED_FORM,
                )
                .written("DateTime")
                .maintained(__odm::Maintained::CreatedAt),
        ];
    }
    #[automatically_derived]
    impl Log {
        ///Returns typed field handles of `Log`, for filters, sorts and updates.
        fn fields() -> LogFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Log {
        type Key = <Id<Log> as __odm::IdOf<Log>>::Key;
        type Id = Id<Log>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "logs",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .shard_key(
                &[
                    __odm::IndexKey::new(
                        || <__odm::Handles<Log> as __odm::FieldSet>::NEW.org.path(),
                        __odm::IndexKind::Ascending,
                    ),
                    __odm::IndexKey::new(
                        || {
                            __odm::inside(
                                    <__odm::Handles<Log> as __odm::FieldSet>::NEW.place,
                                )
                                .room
                                .path()
                        },
                        __odm::IndexKind::Ascending,
                    ),
                    __odm::IndexKey::new(
                        || <__odm::Handles<Log> as __odm::FieldSet>::NEW.id.path(),
                        __odm::IndexKind::Hashed,
                    ),
                ],
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
    impl __odm::DeclaresId<Id<Log>> for Log {
        fn __odm_declared_id(&self) -> &Id<Log> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::Movable for Log {}
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Log>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Place>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < String > > ::ARRAY,
        "`Log.org` is an array, which the server rejects in a shard key; use a field with one value"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Place > ::ARRAY,
        "`Log.place` is an array, which the server rejects in a shard key; use a field with one value"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Place > ::OPTION,
        "`Log.place` is an `Option`, but each document needs a value of the shard key; make the field required"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Log > > ::ARRAY,
        "`Log.id` is an array, which the server rejects in a shard key; use a field with one value"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Log > > ::OPTION,
        "`Log.id` is an `Option`, but each document needs a value of the shard key; make the field required"
    );
    fn __odm_checks() {
        __odm::check_date::<DateTime>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Log > ()
    }
};
