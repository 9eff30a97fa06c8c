#[doc(hidden)]
#[allow(
    dead_code,
    deprecated,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    non_camel_case_types,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<Part> for View {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "View",
            &[
                __odm::FieldShape::new("boxed", "boxed")
                    .of_type(
                        __odm::TypeProbe::<Box<InnerView>>::ARRAY,
                        __odm::TypeProbe::<Box<InnerView>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Part> as __odm::FieldSet>::NEW
                                .boxed
                                .__view_shape::<Box<InnerView>, _>()
                        }),
                    )
                    .written("Box<InnerView>"),
                __odm::FieldShape::new("unboxed", "unboxed")
                    .of_type(
                        __odm::TypeProbe::<InnerView>::ARRAY,
                        __odm::TypeProbe::<InnerView>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Part> as __odm::FieldSet>::NEW
                                .unboxed
                                .__view_shape::<InnerView, _>()
                        }),
                    )
                    .written("InnerView"),
                __odm::FieldShape::new("plain", "plain")
                    .of_type(
                        __odm::TypeProbe::<Box<InnerView>>::ARRAY,
                        __odm::TypeProbe::<Box<InnerView>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Part> as __odm::FieldSet>::NEW
                                .plain
                                .__view_shape::<Box<InnerView>, _>()
                        }),
                    )
                    .written("Box<InnerView>"),
                __odm::FieldShape::new("optional", "optional")
                    .of_type(
                        __odm::TypeProbe::<Option<Box<InnerView>>>::ARRAY,
                        __odm::TypeProbe::<Option<Box<InnerView>>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Part> as __odm::FieldSet>::NEW
                                .optional
                                .__view_shape::<Option<Box<InnerView>>, _>()
                        }),
                    )
                    .written("Option<Box<InnerView>>"),
                __odm::FieldShape::new("all", "all")
                    .of_type(
                        __odm::TypeProbe::<VecDeque<Box<InnerView>>>::ARRAY,
                        __odm::TypeProbe::<VecDeque<Box<InnerView>>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Part> as __odm::FieldSet>::NEW
                                .all
                                .__view_shape::<VecDeque<Box<InnerView>>, _>()
                        }),
                    )
                    .written("VecDeque<Box<InnerView>>"),
                __odm::FieldShape::new("whole", "whole")
                    .of_type(
                        __odm::TypeProbe::<Box<Inner>>::ARRAY,
                        __odm::TypeProbe::<Box<Inner>>::OPTION,
                        __odm::TypeProbe::<Box<Inner>>::EMBED,
                    )
                    .written("Box<Inner>"),
            ],
        );
        const STRICT: bool = false;
    }
    type __OdmPart = Part;
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "boxed").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "boxed", "boxed",
        ::core::option::Option::None),
        "`View.boxed` reads `boxed`, and `Part` stores `boxed` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "unboxed").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "unboxed",
        "unboxed", ::core::option::Option::None),
        "`View.unboxed` reads `unboxed`, and `Part` stores `unboxed` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "plain").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "plain", "plain",
        ::core::option::Option::None),
        "`View.plain` reads `plain`, and `Part` stores `plain` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "optional").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "optional",
        "optional", ::core::option::Option::None),
        "`View.optional` reads `optional`, and `Part` stores `optional` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "all").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "all", "all",
        ::core::option::Option::None),
        "`View.all` reads `all`, and `Part` stores `all` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::FIELDS, "whole").is_none() ||
        __odm::same_stored_name(< Part as __odm::HasFields > ::FIELDS, "whole", "whole",
        ::core::option::Option::None),
        "`View.whole` reads `whole`, and `Part` stores `whole` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <__odm::Handles<Part> as __odm::FieldSet>::NEW
            .whole
            .__projected_as::<Box<Inner>>();
    }
};
