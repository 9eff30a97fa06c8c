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
    ///Typed field handles of `Country`, from `Country::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct CountryFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Country,
            Id<Country, i32>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `name`, stored as `name`.
        name: __odm::Field<__OdmDocument, __OdmPath, Country, String, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for CountryFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for CountryFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for CountryFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Country {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CountryFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Country";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Country, i32>>::ARRAY,
                    __odm::TypeProbe::<Id<Country, i32>>::OPTION,
                    __odm::TypeProbe::<Id<Country, i32>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Country, i32>>::FORM,
                    __odm::TypeProbe::<Id<Country, i32>>::TRACED_FORM,
                )
                .written("Id<Country, i32>"),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String"),
        ];
    }
    #[automatically_derived]
    impl Country {
        ///Returns typed field handles of `Country`, for filters, sorts and updates.
        fn fields() -> CountryFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Country {
        type Key = <Id<Country, i32> as __odm::IdOf<Country>>::Key;
        type Id = Id<Country, i32>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "countries",
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
    impl __odm::DeclaresId<Id<Country, i32>> for Country {
        fn __odm_declared_id(&self) -> &Id<Country, i32> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Country, i32>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Country > ()
    }
};
