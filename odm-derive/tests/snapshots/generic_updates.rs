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
    ///Typed field handles of `Line`, from `Line::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct LineFields<__OdmDocument, __OdmPath> {
        ///The field `qty`, stored as `qty`.
        qty: __odm::Field<__OdmDocument, __OdmPath, Line, i64, 0>,
        ///The field `tags`, stored as `tags`.
        tags: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Line,
            Vec<String>,
            1,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
        ///The field `sizes`, stored as `sizes`.
        sizes: __odm::Field<__OdmDocument, __OdmPath, Line, Vec<Vec<Size>>, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for LineFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LineFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LineFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            qty: __odm::Field::NEW,
            tags: __odm::Field::NEW,
            sizes: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Line";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("qty", "qty")
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
                .default()
                .written("Vec<String>"),
            __odm::FieldShape::new("sizes", "sizes")
                .of_type(
                    __odm::TypeProbe::<Vec<Vec<Size>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Vec<Size>>>::OPTION,
                    __odm::TypeProbe::<Vec<Vec<Size>>>::EMBED,
                )
                .hides(
                    &[
                        __odm::TypeProbe::<Vec<Size>>::EMBED,
                        __odm::TypeProbe::<Size>::EMBED,
                    ],
                )
                .form(
                    __odm::TypeProbe::<Vec<Vec<Size>>>::FORM,
                    __odm::TypeProbe::<Vec<Vec<Size>>>::TRACED_FORM,
                )
                .written("Vec<Vec<Size>>"),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed field handles of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Vec < Size > > > ::FOLLOWED || !
        (__odm::declares(__odm::TypeProbe:: < Vec < Size > > ::FLAT) ||
        __odm::declares(__odm::TypeProbe:: < Size > ::FLAT)),
        "`Line.sizes` contains structs with copies, bounds, indexes or delete rules, but MongoDB cannot find the elements of an array of arrays; make it one `Vec`, or a `Vec` of a struct with the inner array as a field"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Vec<Vec<Size>>>();
    }
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Line > ()
    }
};
