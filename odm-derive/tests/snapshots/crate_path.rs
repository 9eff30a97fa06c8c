/**Typed handles of the stored fields of `Line`.

Got from `Line::fields()`, or from the handle of a field that embeds a `Line`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct LineFields<__OdmDocument, __OdmPath> {
    ///The field `text`, stored as `text`.
    text: crate::fixtures::valid::crate_path::vendor::odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Line,
        String,
        0,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use crate::fixtures::valid::crate_path::vendor::odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
        const NEW: Self = Self { text: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Line";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("text", "text")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed handles of the stored fields of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(Line { text 18015793717152399486 String, });
};

/**Typed handles of the stored fields of `A`.

Got from `A::fields()`, or from the handle of a field that embeds a `A`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct AFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: crate::fixtures::valid::crate_path::vendor::odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        Id<A>,
        0,
    >,
    ///The field `line`, stored as `line`.
    line: crate::fixtures::valid::crate_path::vendor::odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        Line,
        1,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use crate::fixtures::valid::crate_path::vendor::odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
            line: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "A";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                ),
            __odm::FieldShape::new("line", "line")
                .of_type(
                    __odm::TypeProbe::<Line>::ARRAY,
                    __odm::TypeProbe::<Line>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed handles of the stored fields of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        fn id(&self) -> &Id<A> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "a",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(A { id 628021283683842752 Id < A >, line 13784293248712268039 Line, });
    fn __odm_checks() {
        fn __odm_embeds<
            T: crate::fixtures::valid::crate_path::vendor::odm::field::EmbedType,
        >() {}
        __odm_embeds::<Line>();
        __odm::check_id::<Id<A>, A>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< A as __odm::Model > ::SHAPE)
    }
};

#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use vendor::odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<A> for View {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "View",
            &[
                __odm::FieldShape::new("line", "line")
                    .of_type(
                        __odm::TypeProbe::<Line>::ARRAY,
                        __odm::TypeProbe::<Line>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< A as __odm::HasFields > ::FIELDS, "line").is_none() ||
        __odm::same_stored_name(< A as __odm::HasFields > ::FIELDS, "line", "line",
        ::core::option::Option::None),
        "`View.line` reads `line`, and `A` stores `line` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <A>::fields().line.__projected_as::<Line>();
    }
};
