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
        ///The field `_id`, stored as `_id`.
        _id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Person,
            Id<Person>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `home`, stored as `home`.
        home: __odm::Field<__OdmDocument, __OdmPath, Person, Option<Address>, 1>,
        ///The field `addresses`, stored as `addresses`.
        addresses: __odm::Field<__OdmDocument, __OdmPath, Person, Vec<Address>, 2>,
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
            _id: __odm::Field::NEW,
            home: __odm::Field::NEW,
            addresses: __odm::Field::NEW,
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
            __odm::FieldShape::new("_id", "_id")
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
            __odm::FieldShape::new("home", "home")
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
            __odm::FieldShape::new("addresses", "addresses")
                .of_type(
                    __odm::TypeProbe::<Vec<Address>>::ARRAY,
                    __odm::TypeProbe::<Vec<Address>>::OPTION,
                    __odm::TypeProbe::<Vec<Address>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Address>>::FORM,
                    __odm::TypeProbe::<Vec<Address>>::TRACED_FORM,
                )
                .written("Vec<Address>")
                .max(200u32),
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
            &self._id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Option<Address>>();
        <__odm::Handles<Person> as __odm::FieldSet>::NEW.addresses.__is_array();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Person > ()
    }
};
