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
    ///Typed field handles of `P`, from `P::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PFields<__OdmDocument, __OdmPath> {
        ///The field `m`, stored as `m`.
        m: __odm::Field<__OdmDocument, __OdmPath, P, M, 0>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { m: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for P {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "P";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("m", "m")
                .of_type(
                    __odm::TypeProbe::<M>::ARRAY,
                    __odm::TypeProbe::<M>::OPTION,
                    __odm::TypeProbe::<M>::EMBED,
                )
                .form(__odm::TypeProbe::<M>::FORM, __odm::TypeProbe::<M>::TRACED_FORM)
                .written("M"),
        ];
    }
    #[automatically_derived]
    impl P {
        ///Returns typed field handles of `P`, for filters, sorts and updates.
        fn fields() -> PFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for P {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<M>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < P > ()
    }
};
