///The documents that `Enrollment::linked(&odm, id)` finds, by kind.
#[allow(dead_code, non_snake_case)]
pub struct EnrollmentLinked {
    ///Documents of the kind `class`.
    pub courses: ::std::vec::Vec<Class>,
    ///Documents of the kind `student`.
    pub students: ::std::vec::Vec<Student>,
    /// Documents of all other kinds.
    pub unknown: ::std::vec::Vec<bson::RawDocumentBuf>,
}
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
    ///Typed field handles of `Enrollment`, from `Enrollment::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct EnrollmentFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        pub id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Enrollment,
            ::mongo_odm::Id<Enrollment, <Class as ::mongo_odm::Described>::Key>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `doc_type`, stored as `doc_type`.
        pub doc_type: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Enrollment,
            ::core::option::Option<::std::string::String>,
            1,
        >,
        ///The field `name`, stored as `title`.
        pub name: __odm::Field<__OdmDocument, __OdmPath, Enrollment, Option<String>, 2>,
        ///The field `number`, stored as `number`.
        pub number: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Enrollment,
            i64,
            3,
            __OdmEnrollmentCodec3,
        >,
        ///The field `room`, stored as `room`.
        pub room: __odm::Field<__OdmDocument, __OdmPath, Enrollment, Room, 4>,
    }
    ///The codec of `Enrollment.number`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    pub struct __OdmEnrollmentCodec3;
    #[automatically_derived]
    impl __odm::Codec<i64> for __OdmEnrollmentCodec3 {
        type Form = __odm::CodecPath<{ __odm::relation_name("as_text") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &i64,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            as_text::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<i64, __OdmD::Error> {
            as_text::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for EnrollmentFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for EnrollmentFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for EnrollmentFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            doc_type: __odm::Field::NEW,
            name: __odm::Field::NEW,
            number: __odm::Field::NEW,
            room: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Enrollment {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = EnrollmentFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Enrollment";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<
                        ::mongo_odm::Id<
                            Enrollment,
                            <Class as ::mongo_odm::Described>::Key,
                        >,
                    >::ARRAY,
                    __odm::TypeProbe::<
                        ::mongo_odm::Id<
                            Enrollment,
                            <Class as ::mongo_odm::Described>::Key,
                        >,
                    >::OPTION,
                    __odm::TypeProbe::<
                        ::mongo_odm::Id<
                            Enrollment,
                            <Class as ::mongo_odm::Described>::Key,
                        >,
                    >::EMBED,
                )
                .form(
                    __odm::TypeProbe::<
                        ::mongo_odm::Id<
                            Enrollment,
                            <Class as ::mongo_odm::Described>::Key,
                        >,
                    >::FORM,
                    __odm::TypeProbe::<
                        ::mongo_odm::Id<
                            Enrollment,
                            <Class as ::mongo_odm::Described>::Key,
                        >,
                    >::TRACED_FORM,
                )
                .written("Id<Enrollment, <Class Described>Key>"),
            __odm::FieldShape::new("doc_type", "doc_type")
                .of_type(
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::ARRAY,
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::OPTION,
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::EMBED,
                )
                .form(
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::FORM,
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::TRACED_FORM,
                )
                .written("Option<String>"),
            __odm::FieldShape::new("name", "title")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .written("Option<String>"),
            __odm::FieldShape::new("number", "number")
                .of_type(
                    (__odm::TypeProbe::<i64>::ARRAY & !__odm::TypeProbe::<i64>::BYTES),
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::native_form("as_text", __odm::TypeProbe::<i64>::NATIVE_FORM),
                    ::core::option::Option::None,
                )
                .written("i64")
                .codec("as_text"),
            __odm::FieldShape::new("room", "room")
                .of_type(
                    __odm::TypeProbe::<Room>::ARRAY,
                    __odm::TypeProbe::<Room>::OPTION,
                    __odm::TypeProbe::<Room>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Room>::FORM,
                    __odm::TypeProbe::<Room>::TRACED_FORM,
                )
                .written("Room"),
        ];
    }
    #[automatically_derived]
    impl Enrollment {
        ///Returns typed field handles of `Enrollment`, for filters, sorts and updates.
        pub fn fields() -> EnrollmentFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Enrollment {
        type Key = <Class as __odm::Described>::Key;
        type Id = __odm::Id<Self, <Class as __odm::Described>::Key>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Class as __odm::Described>::SHAPE.collection,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .variants(
                &[
                    <Class as __odm::Described>::SHAPE,
                    <Student as __odm::Described>::SHAPE,
                ],
            )
            .and_others();
        type __OdmModel = Self;
        fn __odm_read_document(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_kind(__odm_collection, __odm_part, __odm_whole)
        }
    }
    #[automatically_derived]
    impl __odm::SingleCollection for Enrollment {
        const __ODM_KINDS: &'static [__odm::Variant<Self>] = &[
            __odm::Variant::new(
                <Class as __odm::Described>::SHAPE,
                |__odm_collection, __odm_part, __odm_whole| {
                    <Class as __odm::Described>::__odm_read_document(
                            __odm_collection,
                            __odm_part,
                            __odm_whole,
                        )
                        .map(Self::Course)
                },
            ),
            __odm::Variant::new(
                <Student as __odm::Described>::SHAPE,
                |__odm_collection, __odm_part, __odm_whole| {
                    <Student as __odm::Described>::__odm_read_document(
                            __odm_collection,
                            __odm_part,
                            __odm_whole,
                        )
                        .map(Self::Student)
                },
            ),
        ];
        const __ODM_OTHER: ::core::option::Option<__odm::ReadAs<Self>> = ::core::option::Option::Some(|
            __odm_collection,
            __odm_part,
            __odm_whole|
        {
            <bson::RawDocumentBuf as __odm::WholeDocument>::take(
                    __odm_collection,
                    __odm_part,
                    __odm_whole,
                )
                .map(Self::Other)
        });
    }
    #[automatically_derived]
    impl __odm::PreImages for Enrollment {}
    #[automatically_derived]
    impl __odm::Holds<<Class as __odm::Described>::__OdmModel> for Enrollment {}
    #[automatically_derived]
    impl __odm::Holds<<Student as __odm::Described>::__OdmModel> for Enrollment {}
    #[automatically_derived]
    impl __odm::KeepsDeleted for Enrollment
    where
        for<'__odm> Class: __odm::KindKeepsDeleted,
        for<'__odm> Student: __odm::KindKeepsDeleted,
    {}
    #[automatically_derived]
    impl __odm::KeepsDeletedInPlace for Enrollment
    where
        for<'__odm> Class: __odm::KindKeepsDeleted,
        for<'__odm> Student: __odm::KindKeepsDeleted,
    {}
    #[automatically_derived]
    impl ::core::default::Default for EnrollmentLinked {
        fn default() -> Self {
            Self {
                courses: ::std::vec::Vec::new(),
                students: ::std::vec::Vec::new(),
                unknown: ::std::vec::Vec::new(),
            }
        }
    }
    /// Shows the number of documents of each kind.
    #[automatically_derived]
    impl ::core::fmt::Debug for EnrollmentLinked {
        fn fmt(&self, __odm_f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __odm_f
                .debug_struct("EnrollmentLinked")
                .field("courses", &self.courses.len())
                .field("students", &self.students.len())
                .field("unknown", &self.unknown.len())
                .finish()
        }
    }
    #[automatically_derived]
    impl __odm::Grouped for Enrollment {
        const __ODM_LINKED: &'static str = "Enrollment.linked";
        type Linked = EnrollmentLinked;
        fn group(
            __odm_found: ::std::vec::Vec<__odm::FoundKind<Self>>,
        ) -> EnrollmentLinked {
            let mut __odm_linked = <EnrollmentLinked as ::core::default::Default>::default();
            for __odm_one in __odm_found {
                match __odm_one {
                    __odm::FoundKind::Known(Self::Course(__odm_one)) => {
                        __odm_linked.courses.push(__odm_one);
                    }
                    __odm::FoundKind::Known(Self::Student(__odm_one)) => {
                        __odm_linked.students.push(__odm_one);
                    }
                    __odm::FoundKind::Known(Self::Other(__odm_one)) => {
                        __odm_linked.unknown.push(__odm_one)
                    }
                    __odm::FoundKind::Unknown(_) => {}
                }
            }
            __odm_linked
        }
    }
    #[automatically_derived]
    impl Enrollment {
        /**Finds a document and all documents that it is linked with, grouped by kind.

`by` is an id of any kind, or a document of `Enrollment`.

# Sends

One `find`: see [`LinkedQuery`](mongo_odm::action::LinkedQuery).

# Index

An index on the links. `sync_indexes` creates it.

# Errors

See [`LinkedQuery`](mongo_odm::action::LinkedQuery).*/
        #[track_caller]
        pub fn linked(
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
            by: impl __odm::LinkedBy,
        ) -> __odm::LinkedQuery<Self> {
            __odm::LinkedQuery::new(by, odm)
        }
    }
    const _: () = {
        ::core::assert!(
            ! __odm::has_kind(< Class as __odm::Described > ::SHAPE) ||
            __odm::kind_is_in(< Class as __odm::Described > ::SHAPE, "doc_type"),
            "`doc_type` is not the field with the kind of `Class`; write the field in its `kind(..)`"
        );
        ::core::assert!(
            ! __odm::has_kind(< Student as __odm::Described > ::SHAPE) ||
            __odm::kind_is_in(< Student as __odm::Described > ::SHAPE, "doc_type"),
            "`doc_type` is not the field with the kind of `Student`; write the field in its `kind(..)`"
        );
    };
    const _: () = {
        ::core::assert!(
            __odm::kind_is(< Class as __odm::Described > ::SHAPE, "class"),
            "the variant has the kind \"class\", but `Class` has another one; write `#[serde(rename = \"..\")]` at the variant with the value in its `kind(..)`, or `#[serde(rename_all = \"..\")]` at the enum if all are in another case"
        );
        ::core::assert!(
            __odm::kind_is(< Student as __odm::Described > ::SHAPE, "student"),
            "the variant has the kind \"student\", but `Student` has another one; write `#[serde(rename = \"..\")]` at the variant with the value in its `kind(..)`, or `#[serde(rename_all = \"..\")]` at the enum if all are in another case"
        );
    };
    const _: () = ::core::assert!(
        __odm::has_kind(< Class as __odm::Described > ::SHAPE),
        "`Class` has no kind; write `kind(doc_type = \"class\")` in its `#[model(..)]`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Class as __odm::HasFields > ::__ODM_FIELDS, "name").is_none()
        || __odm::same_stored_name(< Class as __odm::HasFields > ::__ODM_FIELDS, "name",
        "title", ::core::option::Option::None),
        "`name` is read from `title`, and `Class` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Class as __odm::HasFields > ::__ODM_FIELDS, "number")
        .is_none() || __odm::same_stored_name(< Class as __odm::HasFields >
        ::__ODM_FIELDS, "number", "number", ::core::option::Option::Some("as_text")),
        "`number` is read from `number`, and `Class` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Class as __odm::HasFields > ::__ODM_FIELDS, "room").is_none()
        || __odm::same_stored_name(< Class as __odm::HasFields > ::__ODM_FIELDS, "room",
        "room", ::core::option::Option::None),
        "`room` is read from `room`, and `Class` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::has_kind(< Student as __odm::Described > ::SHAPE),
        "`Student` has no kind; write `kind(doc_type = \"student\")` in its `#[model(..)]`"
    );
    const _: () = ::core::assert!(
        __odm::same_collection(< Student as __odm::Described > ::SHAPE, < Class as
        __odm::Described > ::SHAPE),
        "`Student` and `Class` are in different collections, but all kinds are in one; for references to several collections, derive `Embedded` on the enum"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Student as __odm::HasFields > ::__ODM_FIELDS, "name")
        .is_none() || __odm::same_stored_name(< Student as __odm::HasFields >
        ::__ODM_FIELDS, "name", "title", ::core::option::Option::None),
        "`name` is read from `title`, and `Student` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Student as __odm::HasFields > ::__ODM_FIELDS, "number")
        .is_none() || __odm::same_stored_name(< Student as __odm::HasFields >
        ::__ODM_FIELDS, "number", "number", ::core::option::Option::Some("as_text")),
        "`number` is read from `number`, and `Student` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Student as __odm::HasFields > ::__ODM_FIELDS, "room")
        .is_none() || __odm::same_stored_name(< Student as __odm::HasFields >
        ::__ODM_FIELDS, "room", "room", ::core::option::Option::None),
        "`room` is read from `room`, and `Student` stores it under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <__odm::Handles<Class> as __odm::FieldSet>::NEW
            .name
            .__shared_as::<Option<String>>();
        <__odm::Handles<Class> as __odm::FieldSet>::NEW.number.__shared_as::<i64>();
        <__odm::Handles<Class> as __odm::FieldSet>::NEW.room.__shared_as::<Room>();
        __odm::check_one_key::<Student, Class>();
        <__odm::Handles<Student> as __odm::FieldSet>::NEW
            .name
            .__shared_as::<Option<String>>();
        <__odm::Handles<Student> as __odm::FieldSet>::NEW.number.__shared_as::<i64>();
        <__odm::Handles<Student> as __odm::FieldSet>::NEW.room.__shared_as::<Room>();
    }
};
