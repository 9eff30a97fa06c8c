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
        ///The field `owners`, stored as `owners`.
        owners: __odm::Field<__OdmDocument, __OdmPath, Host, Vec<Id<Owner>>, 1>,
        ///The field `owner`, stored as `owner`.
        owner: __odm::Field<__OdmDocument, __OdmPath, Host, Option<Id<Owner>>, 2>,
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
            owners: __odm::Field::NEW,
            owner: __odm::Field::NEW,
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
            __odm::FieldShape::new("owners", "owners")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Owner>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Owner>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<Owner>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<Owner>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<Owner>>>::TRACED_FORM,
                )
                .written("Vec<Id<Owner>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Owner>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<Owner>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<Owner>>>::KEY),
                ),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Owner>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Owner>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Owner>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Owner>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Owner>>>::TRACED_FORM,
                )
                .written("Option<Id<Owner>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Owner>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Owner>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Owner>>>::KEY),
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
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "newest",
                        || <LogMsg as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__reference_path()
                        },
                    ),
                    __odm::HasManyShape::new(
                        "open",
                        || <LogMsg as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__reference_path()
                        },
                    ),
                    __odm::HasManyShape::new(
                        "filter",
                        || <LogMsg as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                .host
                                .__reference_path()
                        },
                    ),
                    __odm::HasManyShape::new(
                            "first",
                            || <LogMsg as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                                    .host
                                    .__reference_path()
                            },
                        )
                        .single(),
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
    #[automatically_derived]
    impl __odm::DeclaresReference<Owner, 1> for Host {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Owner, 2> for Host {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_owners {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("owners") }> for Host {
        type Relation = __OdmBy_owners;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_owner {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("owner") }> for Host {
        type Relation = __OdmBy_owner;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_newest {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("newest") }> for Host {
        type Relation = __OdmBy_newest;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_open {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("open") }> for Host {
        type Relation = __OdmBy_open;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_filter {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("filter") }> for Host {
        type Relation = __OdmBy_filter;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_first {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("first") }> for Host {
        type Relation = __OdmBy_first;
    }
    #[automatically_derived]
    impl Host {
        const __ODM_OWNERS: __odm::Relation<
            Self,
            __odm::Of<'static, Owner>,
            __OdmBy_owners,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Owner>,
            __OdmBy_owners,
        >::new(
                "Host.owners",
                |__odm_owner, __odm_found| __odm::TypeProbe::<
                    Vec<Id<Owner>>,
                >::EACH_KEY(&__odm_owner.owners, __odm_found),
                __odm::TypeProbe::<Vec<Id<Owner>>>::TARGET_PATH,
            )
            .sorted(|| {
                <__odm::Handles<Owner> as __odm::FieldSet>::NEW
                    .name
                    .asc()
                    .into_document()
            })
            .filtered(|| __odm::relation_filter::<Owner>(active));
        const __ODM_OWNER: __odm::Relation<
            Self,
            __odm::Of<'static, Owner>,
            __OdmBy_owner,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Owner>,
            __OdmBy_owner,
        >::new(
                "Host.owner",
                |__odm_owner, __odm_found| __odm::TypeProbe::<
                    Option<Id<Owner>>,
                >::EACH_KEY(&__odm_owner.owner, __odm_found),
                __odm::TypeProbe::<Option<Id<Owner>>>::TARGET_PATH,
            )
            .filtered(|| __odm::relation_filter::<Owner>(active));
        const __ODM_NEWEST: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_newest,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_newest,
        >::new(
                "Host.newest",
                |__odm_owner, __odm_found| __odm::owner_keys(
                    __odm_owner,
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.shape(),
                    __odm_found,
                ),
                || {
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                        .host
                        .__reference_path()
                },
            )
            .sorted(|| {
                <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                    .time
                    .desc()
                    .then(<__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.id.asc())
                    .into_document()
            });
        const __ODM_OPEN: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_open,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_open,
        >::new(
                "Host.open",
                |__odm_owner, __odm_found| __odm::owner_keys(
                    __odm_owner,
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.shape(),
                    __odm_found,
                ),
                || {
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                        .host
                        .__reference_path()
                },
            )
            .filtered(|| __odm::relation_filter::<LogMsg>(LogMsg::unread));
        const __ODM_FILTER: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_filter,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_filter,
        >::new(
                "Host.filter",
                |__odm_owner, __odm_found| __odm::owner_keys(
                    __odm_owner,
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.shape(),
                    __odm_found,
                ),
                || {
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                        .host
                        .__reference_path()
                },
            )
            .sorted(|| {
                __odm::inside(<__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.at)
                    .line
                    .asc()
                    .into_document()
            });
        const __ODM_FIRST: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_first,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_first,
        >::new(
                "Host.first",
                |__odm_owner, __odm_found| __odm::owner_keys(
                    __odm_owner,
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.shape(),
                    __odm_found,
                ),
                || {
                    <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
                        .host
                        .__reference_path()
                },
            )
            .filtered(|| __odm::relation_filter::<LogMsg>(self::is_first));
        /**Loads the documents that `owners` refers to.

Sorted by `name`. `sort` replaces this order.

Only documents that match `active()`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_owners(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Owner>
        where
            for<'__odm> __odm::Of<'__odm, Owner>: __odm::Leads<Target = Owner>,
        {
            Self::__ODM_OWNERS.load_many(self, odm)
        }
        /**Loads the documents that `owners` refers to, for many owners.

Sorted by `name`. `sort` replaces this order.

Only documents that match `active()`.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_owners<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Owner, __OdmBy_owners>
        where
            for<'__odm> __odm::Of<'__odm, Owner>: __odm::Leads<Target = Owner>,
        {
            Self::__ODM_OWNERS.join(owners, odm)
        }
        /**Counts the documents that `owners` refers to.

Only documents that match `active()`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_owners(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Owner>
        where
            for<'__odm> __odm::Of<'__odm, Owner>: __odm::Leads<Target = Owner>,
        {
            Self::__ODM_OWNERS.count(self, odm)
        }
        /**Loads the document that `owner` refers to.

Only documents that match `active()`.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_owner(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Owner>
        where
            for<'__odm> __odm::Of<'__odm, Owner>: __odm::Leads<Target = Owner>,
        {
            Self::__ODM_OWNER.load_one(self, odm)
        }
        /**Loads the documents that `owner` refers to, for many owners.

Only documents that match `active()`.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_owner<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Owner, __OdmBy_owner>
        where
            for<'__odm> __odm::Of<'__odm, Owner>: __odm::Leads<Target = Owner>,
        {
            Self::__ODM_OWNER.join_one(owners, odm)
        }
        /**Loads the documents with a `LogMsg.host` that refers to this `Host`.

Sorted by `time`, largest first, then `id`. `sort` replaces this order.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_newest(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_NEWEST.load_many(self, odm)
        }
        /**Loads `newest` of many owners: the documents with a `LogMsg.host` that refers to one of them.

Sorted by `time`, largest first, then `id`. `sort` replaces this order.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_newest<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, LogMsg, __OdmBy_newest>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_NEWEST.join(owners, odm)
        }
        /**Counts the documents with a `LogMsg.host` that refers to this `Host`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_newest(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_NEWEST.count(self, odm)
        }
        /**Loads the documents with a `LogMsg.host` that refers to this `Host`.

Only documents that match `LogMsg::unread()`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_open(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_OPEN.load_many(self, odm)
        }
        /**Loads `open` of many owners: the documents with a `LogMsg.host` that refers to one of them.

Only documents that match `LogMsg::unread()`.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_open<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, LogMsg, __OdmBy_open>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_OPEN.join(owners, odm)
        }
        /**Counts the documents with a `LogMsg.host` that refers to this `Host`.

Only documents that match `LogMsg::unread()`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_open(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_OPEN.count(self, odm)
        }
        /**Loads the documents with a `LogMsg.host` that refers to this `Host`.

Sorted by `at.line`. `sort` replaces this order.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_filter(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_FILTER.load_many(self, odm)
        }
        /**Loads `filter` of many owners: the documents with a `LogMsg.host` that refers to one of them.

Sorted by `at.line`. `sort` replaces this order.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_filter<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, LogMsg, __OdmBy_filter>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_FILTER.join(owners, odm)
        }
        /**Counts the documents with a `LogMsg.host` that refers to this `Host`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_filter(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_FILTER.count(self, odm)
        }
        /**Loads the document with a `LogMsg.host` that refers to this `Host`.

Only documents that match `self::is_first()`.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_first(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<LogMsg>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_FIRST.load_one(self, odm)
        }
        /**Loads `first` of many owners: the documents with a `LogMsg.host` that refers to one of them.

Only documents that match `self::is_first()`.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `LogMsg.host`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_first<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, LogMsg, __OdmBy_first>
        where
            for<'__odm> __odm::Of<'__odm, LogMsg>: __odm::Leads<Target = LogMsg>,
        {
            Self::__ODM_FIRST.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Host>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Owner > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Owner > > ::LEADS_TO_MODEL,
            "`Host.owners` refers to `Owner`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Owner`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Owner > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Vec < Id < Owner > > > ::ONE_KEY || __odm::TypeProbe::
            < Vec < Id < Owner > > > ::MANY_KEYS),
            "`Host.owners` is not a reference: `Vec<Id<Owner>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Owner > > > ::REFERENCE || false,
            "`Host.owners` has another type of key than the `_id` of `Owner`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Owner > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Host.owners` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < Owner > > > ::KEY_ARRAYS < 2,
        "`Host.owners` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<Owner>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Owner > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Owner > > ::LEADS_TO_MODEL,
            "`Host.owner` refers to `Owner`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Owner`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Owner > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Owner > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Owner > > > ::MANY_KEYS),
            "`Host.owner` is not a reference: `Option<Id<Owner>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Owner > > > ::REFERENCE || false,
            "`Host.owner` has another type of key than the `_id` of `Owner`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Owner > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Host.owner` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Owner > > > ::KEY_ARRAYS < 2,
        "`Host.owner` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Owner>>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__leads_to::<Host, _>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__leads_to::<Host, _>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__leads_to::<Host, _>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__leads_to::<Host, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Host > ()
    }
};
