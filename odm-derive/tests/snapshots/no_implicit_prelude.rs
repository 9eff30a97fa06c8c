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
    ///Typed field handles of `Pupil`, from `Pupil::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct PupilFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        pub id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Pupil,
            Id<Pupil, Text>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `name`, stored as `name`.
        pub name: __odm::Field<__OdmDocument, __OdmPath, Pupil, Text, 1>,
        ///The field `links`, stored as `links`.
        pub links: __odm::Field<__OdmDocument, __OdmPath, Pupil, List<Link>, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PupilFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PupilFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PupilFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            links: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Pupil {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PupilFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Pupil";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Pupil, Text>>::ARRAY,
                    __odm::TypeProbe::<Id<Pupil, Text>>::OPTION,
                    __odm::TypeProbe::<Id<Pupil, Text>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Pupil, Text>>::FORM,
                    __odm::TypeProbe::<Id<Pupil, Text>>::TRACED_FORM,
                )
                .written("Id<Pupil, Text>"),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<Text>::ARRAY,
                    __odm::TypeProbe::<Text>::OPTION,
                    __odm::TypeProbe::<Text>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Text>::FORM,
                    __odm::TypeProbe::<Text>::TRACED_FORM,
                )
                .written("Text"),
            __odm::FieldShape::new("links", "links")
                .of_type(
                    __odm::TypeProbe::<List<Link>>::ARRAY,
                    __odm::TypeProbe::<List<Link>>::OPTION,
                    __odm::TypeProbe::<List<Link>>::EMBED,
                )
                .hides(&[__odm::TypeProbe::<Link>::EMBED])
                .form(
                    __odm::TypeProbe::<List<Link>>::FORM,
                    __odm::TypeProbe::<List<Link>>::TRACED_FORM,
                )
                .written("List<Link>")
                .max(10u32)
                .links(
                    __odm::links_of(
                            <List<Link> as __odm::ArrayOfLinks>::__ODM_FIELDS,
                            "target",
                            "kind",
                        )
                        .reads(__odm::reads_link::<List<Link>>),
                ),
        ];
    }
    #[automatically_derived]
    impl Pupil {
        ///Returns typed field handles of `Pupil`, for filters, sorts and updates.
        pub fn fields() -> PupilFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Pupil {
        type Key = <Id<Pupil, Text> as __odm::IdOf<Pupil>>::Key;
        type Id = Id<Pupil, Text>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "no_implicit_prelude_school",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .kind(__odm::KindShape::new("kind", "pupil"));
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
    impl __odm::DeclaresId<Id<Pupil, Text>> for Pupil {
        fn __odm_declared_id(&self) -> &Id<Pupil, Text> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::Linked for Pupil {
        const __ODM_LINKED: &'static str = "Pupil.linked";
        type __OdmCollection = __odm::CollectionName<
            521514776854478514119529,
            __odm::CollectionName<154685996405886289844105802902875893612, ()>,
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
    impl __odm::LinkTarget for &Pupil {
        type Model = Pupil;
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
    impl __odm::LinkTargets for &Pupil {
        type Model = Pupil;
        fn into_targets(
            self,
        ) -> ::core::result::Result<::std::vec::Vec<__odm::Target>, __odm::Error> {
            ::core::result::Result::Ok(::std::vec![__odm::target_of(self) ?])
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Pupil, Text>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Text>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < List < Link > > ::FOLLOWED || !
        (__odm::declares(__odm::TypeProbe:: < Link > ::FLAT)),
        "`Pupil.links` contains structs with copies, bounds, indexes or delete rules, but the library cannot see into this type; use the struct itself, or an `Option`, a `Box`, an `Arc` or an array (`Vec`, `Box<[T]>`) of it"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<List<Link>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::has_name(< List < Link > as __odm::ArrayOfLinks > ::__ODM_FIELDS,
        "target"),
        "a link has no field `target`; write `#[links(target = \"..\")]` with the field of a link for the id of a document"
    );
    const _: () = ::core::assert!(
        __odm::has_name(< List < Link > as __odm::ArrayOfLinks > ::__ODM_FIELDS, "kind"),
        "a link has no field `kind`; write `#[links(kind = \"..\")]` with the field of a link for its kind"
    );
    fn __odm_checks() {
        <__odm::Handles<Pupil> as __odm::FieldSet>::NEW.links.__is_array();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Pupil > ()
    }
};
