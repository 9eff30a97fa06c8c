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
    ///Typed field handles of `A`, from `A::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct AFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Id<A>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The fields of `stamps`, which serde flattens.
        stamps: __odm::Field<
            __OdmDocument,
            __OdmPath,
            A,
            Stamps,
            1,
            __odm::AsSerde,
            __odm::Flattened,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            stamps: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "A";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::OPTION,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<A>>::FORM,
                    __odm::TypeProbe::<Id<A>>::TRACED_FORM,
                )
                .written("Id<A>"),
            __odm::FieldShape::new("stamps", "stamps")
                .of_type(
                    __odm::TypeProbe::<Stamps>::ARRAY,
                    __odm::TypeProbe::<Stamps>::OPTION,
                    __odm::TypeProbe::<Stamps>::EMBED,
                )
                .written("Stamps")
                .flatten(),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed field handles of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "a",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    __odm::inside(
                                            <__odm::Handles<A> as __odm::FieldSet>::NEW.stamps,
                                        )
                                        .created
                                        .path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
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
    impl __odm::DeclaresId<Id<A>> for A {
        fn __odm_declared_id(&self) -> &Id<A> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<A>>::FOREIGN);
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < Stamps > ::ARRAY || __odm::TypeProbe:: < Stamps >
        ::NUMBER || __odm::TypeProbe:: < Stamps > ::TEXT || __odm::TypeProbe:: < Stamps >
        ::DATE),
        "`A.stamps` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Stamps > ::FLAT, "_id"),
        "`A.stamps` and `A.id` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Stamps>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < A > ()
    }
};
