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
    ///Typed field handles of `Größe`, from `Größe::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct GrößeFields<__OdmDocument, __OdmPath> {
        ///The field `breite`, stored as `breite`.
        breite: __odm::Field<__OdmDocument, __OdmPath, Größe, i64, 0>,
        ///The field `höhe`, stored as `Höhe in cm`.
        höhe: __odm::Field<__OdmDocument, __OdmPath, Größe, i64, 1>,
        ///The field `datum`, stored as `日付`.
        datum: __odm::Field<__OdmDocument, __OdmPath, Größe, DateTime, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for GrößeFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for GrößeFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for GrößeFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            breite: __odm::Field::NEW,
            höhe: __odm::Field::NEW,
            datum: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Größe {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = GrößeFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Größe";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("breite", "breite")
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
            __odm::FieldShape::new("höhe", "Höhe in cm")
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
            __odm::FieldShape::new("datum", "日付")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::OPTION,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<DateTime>::FORM,
                    __odm::TypeProbe::<DateTime>::TRACED_FORM,
                )
                .written("DateTime"),
        ];
    }
    #[automatically_derived]
    impl Größe {
        ///Returns typed field handles of `Größe`, for filters, sorts and updates.
        fn fields() -> GrößeFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Größe {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Größe > ()
    }
};
