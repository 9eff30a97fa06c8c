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
    ///Typed field handles of `Message`, from `Message::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct MessageFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            Id<Message>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `host`, stored as `host`.
        host: __odm::Field<__OdmDocument, __OdmPath, Message, Id<Host>, 1>,
        ///The field `name`, stored as `name`.
        name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            String,
            2,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `room`, stored as `room`.
        room: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            String,
            3,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `rack`, stored as `rack`.
        rack: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            Option<String>,
            4,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `note`, stored as `note`.
        note: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            Option<String>,
            5,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `city`, stored as `city`.
        city: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            Option<String>,
            6,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `owner`, stored as `owner`.
        owner: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Message,
            String,
            7,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for MessageFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for MessageFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for MessageFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            host: __odm::Field::NEW,
            name: __odm::Field::NEW,
            room: __odm::Field::NEW,
            rack: __odm::Field::NEW,
            note: __odm::Field::NEW,
            city: __odm::Field::NEW,
            owner: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Message {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = MessageFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Message";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Message>>::ARRAY,
                    __odm::TypeProbe::<Id<Message>>::OPTION,
                    __odm::TypeProbe::<Id<Message>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Message>>::FORM,
                    __odm::TypeProbe::<Id<Message>>::TRACED_FORM,
                )
                .written("Id<Message>"),
            __odm::FieldShape::new("host", "host")
                .of_type(
                    __odm::TypeProbe::<Id<Host>>::ARRAY,
                    __odm::TypeProbe::<Id<Host>>::OPTION,
                    __odm::TypeProbe::<Id<Host>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Host>>::FORM,
                    __odm::TypeProbe::<Id<Host>>::TRACED_FORM,
                )
                .written("Id<Host>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Host>>::TARGET,
                            __odm::TypeProbe::<Id<Host>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Host>>::KEY),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || <__odm::Handles<Host> as __odm::FieldSet>::NEW.name.path(),
                    ),
                ),
            __odm::FieldShape::new("room", "room")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .default()
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || <__odm::Handles<Host> as __odm::FieldSet>::NEW.room.path(),
                    ),
                ),
            __odm::FieldShape::new("rack", "rack")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || <__odm::Handles<Host> as __odm::FieldSet>::NEW.rack.path(),
                    ),
                ),
            __odm::FieldShape::new("note", "note")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || <__odm::Handles<Host> as __odm::FieldSet>::NEW.note.path(),
                    ),
                ),
            __odm::FieldShape::new("city", "city")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || {
                            __odm::inside(
                                    <__odm::Handles<Host> as __odm::FieldSet>::NEW.address,
                                )
                                .city
                                .path()
                        },
                    ),
                ),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                        || <Host as __odm::Described>::SHAPE,
                        || {
                            __odm::inside(
                                    <__odm::Handles<Host> as __odm::FieldSet>::NEW.owner,
                                )
                                .name
                                .path()
                        },
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Message {
        ///Returns typed field handles of `Message`, for filters, sorts and updates.
        fn fields() -> MessageFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Message {
        type Key = <Id<Message> as __odm::IdOf<Message>>::Key;
        type Id = Id<Message>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "messages",
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
    impl __odm::DeclaresId<Id<Message>> for Message {
        fn __odm_declared_id(&self) -> &Id<Message> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Host, 1> for Message {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_host {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("host") }> for Message {
        type Relation = __OdmBy_host;
    }
    #[automatically_derived]
    impl Message {
        const __ODM_HOST: __odm::Relation<
            Self,
            __odm::Of<'static, Host>,
            __OdmBy_host,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Host>,
            __OdmBy_host,
        >::new(
            "Message.host",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Host>,
            >::EACH_KEY(&__odm_owner.host, __odm_found),
            __odm::TypeProbe::<Id<Host>>::TARGET_PATH,
        );
        /**Loads the document that `host` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_host(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Host>
        where
            for<'__odm> __odm::Of<'__odm, Host>: __odm::Leads<Target = Host>,
        {
            Self::__ODM_HOST.load_one(self, odm)
        }
        /**Loads the documents that `host` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_host<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Host, __OdmBy_host>
        where
            for<'__odm> __odm::Of<'__odm, Host>: __odm::Leads<Target = Host>,
        {
            Self::__ODM_HOST.join_one(owners, odm)
        }
    }
    type __OdmHost = Host;
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Message>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Host > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "`Message.host` refers to `Host`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Host`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Host > > ::REFERENCE || (__odm::TypeProbe:: < Id <
            Host > > ::ONE_KEY || __odm::TypeProbe:: < Id < Host > > ::MANY_KEYS),
            "`Message.host` is not a reference: `Id<Host>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Host > > ::REFERENCE || false,
            "`Message.host` has another type of key than the `_id` of `Host`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Host > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Message.host` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Host > > ::KEY_ARRAYS < 2,
        "`Message.host` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Host>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.name`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Host> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.name` is in an array, but `Message.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Host.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.name` has no codec, but its source `Host.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`Message.name` is required, but `Host.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < String >
        ::OPTION,
        "`host` can be null, and its copy `Message.name` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.room`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Host> as __odm::FieldSet>::NEW.room
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.room` is in an array, but `Message.room` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Host.room`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.room` has no codec, but its source `Host.room` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.room` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.room`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < String >
        ::OPTION,
        "`host` can be null, and its copy `Message.room` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.rack`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Host> as __odm::FieldSet>::NEW.rack
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.rack` is in an array, but `Message.rack` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Host.rack`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.rack` has no codec, but its source `Host.rack` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.rack` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Message.rack` is required, but `Host.rack` may be missing from a document, and the copy with it; add `#[serde(default)]` to `rack` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.rack`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < Option <
        String > > ::OPTION,
        "`host` can be null, and its copy `Message.rack` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.note`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Host> as __odm::FieldSet>::NEW.note
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.note` is in an array, but `Message.note` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Host.note`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.note` has no codec, but its source `Host.note` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.note` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Message.note` is required, but `Host.note` may be missing from a document, and the copy with it; add `#[serde(default)]` to `note` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.note`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < Option <
        String > > ::OPTION,
        "`host` can be null, and its copy `Message.note` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.address.city`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            __odm::inside(<__odm::Handles<Host> as __odm::FieldSet>::NEW.address).city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.address.city` is in an array, but `Message.city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Host.address.city`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.city` has no codec, but its source `Host.address.city` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.address.city` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Message.city` is required, but `Host.address.city` may be missing from a document, and the copy with it; add `#[serde(default)]` to `city` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.address.city`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < Option <
        String > > ::OPTION,
        "`host` can be null, and its copy `Message.city` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Host > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Host.owner.name`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            __odm::inside(<__odm::Handles<Host> as __odm::FieldSet>::NEW.owner).name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Host.owner.name` is in an array, but `Message.owner` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Host.owner.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Message.owner` has no codec, but its source `Host.owner.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Host.owner.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`Message.owner` is required, but `Host.owner.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `owner` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS &&
            __odm::TypeProbe:: < Id < Host > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`host` already contains `Host.owner.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Host >, __OdmHost) > ::LEADS || !
        __odm::TypeProbe:: < Id < Host > > ::OPTION || __odm::TypeProbe:: < String >
        ::OPTION,
        "`host` can be null, and its copy `Message.owner` would then keep its value; make the copy an `Option`"
    );
    fn __odm_checks() {
        <__odm::Handles<Host> as __odm::FieldSet>::NEW.name.__copied_as::<String>();
        <__odm::Handles<Host> as __odm::FieldSet>::NEW.room.__copied_as::<String>();
        <__odm::Handles<Host> as __odm::FieldSet>::NEW
            .rack
            .__copied_as::<Option<String>>();
        <__odm::Handles<Host> as __odm::FieldSet>::NEW
            .note
            .__copied_as::<Option<String>>();
        __odm::inside(<__odm::Handles<Host> as __odm::FieldSet>::NEW.address)
            .city
            .__copied_as::<Option<String>>();
        __odm::inside(<__odm::Handles<Host> as __odm::FieldSet>::NEW.owner)
            .name
            .__copied_as::<String>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Message > ()
    }
};
