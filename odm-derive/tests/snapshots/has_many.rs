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
        const NEW: Self = Self { id: __odm::Field::NEW };
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
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "messages",
                        || <LogMsg as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__reference_path()
                        },
                    ),
                    __odm::HasManyShape::new(
                        "reports",
                        || <Report as __odm::Described>::SHAPE,
                        || {
                            __odm::inside(
                                    <__odm::Handles<Report> as __odm::FieldSet>::NEW.lines,
                                )
                                .host
                                .__reference_path()
                        },
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
    impl __odm::DeclaresId<Id<Host>> for Host {
        fn __odm_declared_id(&self) -> &Id<Host> {
            &self.id
        }
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_messages {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("messages") }> for Host {
        type Relation = __OdmBy_messages;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_reports {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("reports") }> for Host {
        type Relation = __OdmBy_reports;
    }
    #[automatically_derived]
    impl Host {
        const __ODM_MESSAGES: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_messages,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_messages,
        >::new(
            "Host.messages",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.shape(),
                __odm_found,
            ),
            || <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__reference_path(),
        );
        const __ODM_REPORTS: __odm::Relation<
            Self,
            __odm::Of<'static, Report>,
            __OdmBy_reports,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Report>,
            __OdmBy_reports,
        >::new(
            "Host.reports",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                __odm::inside(<__odm::Handles<Report> as __odm::FieldSet>::NEW.lines)
                    .host
                    .shape(),
                __odm_found,
            ),
            || {
                __odm::inside(<__odm::Handles<Report> as __odm::FieldSet>::NEW.lines)
                    .host
                    .__reference_path()
            },
        );
        /**Loads the documents with a `LogMsg.host` that refers to this `Host`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_messages(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_MESSAGES.load_many(self, odm)
        }
        /**Loads `messages` of many owners: the documents with a `LogMsg.host` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_messages<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, LogMsg, __OdmBy_messages>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_MESSAGES.join(owners, odm)
        }
        /**Counts the documents with a `LogMsg.host` that refers to this `Host`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_messages(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_MESSAGES.count(self, odm)
        }
        /**Loads the documents with a `Report.lines.host` that refers to this `Host`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Report.lines.host`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_reports(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Report>
        where
            for<'__odm> __odm::Of<'__odm, Report>: __odm::Leads<Target = Report>,
        {
            Self::__ODM_REPORTS.load_many(self, odm)
        }
        /**Loads `reports` of many owners: the documents with a `Report.lines.host` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Report.lines.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_reports<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Report, __OdmBy_reports>
        where
            for<'__odm> __odm::Of<'__odm, Report>: __odm::Leads<Target = Report>,
        {
            Self::__ODM_REPORTS.join(owners, odm)
        }
        /**Counts the documents with a `Report.lines.host` that refers to this `Host`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Report.lines.host`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_reports(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Report>
        where
            for<'__odm> __odm::Of<'__odm, Report>: __odm::Leads<Target = Report>,
        {
            Self::__ODM_REPORTS.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Host>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__leads_to::<Host, _>();
        __odm::inside(<__odm::Handles<Report> as __odm::FieldSet>::NEW.lines)
            .host
            .__leads_to::<Host, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Host > ()
    }
};
