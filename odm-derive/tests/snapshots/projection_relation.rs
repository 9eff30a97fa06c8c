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
    #[automatically_derived]
    impl __odm::Projection<Host> for HostName {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "HostName",
            &[
                __odm::FieldShape::new("id", "_id")
                    .of_type(
                        __odm::TypeProbe::<Id<Host>>::ARRAY,
                        __odm::TypeProbe::<Id<Host>>::OPTION,
                        __odm::TypeProbe::<Id<Host>>::EMBED,
                    )
                    .written("Id<Host>"),
                __odm::FieldShape::new("name", "name")
                    .of_type(
                        __odm::TypeProbe::<String>::ARRAY,
                        __odm::TypeProbe::<String>::OPTION,
                        __odm::TypeProbe::<String>::EMBED,
                    )
                    .written("String"),
            ],
        );
        const __ODM_STRICT: bool = false;
        fn __odm_read_projected(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_projection::<Self>(__odm_collection, __odm_part, __odm_whole)
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
    impl __odm::Related<{ __odm::relation_name("messages") }> for HostName {
        type Relation = __OdmBy_messages;
    }
    #[automatically_derived]
    impl HostName {
        const __ODM_MESSAGES: __odm::Relation<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_messages,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, LogMsg>,
            __OdmBy_messages,
        >::new(
            "HostName.messages",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Host>,
            >::EACH_KEY(&__odm_owner.id, __odm_found),
            || <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW.host.__reference_path(),
        );
        /**Loads the documents with a `LogMsg.host` that refers to this `HostName`.

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
        /**Counts the documents with a `LogMsg.host` that refers to this `HostName`.

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
    }
    type __OdmHost = Host;
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Host as __odm::HasFields > ::__ODM_FIELDS, "id", false),
        "serde flattens `Host.id`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Host as __odm::HasFields > ::__ODM_FIELDS, "id"),
        "`Host.id` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Host as __odm::HasFields > ::__ODM_FIELDS, "id") || ! false
        && __odm::TypeProbe:: < Id < Host > > ::MAY_BE_MISSING,
        "`HostName.id` is required, but `Host.id` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Host as __odm::HasFields > ::__ODM_FIELDS, "id").is_none() ||
        __odm::read_stored_name(< Host as __odm::HasFields > ::__ODM_FIELDS, "id", "_id",
        ::core::option::Option::None),
        "`HostName.id` reads `_id`, and `Host` stores `id` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Host as __odm::HasFields > ::__ODM_FIELDS, "name",
        false), "serde flattens `Host.name`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Host as __odm::HasFields > ::__ODM_FIELDS, "name"),
        "`Host.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Host as __odm::HasFields > ::__ODM_FIELDS, "name") || !
        false && __odm::TypeProbe:: < String > ::MAY_BE_MISSING,
        "`HostName.name` is required, but `Host.name` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Host as __odm::HasFields > ::__ODM_FIELDS, "name").is_none()
        || __odm::read_stored_name(< Host as __odm::HasFields > ::__ODM_FIELDS, "name",
        "name", ::core::option::Option::None),
        "`HostName.name` reads `name`, and `Host` stores `name` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::compared(|| < __odm::Handles < LogMsg > as __odm::FieldSet > ::NEW.host)
        .is_id(),
        "`LogMsg.host` is not compared with the `_id` of `HostName`; add `key = \"field\"` with the field in the `to` of `LogMsg.host`"
    );
    fn __odm_checks() {
        <__odm::Handles<Host> as __odm::FieldSet>::NEW.id.__projected_as::<Id<Host>>();
        <__odm::Handles<Host> as __odm::FieldSet>::NEW.name.__projected_as::<String>();
        <__odm::Handles<LogMsg> as __odm::FieldSet>::NEW
            .host
            .__leads_to::<__OdmHost, _>();
    }
};
