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
    ///Typed field handles of `Setting`, from `Setting::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct SettingFields<__OdmDocument, __OdmPath> {
        ///The field `font_size`, stored as `fontSize`.
        font_size: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Setting,
            i32,
            0,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
        ///The field `color_scheme`, stored as `colorScheme`.
        color_scheme: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Setting,
            Option<String>,
            1,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
        ///The field `last_files`, stored as `lastFiles`.
        last_files: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Setting,
            Vec<String>,
            2,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for SettingFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for SettingFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for SettingFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            font_size: __odm::Field::NEW,
            color_scheme: __odm::Field::NEW,
            last_files: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Setting {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = SettingFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Setting";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("font_size", "fontSize")
                .of_type(
                    __odm::TypeProbe::<i32>::ARRAY,
                    __odm::TypeProbe::<i32>::OPTION,
                    __odm::TypeProbe::<i32>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i32>::FORM,
                    __odm::TypeProbe::<i32>::TRACED_FORM,
                )
                .default()
                .written("i32"),
            __odm::FieldShape::new("color_scheme", "colorScheme")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .default()
                .skips(|value| __odm::skips::<
                    Option<String>,
                    __odm::AsSerde,
                >(value, |value: &Option<String>| Option::is_none(value)))
                .written("Option<String>"),
            __odm::FieldShape::new("last_files", "lastFiles")
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
                .skips(|value| __odm::skips::<
                    Vec<String>,
                    __odm::AsSerde,
                >(value, |value: &Vec<String>| Vec::is_empty(value)))
                .written("Vec<String>"),
        ];
    }
    #[automatically_derived]
    impl Setting {
        ///Returns typed field handles of `Setting`, for filters, sorts and updates.
        fn fields() -> SettingFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Setting {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<i32>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Setting > ()
    }
};
