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
    ///Typed field handles of `Cable`, from `Cable::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct CableFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Cable,
            Id<Cable, String>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `length`, stored as `length`.
        length: __odm::Field<__OdmDocument, __OdmPath, Cable, f64, 1>,
        ///The field `color`, stored as `color`.
        color: __odm::Field<__OdmDocument, __OdmPath, Cable, String, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for CableFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for CableFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for CableFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            length: __odm::Field::NEW,
            color: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Cable {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CableFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Cable";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Cable, String>>::ARRAY,
                    __odm::TypeProbe::<Id<Cable, String>>::OPTION,
                    __odm::TypeProbe::<Id<Cable, String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Cable, String>>::FORM,
                    __odm::TypeProbe::<Id<Cable, String>>::TRACED_FORM,
                )
                .written("Id<Cable, String>"),
            __odm::FieldShape::new("length", "length")
                .of_type(
                    __odm::TypeProbe::<f64>::ARRAY,
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<f64>::FORM,
                    __odm::TypeProbe::<f64>::TRACED_FORM,
                )
                .written("f64"),
            __odm::FieldShape::new("color", "color")
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
    impl Cable {
        ///Returns typed field handles of `Cable`, for filters, sorts and updates.
        fn fields() -> CableFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Cable {
        type Key = <Id<Cable, String> as __odm::IdOf<Cable>>::Key;
        type Id = Id<Cable, String>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "parts",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .kind(__odm::KindShape::new("doc_type", "cable"))
            .indexes(
                &[
                    __odm::IndexShape::new(
                            &[
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Cable> as __odm::FieldSet>::NEW
                                            .length
                                            .path()
                                    },
                                    __odm::IndexKind::Ascending,
                                ),
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Cable> as __odm::FieldSet>::NEW.color.path()
                                    },
                                    __odm::IndexKind::Ascending,
                                ),
                            ],
                        )
                        .unique(),
                    __odm::IndexShape::new(
                            &[
                                __odm::IndexKey::new(
                                    || {
                                        <__odm::Handles<Cable> as __odm::FieldSet>::NEW.color.path()
                                    },
                                    __odm::IndexKind::Descending,
                                ),
                            ],
                        )
                        .all_kinds(),
                ],
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
    impl __odm::DeclaresId<Id<Cable, String>> for Cable {
        fn __odm_declared_id(&self) -> &Id<Cable, String> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Cable, String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<f64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = ::core::assert!(
        0 + (__odm::TypeProbe:: < f64 > ::ARRAY as usize) + (__odm::TypeProbe:: < String
        > ::ARRAY as usize) < 2,
        "at most one field of an index can be an array, but several of `length`, `color` are; move the others to another index"
    );
    __odm::inventory::submit! {
        __odm::registered:: < Cable > ()
    }
};
