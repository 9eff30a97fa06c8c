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
    ///Typed field handles of `Form`, from `Form::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct __OdmFormFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        pub id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Form,
            Id<Form>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `fields`, stored as `fields`.
        pub fields: __odm::Field<__OdmDocument, __OdmPath, Form, Vec<FormFields>, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for __OdmFormFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for __OdmFormFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for __OdmFormFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            fields: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Form {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = __OdmFormFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Form";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Form>>::ARRAY,
                    __odm::TypeProbe::<Id<Form>>::OPTION,
                    __odm::TypeProbe::<Id<Form>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Form>>::FORM,
                    __odm::TypeProbe::<Id<Form>>::TRACED_FORM,
                )
                .written("Id<Form>"),
            __odm::FieldShape::new("fields", "fields")
                .of_type(
                    __odm::TypeProbe::<Vec<FormFields>>::ARRAY,
                    __odm::TypeProbe::<Vec<FormFields>>::OPTION,
                    __odm::TypeProbe::<Vec<FormFields>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<FormFields>>::FORM,
                    __odm::TypeProbe::<Vec<FormFields>>::TRACED_FORM,
                )
                .written("Vec<FormFields>"),
        ];
    }
    #[automatically_derived]
    impl Form {
        ///Returns typed field handles of `Form`, for filters, sorts and updates.
        pub fn fields() -> __OdmFormFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Form {
        type Key = <Id<Form> as __odm::IdOf<Form>>::Key;
        type Id = Id<Form>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "forms",
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
    impl __odm::DeclaresId<Id<Form>> for Form {
        fn __odm_declared_id(&self) -> &Id<Form> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Form>>::FOREIGN);
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Vec<FormFields>>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Form > ()
    }
};
