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
    ///Typed field handles of `Page`, from `Page::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct PageFields<__OdmDocument, __OdmPath, T: Embedded>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        ///The field `page_number`, stored as `pageNumber`.
        pub page_number: __odm::Field<__OdmDocument, __OdmPath, Page<T>, i64, 0>,
        ///The field `items`, stored as `items`.
        pub items: __odm::Field<__OdmDocument, __OdmPath, Page<T>, Vec<T>, 1>,
        ///The field `first`, stored as `first`.
        pub first: __odm::Field<__OdmDocument, __OdmPath, Page<T>, Option<T>, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath, T: Embedded> ::core::clone::Clone
    for PageFields<__OdmDocument, __OdmPath, T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath, T: Embedded> ::core::marker::Copy
    for PageFields<__OdmDocument, __OdmPath, T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path, T: Embedded> __odm::FieldSet
    for PageFields<__OdmDocument, __OdmPath, T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        const NEW: Self = Self {
            page_number: __odm::Field::NEW,
            items: __odm::Field::NEW,
            first: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl<T: Embedded> __odm::HasFields for Page<T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PageFields<
            __OdmDocument,
            __OdmPath,
            T,
        >;
        const __ODM_NAME: &'static str = "Page";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("page_number", "pageNumber")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64"),
            __odm::FieldShape::new("items", "items")
                .of_type(
                    <Vec<T> as __odm::FieldType>::__ODM_ARRAY,
                    <Vec<T> as __odm::FieldType>::__ODM_OPTION,
                    <Vec<T> as __odm::FieldType>::__ODM_EMBED,
                )
                .written("Vec<T>")
                .max(20u32),
            __odm::FieldShape::new("first", "first")
                .of_type(
                    <Option<T> as __odm::FieldType>::__ODM_ARRAY,
                    <Option<T> as __odm::FieldType>::__ODM_OPTION,
                    <Option<T> as __odm::FieldType>::__ODM_EMBED,
                )
                .written("Option<T>"),
        ];
    }
    #[automatically_derived]
    impl<T: Embedded> Page<T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        ///Returns typed field handles of `Page`, for filters, sorts and updates.
        pub fn fields() -> PageFields<Self, __odm::Root, T> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl<T: Embedded> __odm::Embedded for Page<T>
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    fn __odm_checks<T: Embedded>()
    where
        T: 'static,
        Vec<T>: __odm::FieldType,
        Option<T>: __odm::FieldType,
    {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        <__odm::Handles<Page<T>> as __odm::FieldSet>::NEW.items.__is_array();
    }
};
