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
    ///Typed field handles of `Student`, from `Student::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct StudentFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Student,
            Id<Student, String>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `links`, stored as `links`.
        links: __odm::Field<__OdmDocument, __OdmPath, Student, Vec<Link>, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for StudentFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for StudentFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for StudentFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            links: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Student {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = StudentFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Student";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Student, String>>::ARRAY,
                    __odm::TypeProbe::<Id<Student, String>>::OPTION,
                    __odm::TypeProbe::<Id<Student, String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Student, String>>::FORM,
                    __odm::TypeProbe::<Id<Student, String>>::TRACED_FORM,
                )
                .written("Id<Student, String>"),
            __odm::FieldShape::new("links", "links")
                .of_type(
                    __odm::TypeProbe::<Vec<Link>>::ARRAY,
                    __odm::TypeProbe::<Vec<Link>>::OPTION,
                    __odm::TypeProbe::<Vec<Link>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Link>>::FORM,
                    __odm::TypeProbe::<Vec<Link>>::TRACED_FORM,
                )
                .written("Vec<Link>")
                .links(
                    __odm::links_of(
                            <Vec<Link> as __odm::ArrayOfLinks>::__ODM_FIELDS,
                            "target",
                            "doc_type",
                        )
                        .reads(__odm::reads_link::<Vec<Link>>),
                ),
        ];
    }
    #[automatically_derived]
    impl Student {
        ///Returns typed field handles of `Student`, for filters, sorts and updates.
        fn fields() -> StudentFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Student {
        type Key = <Id<Student, String> as __odm::IdOf<Student>>::Key;
        type Id = Id<Student, String>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "students_classes",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .kind(__odm::KindShape::new("doc_type", "student"));
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
    impl __odm::DeclaresId<Id<Student, String>> for Student {
        fn __odm_declared_id(&self) -> &Id<Student, String> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::Linked for Student {
        const __ODM_LINKED: &'static str = "Student.linked";
        type __OdmCollection = __odm::CollectionName<
            153465906946986761815595209817190524275,
            (),
        >;
        fn held_links(
            &self,
        ) -> ::core::result::Result<
            ::std::vec::Vec<__odm::mongodb::bson::Bson>,
            __odm::EncodeError,
        > {
            __odm::encoded_links(&self.links)
        }
    }
    #[automatically_derived]
    impl __odm::LinkTarget for &Student {
        type Model = Student;
        fn target(&self) -> ::core::result::Result<__odm::Target, __odm::Error> {
            __odm::target_of(*self)
        }
        fn held_links(
            &self,
        ) -> ::core::option::Option<
            ::core::result::Result<
                ::std::vec::Vec<__odm::mongodb::bson::Bson>,
                __odm::EncodeError,
            >,
        > {
            ::core::option::Option::Some(__odm::Linked::held_links(*self))
        }
    }
    #[automatically_derived]
    impl __odm::LinkTargets for &Student {
        type Model = Student;
        fn into_targets(
            self,
        ) -> ::core::result::Result<::std::vec::Vec<__odm::Target>, __odm::Error> {
            ::core::result::Result::Ok(::std::vec![__odm::target_of(self) ?])
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Student, String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Link>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::has_name(< Vec < Link > as __odm::ArrayOfLinks > ::__ODM_FIELDS,
        "target"),
        "a link has no field `target`; write `#[links(target = \"..\")]` with the field of a link for the id of a document"
    );
    const _: () = ::core::assert!(
        __odm::has_name(< Vec < Link > as __odm::ArrayOfLinks > ::__ODM_FIELDS,
        "doc_type"),
        "a link has no field `doc_type`; write `#[links(kind = \"..\")]` with the field of a link for its kind"
    );
    __odm::inventory::submit! {
        __odm::registered:: < Student > ()
    }
};
