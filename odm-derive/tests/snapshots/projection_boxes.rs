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
        const __ODM_STRICT: bool = false;
        fn __odm_read_projected(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_projection::<Self>(__odm_collection, __odm_part, __odm_whole)
        }
    }
    type __OdmPart = Part;
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "boxed",
        false), "serde flattens `Part.boxed`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "boxed"),
        "`Part.boxed` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "boxed") || !
        false && __odm::TypeProbe:: < Box < InnerView > > ::MAY_BE_MISSING,
        "`View.boxed` is required, but `Part.boxed` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "boxed").is_none()
        || __odm::read_stored_name(< Part as __odm::HasFields > ::__ODM_FIELDS, "boxed",
        "boxed", ::core::option::Option::None),
        "`View.boxed` reads `boxed`, and `Part` stores `boxed` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "unboxed",
        false), "serde flattens `Part.unboxed`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "unboxed"),
        "`Part.unboxed` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "unboxed") || !
        false && __odm::TypeProbe:: < InnerView > ::MAY_BE_MISSING,
        "`View.unboxed` is required, but `Part.unboxed` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "unboxed")
        .is_none() || __odm::read_stored_name(< Part as __odm::HasFields >
        ::__ODM_FIELDS, "unboxed", "unboxed", ::core::option::Option::None),
        "`View.unboxed` reads `unboxed`, and `Part` stores `unboxed` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "plain",
        false), "serde flattens `Part.plain`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "plain"),
        "`Part.plain` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "plain") || !
        false && __odm::TypeProbe:: < Box < InnerView > > ::MAY_BE_MISSING,
        "`View.plain` is required, but `Part.plain` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "plain").is_none()
        || __odm::read_stored_name(< Part as __odm::HasFields > ::__ODM_FIELDS, "plain",
        "plain", ::core::option::Option::None),
        "`View.plain` reads `plain`, and `Part` stores `plain` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "optional",
        false), "serde flattens `Part.optional`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "optional"),
        "`Part.optional` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "optional") || !
        false && __odm::TypeProbe:: < Option < Box < InnerView > > > ::MAY_BE_MISSING,
        "`View.optional` is required, but `Part.optional` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "optional")
        .is_none() || __odm::read_stored_name(< Part as __odm::HasFields >
        ::__ODM_FIELDS, "optional", "optional", ::core::option::Option::None),
        "`View.optional` reads `optional`, and `Part` stores `optional` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "all",
        false), "serde flattens `Part.all`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "all"),
        "`Part.all` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "all") || ! false
        && __odm::TypeProbe:: < VecDeque < Box < InnerView > > > ::MAY_BE_MISSING,
        "`View.all` is required, but `Part.all` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "all").is_none()
        || __odm::read_stored_name(< Part as __odm::HasFields > ::__ODM_FIELDS, "all",
        "all", ::core::option::Option::None),
        "`View.all` reads `all`, and `Part` stores `all` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Part as __odm::HasFields > ::__ODM_FIELDS, "whole",
        false), "serde flattens `Part.whole`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Part as __odm::HasFields > ::__ODM_FIELDS, "whole"),
        "`Part.whole` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Part as __odm::HasFields > ::__ODM_FIELDS, "whole") || !
        false && __odm::TypeProbe:: < Box < Inner > > ::MAY_BE_MISSING,
        "`View.whole` is required, but `Part.whole` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Part as __odm::HasFields > ::__ODM_FIELDS, "whole").is_none()
        || __odm::read_stored_name(< Part as __odm::HasFields > ::__ODM_FIELDS, "whole",
        "whole", ::core::option::Option::None),
        "`View.whole` reads `whole`, and `Part` stores `whole` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <__odm::Handles<Part> as __odm::FieldSet>::NEW
            .whole
            .__projected_as::<Box<Inner>>();
    }
};
