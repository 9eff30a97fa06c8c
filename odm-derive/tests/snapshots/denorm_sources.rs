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
    ///Typed field handles of `Person`, from `Person::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PersonFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Id<Person>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `address`, stored as `home`.
        address: __odm::Field<__OdmDocument, __OdmPath, Person, Option<Address>, 1>,
        ///The fields of `origin`, which serde flattens.
        origin: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Address,
            2,
            __odm::AsSerde,
            __odm::Flattened,
        >,
        ///The field `tags`, stored as `tags`.
        tags: __odm::Field<__OdmDocument, __OdmPath, Person, Vec<String>, 3>,
        ///The field `number`, stored as `number`.
        number: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            i64,
            4,
            __OdmPersonCodec4,
        >,
        ///The field `parent`, stored as `parent`.
        parent: __odm::Field<__OdmDocument, __OdmPath, Person, Option<Id<Person>>, 5>,
        ///The field `parents_city`, stored as `parents_city`.
        parents_city: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Option<String>,
            6,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
        ///The field `home_city`, stored as `home_city`.
        home_city: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Option<String>,
            7,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
    ///The codec of `Person.number`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmPersonCodec4;
    #[automatically_derived]
    impl __odm::Codec<i64> for __OdmPersonCodec4 {
        type Form = __odm::CodecPath<{ __odm::relation_name("text") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &i64,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            text::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<i64, __OdmD::Error> {
            text::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PersonFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PersonFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PersonFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            address: __odm::Field::NEW,
            origin: __odm::Field::NEW,
            tags: __odm::Field::NEW,
            number: __odm::Field::NEW,
            parent: __odm::Field::NEW,
            parents_city: __odm::Field::NEW,
            home_city: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Person {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PersonFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Person";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::OPTION,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Person>>::FORM,
                    __odm::TypeProbe::<Id<Person>>::TRACED_FORM,
                )
                .written("Id<Person>"),
            __odm::FieldShape::new("address", "home")
                .of_type(
                    __odm::TypeProbe::<Option<Address>>::ARRAY,
                    __odm::TypeProbe::<Option<Address>>::OPTION,
                    __odm::TypeProbe::<Option<Address>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Address>>::FORM,
                    __odm::TypeProbe::<Option<Address>>::TRACED_FORM,
                )
                .written("Option<Address>"),
            __odm::FieldShape::new("origin", "origin")
                .of_type(
                    __odm::TypeProbe::<Address>::ARRAY,
                    __odm::TypeProbe::<Address>::OPTION,
                    __odm::TypeProbe::<Address>::EMBED,
                )
                .written("Address")
                .flatten(),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::OPTION,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<String>>::FORM,
                    __odm::TypeProbe::<Vec<String>>::TRACED_FORM,
                )
                .written("Vec<String>"),
            __odm::FieldShape::new("number", "number")
                .of_type(
                    (__odm::TypeProbe::<i64>::ARRAY & !__odm::TypeProbe::<i64>::BYTES),
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::native_form("text", __odm::TypeProbe::<i64>::NATIVE_FORM),
                    ::core::option::Option::None,
                )
                .written("i64")
                .codec("text"),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Person>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Person>>>::TRACED_FORM,
                )
                .written("Option<Id<Person>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Person>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Person>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Person>>>::KEY),
                ),
            __odm::FieldShape::new("parents_city", "parents_city")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Person> as __odm::FieldSet>::NEW
                                    .home_city
                                    .path()
                            },
                        )
                        .via("parent"),
                ),
            __odm::FieldShape::new("home_city", "home_city")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .written("Option<String>")
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Described>::SHAPE,
                            || {
                                __odm::inside(
                                        <__odm::Handles<Person> as __odm::FieldSet>::NEW.address,
                                    )
                                    .city
                                    .path()
                            },
                        )
                        .via("parent"),
                ),
        ];
    }
    #[automatically_derived]
    impl Person {
        ///Returns typed field handles of `Person`, for filters, sorts and updates.
        fn fields() -> PersonFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Person {
        type Key = <Id<Person> as __odm::IdOf<Person>>::Key;
        type Id = Id<Person>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "people",
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
    impl __odm::DeclaresId<Id<Person>> for Person {
        fn __odm_declared_id(&self) -> &Id<Person> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 5> for Person {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parent {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parent") }> for Person {
        type Relation = __OdmBy_parent;
    }
    #[automatically_derived]
    impl Person {
        const __ODM_PARENT: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_parent,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_parent,
        >::new(
            "Person.parent",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Person>>,
            >::EACH_KEY(&__odm_owner.parent, __odm_found),
            __odm::TypeProbe::<Option<Id<Person>>>::TARGET_PATH,
        );
        /**Loads the document that `parent` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_parent(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_PARENT.load_one(self, odm)
        }
        /**Loads the documents that `parent` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_parent<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_parent>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<Address>>::FOREIGN);
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < Address > ::ARRAY || __odm::TypeProbe:: < Address >
        ::NUMBER || __odm::TypeProbe:: < Address > ::TEXT || __odm::TypeProbe:: < Address
        > ::DATE),
        "`Person.origin` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "_id"),
        "`Person.origin` and `Person.id` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "home"),
        "`Person.origin` and `Person.address` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "tags"),
        "`Person.origin` and `Person.tags` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "number"),
        "`Person.origin` and `Person.number` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "parent"),
        "`Person.origin` and `Person.parent` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "parents_city"),
        "`Person.origin` and `Person.parents_city` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Address > ::FLAT, "home_city"),
        "`Person.origin` and `Person.home_city` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Address>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Person.parent` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Person > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Person > > > ::MANY_KEYS),
            "`Person.parent` is not a reference: `Option<Id<Person>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Person > > > ::REFERENCE || false,
            "`Person.parent` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Person > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Person.parent` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Person > > > ::KEY_ARRAYS < 2,
        "`Person.parent` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Person>>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS,
        "`parent` is not a reference to `Self`, the model of the source `Self.home_city`; write a reference to `Self`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Person> as __odm::FieldSet>::NEW.home_city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Self.home_city` is in an array, but `Person.parents_city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Self.home_city`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Person.parents_city` has no codec, but its source `Self.home_city` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Self.home_city` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Person.parents_city` is required, but `Self.home_city` may be missing from a document, and the copy with it; add `#[serde(default)]` to `parents_city` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS &&
            __odm::TypeProbe:: < Option < Id < Person > > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`parent` already contains `Self.home_city`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS || !
        __odm::TypeProbe:: < Option < Id < Person > > > ::OPTION || __odm::TypeProbe:: <
        Option < String > > ::OPTION,
        "`parent` can be null, and its copy `Person.parents_city` would then keep its value; make the copy an `Option`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS,
        "`parent` is not a reference to `Self`, the model of the source `Self.address.city`; write a reference to `Self`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            __odm::inside(<__odm::Handles<Person> as __odm::FieldSet>::NEW.address).city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Self.address.city` is in an array, but `Person.home_city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Self.address.city`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Person.home_city` has no codec, but its source `Self.address.city` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Self.address.city` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < Option < String
            > > ::MAY_BE_MISSING,
            "`Person.home_city` is required, but `Self.address.city` may be missing from a document, and the copy with it; add `#[serde(default)]` to `home_city` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS &&
            __odm::TypeProbe:: < Option < Id < Person > > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`parent` already contains `Self.address.city`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Person >, Person) > ::LEADS || !
        __odm::TypeProbe:: < Option < Id < Person > > > ::OPTION || __odm::TypeProbe:: <
        Option < String > > ::OPTION,
        "`parent` can be null, and its copy `Person.home_city` would then keep its value; make the copy an `Option`"
    );
    fn __odm_checks() {
        <__odm::Handles<Person> as __odm::FieldSet>::NEW
            .home_city
            .__copied_as::<Option<String>>();
        __odm::inside(<__odm::Handles<Person> as __odm::FieldSet>::NEW.address)
            .city
            .__copied_as::<Option<String>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Person > ()
    }
};
