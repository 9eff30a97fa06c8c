/**Typed handles of the stored fields of `Address`.

Got from `Address::fields()`, or from the handle of a field that embeds a `Address`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct AddressFields<__OdmDocument, __OdmPath> {
    ///The field `city`, stored as `city`.
    city: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Address, String, 0>,
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
    for AddressFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AddressFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AddressFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { city: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Address {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AddressFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Address";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("city", "city")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Address {
        ///Returns typed handles of the stored fields of `Address`, for filters, sorts and updates.
        fn fields() -> AddressFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Address {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(Address { city 18003902094994090146 String, });
};

/**Typed handles of the stored fields of `Person`.

Got from `Person::fields()`, or from the handle of a field that embeds a `Person`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PersonFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Person, Id<Person>, 0>,
    ///The field `address`, stored as `home`.
    address: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Option<Address>,
        1,
    >,
    ///The fields of `origin`, which serde stores in its place.
    origin: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Person, Address, 2>,
    ///The field `tags`, stored as `tags`.
    tags: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Vec<String>,
        3,
    >,
    ///The field `number`, stored as `number`.
    number: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        i64,
        4,
        __OdmPersonCodec4,
    >,
    ///The field `parent`, stored as `parent`.
    parent: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Option<Id<Person>>,
        5,
    >,
    ///The field `parents_city`, stored as `parents_city`.
    parents_city: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Option<String>,
        6,
    >,
    ///The field `city`, stored as `city`.
    city: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Person,
        Option<String>,
        7,
    >,
}
///How serde writes and reads `Person.number`.
#[doc(hidden)]
#[allow(missing_debug_implementations, unreachable_pub)]
struct __OdmPersonCodec4;
#[automatically_derived]
impl ::mongo_odm::__private::Codec<i64> for __OdmPersonCodec4 {
    fn serialize<__OdmS: ::mongo_odm::__private::serde::Serializer>(
        value: &i64,
        serializer: __OdmS,
    ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
        text::serialize(value, serializer)
    }
    fn deserialize<'de, __OdmD: ::mongo_odm::__private::serde::Deserializer<'de>>(
        deserializer: __OdmD,
    ) -> ::core::result::Result<i64, __OdmD::Error> {
        text::deserialize(deserializer)
    }
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
            city: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Person {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PersonFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Person";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                ),
            __odm::FieldShape::new("address", "home")
                .of_type(
                    __odm::TypeProbe::<Option<Address>>::ARRAY,
                    __odm::TypeProbe::<Option<Address>>::EMBED,
                ),
            __odm::FieldShape::new("origin", "origin")
                .of_type(
                    __odm::TypeProbe::<Address>::ARRAY,
                    __odm::TypeProbe::<Address>::EMBED,
                )
                .flatten(),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                ),
            __odm::FieldShape::new("number", "number")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .codec("text"),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Person>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Person>>>,
                        )
                        .keyed(<Option<Id<Person>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Person>>>::OPTION),
                ),
            __odm::FieldShape::new("parents_city", "parents_city")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().city.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("parent"),
                ),
            __odm::FieldShape::new("city", "city")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().address.city.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("parent"),
                ),
        ];
    }
    #[automatically_derived]
    impl Person {
        ///Returns typed handles of the stored fields of `Person`, for filters, sorts and updates.
        fn fields() -> PersonFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Person {
        type Key = <Id<Person> as __odm::IdOf<Person>>::Key;
        type Id = Id<Person>;
        fn id(&self) -> &Id<Person> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "people",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Person>> as __odm::Reference>::Target, 5> for Person {}
    #[automatically_derived]
    impl Person {
        const __ODM_PARENT: __odm::Relation<
            Self,
            <Option<Id<Person>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Person.parent",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.parent,
                __odm_found,
            ),
            <Option<Id<Person>> as __odm::Reference>::target_path,
        );
        /**Loads the document that `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_parent(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_PARENT.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_parent<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
    }
    __odm::gives!(
        Person { id 628021283683842752 Id < Person >, address 1673076945917317811 Option
        < Address >, origin 13396771823158957263 Address, tags 15644445103386232192 Vec <
        String >, number 9237349086447201248 i64, parent 7371339085820260189 Option < Id
        < Person > >, parents_city 8185954560606069024 Option < String >, city
        18003902094994090146 Option < String >, }
    );
    const _: () = ::core::assert!(
        ! < Option < Id < Person > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Person.parent` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().city);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Self.city` lies in an array, and `Person.parents_city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Self.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Person.parents_city` is written as it is, and its source `Self.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`parent` holds `Self.city` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Person>::fields().address.city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Self.address.city` lies in an array, and `Person.city` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Self.address.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Person.city` is written as it is, and its source `Self.address.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`parent` holds `Self.address.city` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <Person>::fields().city.__copied_as::<Option<String>>();
        <Person>::fields().parent.__refers_to::<Person>();
        <Person>::fields().address.city.__copied_as::<Option<String>>();
        <Person>::fields().parent.__refers_to::<Person>();
        __odm::check_id::<Id<Person>, Person>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Person as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Visit`.

Got from `Visit::fields()`, or from the handle of a field that embeds a `Visit`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct VisitFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Visit, Id<Visit>, 0>,
    ///The field `guest`, stored as `guest`.
    guest: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Visit, Id<Person>, 1>,
    ///The field `host`, stored as `host`.
    host: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<Id<Person>>,
        2,
    >,
    ///The field `before`, stored as `before`.
    before: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<Id<Visit>>,
        3,
    >,
    ///The field `nested`, stored as `nested`.
    nested: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<String>,
        4,
    >,
    ///The field `flattened`, stored as `flattened`.
    flattened: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Visit, String, 5>,
    ///The field `whole`, stored as `whole`.
    whole: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<Address>,
        6,
    >,
    ///The field `array`, stored as `array`.
    array: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Vec<String>,
        7,
    >,
    ///The field `encoded`, stored as `encoded`.
    encoded: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        i64,
        8,
        __OdmVisitCodec8,
    >,
    ///The field `by_its_type`, stored as `by_its_type`.
    by_its_type: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<Text>,
        9,
    >,
    ///The field `parent`, stored as `parent`.
    parent: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Visit,
        Option<Id<Person>>,
        10,
    >,
}
///How serde writes and reads `Visit.encoded`.
#[doc(hidden)]
#[allow(missing_debug_implementations, unreachable_pub)]
struct __OdmVisitCodec8;
#[automatically_derived]
impl ::mongo_odm::__private::Codec<i64> for __OdmVisitCodec8 {
    fn serialize<__OdmS: ::mongo_odm::__private::serde::Serializer>(
        value: &i64,
        serializer: __OdmS,
    ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
        text::serialize(value, serializer)
    }
    fn deserialize<'de, __OdmD: ::mongo_odm::__private::serde::Deserializer<'de>>(
        deserializer: __OdmD,
    ) -> ::core::result::Result<i64, __OdmD::Error> {
        text::deserialize(deserializer)
    }
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
    for VisitFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for VisitFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for VisitFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            guest: __odm::Field::NEW,
            host: __odm::Field::NEW,
            before: __odm::Field::NEW,
            nested: __odm::Field::NEW,
            flattened: __odm::Field::NEW,
            whole: __odm::Field::NEW,
            array: __odm::Field::NEW,
            encoded: __odm::Field::NEW,
            by_its_type: __odm::Field::NEW,
            parent: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Visit {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = VisitFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Visit";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Visit>>::ARRAY,
                    __odm::TypeProbe::<Id<Visit>>::EMBED,
                ),
            __odm::FieldShape::new("guest", "guest")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Id<
                                    Person,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<Person>>,
                        )
                        .keyed(<Id<Person> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<Person>>::OPTION),
                ),
            __odm::FieldShape::new("host", "host")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Person>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Person>>>,
                        )
                        .keyed(<Option<Id<Person>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Person>>>::OPTION),
                ),
            __odm::FieldShape::new("before", "before")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Visit>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Visit>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Visit>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Visit>>>,
                        )
                        .keyed(<Option<Id<Visit>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Visit>>>::OPTION),
                ),
            __odm::FieldShape::new("nested", "nested")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().address.city.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<String>>::OPTION)
                        .via("guest"),
                ),
            __odm::FieldShape::new("flattened", "flattened")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().origin.city.path(),
                        )
                        .optional(__odm::TypeProbe::<String>::OPTION)
                        .via("guest"),
                ),
            __odm::FieldShape::new("whole", "whole")
                .of_type(
                    __odm::TypeProbe::<Option<Address>>::ARRAY,
                    __odm::TypeProbe::<Option<Address>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().address.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<Address>>::OPTION)
                        .via("host"),
                ),
            __odm::FieldShape::new("array", "array")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().tags.path(),
                        )
                        .optional(__odm::TypeProbe::<Vec<String>>::OPTION)
                        .via("host"),
                ),
            __odm::FieldShape::new("encoded", "encoded")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED)
                .codec("text")
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().number.path(),
                        )
                        .optional(__odm::TypeProbe::<i64>::OPTION)
                        .via("host"),
                ),
            __odm::FieldShape::new("by_its_type", "by_its_type")
                .of_type(
                    __odm::TypeProbe::<Option<Text>>::ARRAY,
                    __odm::TypeProbe::<Option<Text>>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Visit as __odm::Model>::SHAPE,
                            || <Visit>::fields().flattened.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<Text>>::OPTION),
                ),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Person>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Person>>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Option<
                                    Id<Person>,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Option<Id<Person>>>,
                        )
                        .keyed(<Option<Id<Person>> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Option<Id<Person>>>::OPTION),
                )
                .copy(
                    __odm::CopyShape::new(
                            || <Person as __odm::Model>::SHAPE,
                            || <Person>::fields().parent.path(),
                        )
                        .optional(__odm::TypeProbe::<Option<Id<Person>>>::OPTION)
                        .via("guest"),
                ),
        ];
    }
    #[automatically_derived]
    impl Visit {
        ///Returns typed handles of the stored fields of `Visit`, for filters, sorts and updates.
        fn fields() -> VisitFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Visit {
        type Key = <Id<Visit> as __odm::IdOf<Visit>>::Key;
        type Id = Id<Visit>;
        fn id(&self) -> &Id<Visit> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "visits",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<Person> as __odm::Reference>::Target, 1> for Visit {}
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Person>> as __odm::Reference>::Target, 2> for Visit {}
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Visit>> as __odm::Reference>::Target, 3> for Visit {}
    #[automatically_derived]
    impl __odm::Refers<<Option<Id<Person>> as __odm::Reference>::Target, 10> for Visit {}
    #[automatically_derived]
    impl Visit {
        const __ODM_GUEST: __odm::Relation<
            Self,
            <Id<Person> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Visit.guest",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.guest,
                __odm_found,
            ),
            <Id<Person> as __odm::Reference>::target_path,
        );
        const __ODM_HOST: __odm::Relation<
            Self,
            <Option<Id<Person>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Visit.host",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.host,
                __odm_found,
            ),
            <Option<Id<Person>> as __odm::Reference>::target_path,
        );
        const __ODM_BEFORE: __odm::Relation<
            Self,
            <Option<Id<Visit>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Visit.before",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.before,
                __odm_found,
            ),
            <Option<Id<Visit>> as __odm::Reference>::target_path,
        );
        const __ODM_PARENT: __odm::Relation<
            Self,
            <Option<Id<Person>> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "Visit.parent",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.parent,
                __odm_found,
            ),
            <Option<Id<Person>> as __odm::Reference>::target_path,
        );
        /**Loads the document that `guest` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_guest(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_GUEST.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `guest` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_guest<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<Person> as __odm::Reference>::Target> {
            Self::__ODM_GUEST.join_one(owners, odm)
        }
        /**Loads the document that `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_host(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_HOST.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `host` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_host<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_HOST.join_one(owners, odm)
        }
        /**Loads the document that `before` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_before(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Visit>> as __odm::Reference>::Target> {
            Self::__ODM_BEFORE.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `before` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_before<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Visit>> as __odm::Reference>::Target> {
            Self::__ODM_BEFORE.join_one(owners, odm)
        }
        /**Loads the document that `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_parent(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_PARENT.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_parent<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Option<Id<Person>> as __odm::Reference>::Target> {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
    }
    __odm::gives!(
        Visit { id 628021283683842752 Id < Visit >, guest 14892762000657528819 Id <
        Person >, host 4645455097838390639 Option < Id < Person > >, before
        15607963802542256830 Option < Id < Visit > >, nested 17277480025390778890 Option
        < String >, flattened 16833756474131917504 String, whole 16183950829026469204
        Option < Address >, array 5737045748118630438 Vec < String >, encoded
        10025352656399016601 i64, by_its_type 5206221842282446062 Option < Text >, parent
        7371339085820260189 Option < Id < Person > >, }
    );
    const _: () = ::core::assert!(
        ! < Id < Person > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Visit.guest` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        ! < Option < Id < Person > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Visit.host` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        ! < Option < Id < Visit > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Visit.before` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Person>::fields().address.city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.address.city` lies in an array, and `Visit.nested` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.address.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.nested` is written as it is, and its source `Person.address.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Person) > ::SAME && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`guest` holds `Person.address.city` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Person>::fields().origin.city
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.origin.city` lies in an array, and `Visit.flattened` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.origin.city` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.flattened` is written as it is, and its source `Person.origin.city` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Person) > ::SAME && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`guest` holds `Person.origin.city` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().address);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.address` lies in an array, and `Visit.whole` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.address` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.whole` is written as it is, and its source `Person.address` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`host` holds `Person.address` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().tags);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.tags` lies in an array, and `Visit.array` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.tags` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.array` is written as it is, and its source `Person.tags` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`host` holds `Person.tags` already; remove this copy"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().number);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.number` lies in an array, and `Visit.encoded` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.number` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::Some("text")),
            "`Visit.encoded` is written with `text`, and its source `Person.number` is not; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Person) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`host` holds `Person.number` already; remove this copy"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target, Visit)
            > ::SAME || __odm::TypeProbe:: < (< Option < Id < Person > > as
            __odm::Reference > ::Target, Visit) > ::SAME || __odm::TypeProbe:: < (<
            Option < Id < Visit > > as __odm::Reference > ::Target, Visit) > ::SAME ||
            __odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Visit) > ::SAME,
            "nothing here refers to the source of `Visit.flattened`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Person > > as
            __odm::Reference > ::Target, Visit) > ::SAME),
            "both `guest` and `host` refer to the source of `Visit.flattened`; write `via = \"guest\"` or `via = \"host\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Visit > > as
            __odm::Reference > ::Target, Visit) > ::SAME),
            "both `guest` and `before` refer to the source of `Visit.flattened`; write `via = \"guest\"` or `via = \"before\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Person > > as
            __odm::Reference > ::Target, Visit) > ::SAME),
            "both `guest` and `parent` refer to the source of `Visit.flattened`; write `via = \"guest\"` or `via = \"parent\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Visit > >
            as __odm::Reference > ::Target, Visit) > ::SAME),
            "both `host` and `before` refer to the source of `Visit.flattened`; write `via = \"host\"` or `via = \"before\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Person > >
            as __odm::Reference > ::Target, Visit) > ::SAME),
            "both `host` and `parent` refer to the source of `Visit.flattened`; write `via = \"host\"` or `via = \"parent\"`"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Visit > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < (< Option < Id < Person > >
            as __odm::Reference > ::Target, Visit) > ::SAME),
            "both `before` and `parent` refer to the source of `Visit.flattened`; write `via = \"before\"` or `via = \"parent\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <Visit>::fields().flattened
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Visit.flattened` lies in an array, and `Visit.by_its_type` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Visit.flattened` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.by_its_type` is written as it is, and its source `Visit.flattened` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Visit) > ::SAME && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`guest` holds `Visit.flattened` already; remove this copy"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`host` holds `Visit.flattened` already; remove this copy"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Visit > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < Option < Id < Visit > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`before` holds `Visit.flattened` already; remove this copy"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Option < Id < Person > > as __odm::Reference >
            ::Target, Visit) > ::SAME && __odm::TypeProbe:: < Option < Id < Person > > >
            ::EMBED.is_none() && __ODM_SOURCE.is_id()),
            "`parent` holds `Visit.flattened` already; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! < Option < Id < Person > > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Visit.parent` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <Person>::fields().parent);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.parent` lies in an array, and `Visit.parent` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `Person.parent` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Visit.parent` is written as it is, and its source `Person.parent` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < Person > as __odm::Reference > ::Target,
            Person) > ::SAME && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`guest` holds `Person.parent` already; remove this copy"
        );
    };
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        <Person>::fields().address.city.__copied_as::<Option<String>>();
        <Visit>::fields().guest.__refers_to::<Person>();
        <Person>::fields().origin.city.__copied_as::<String>();
        <Visit>::fields().guest.__refers_to::<Person>();
        __odm_embeds::<Option<Address>>();
        <Person>::fields().address.__copied_as::<Option<Address>>();
        <Visit>::fields().host.__refers_to::<Person>();
        <Person>::fields().tags.__copied_as::<Vec<String>>();
        <Visit>::fields().host.__refers_to::<Person>();
        <Person>::fields().number.__copied_as::<i64>();
        <Visit>::fields().host.__refers_to::<Person>();
        <Visit>::fields().flattened.__copied_as::<Option<Text>>();
        <Person>::fields().parent.__copied_as::<Option<Id<Person>>>();
        <Visit>::fields().guest.__refers_to::<Person>();
        __odm::check_id::<Id<Visit>, Visit>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Visit as __odm::Model > ::SHAPE)
    }
};
