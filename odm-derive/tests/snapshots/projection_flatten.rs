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
    impl __odm::Projection<Article> for Summary {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "Summary",
            &[
                __odm::FieldShape::new("title", "title")
                    .of_type(
                        __odm::TypeProbe::<String>::ARRAY,
                        __odm::TypeProbe::<String>::OPTION,
                        __odm::TypeProbe::<String>::EMBED,
                    )
                    .written("String"),
                __odm::FieldShape::new("made_by", "made_by")
                    .of_type(
                        __odm::TypeProbe::<MadeView>::ARRAY,
                        __odm::TypeProbe::<MadeView>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Article> as __odm::FieldSet>::NEW
                                .made_by
                                .__view_shape::<MadeView, _>()
                        }),
                    )
                    .written("MadeView")
                    .flatten(),
                __odm::FieldShape::new("review", "review")
                    .of_type(
                        __odm::TypeProbe::<Option<Stars>>::ARRAY,
                        __odm::TypeProbe::<Option<Stars>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Article> as __odm::FieldSet>::NEW
                                .review
                                .__view_shape::<Option<Stars>, _>()
                        }),
                    )
                    .written("Option<Stars>")
                    .flatten(),
                __odm::FieldShape::new("counts", "counts")
                    .of_type(
                        __odm::TypeProbe::<Box<Counts>>::ARRAY,
                        __odm::TypeProbe::<Box<Counts>>::OPTION,
                        __odm::TypeProbe::<Box<Counts>>::EMBED,
                    )
                    .written("Box<Counts>")
                    .flatten(),
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
    type __OdmArticle = Article;
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < MadeView > ::ARRAY || __odm::TypeProbe:: < MadeView >
        ::NUMBER || __odm::TypeProbe:: < MadeView > ::TEXT || __odm::TypeProbe:: <
        MadeView > ::DATE),
        "`Summary.made_by` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < MadeView > ::FLAT, "title"),
        "`Summary.made_by` and `Summary.title` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::store_same(__odm::TypeProbe:: < MadeView > ::FLAT, __odm::TypeProbe:: <
        Box < Counts > > ::FLAT),
        "`Summary.made_by` and `Summary.counts` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < Option < Stars > > ::ARRAY || __odm::TypeProbe:: < Option
        < Stars > > ::NUMBER || __odm::TypeProbe:: < Option < Stars > > ::TEXT ||
        __odm::TypeProbe:: < Option < Stars > > ::DATE),
        "`Summary.review` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Option < Stars > > ::FLAT, "title"),
        "`Summary.review` and `Summary.title` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::store_same(__odm::TypeProbe:: < Option < Stars > > ::FLAT,
        __odm::TypeProbe:: < MadeView > ::FLAT),
        "`Summary.review` and `Summary.made_by` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::store_same(__odm::TypeProbe:: < Option < Stars > > ::FLAT,
        __odm::TypeProbe:: < Box < Counts > > ::FLAT),
        "`Summary.review` and `Summary.counts` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < Box < Counts > > ::ARRAY || __odm::TypeProbe:: < Box <
        Counts > > ::NUMBER || __odm::TypeProbe:: < Box < Counts > > ::TEXT ||
        __odm::TypeProbe:: < Box < Counts > > ::DATE),
        "`Summary.counts` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < Box < Counts > > ::FLAT, "title"),
        "`Summary.counts` and `Summary.title` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Article as __odm::HasFields > ::__ODM_FIELDS, "title",
        false), "serde flattens `Article.title`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Article as __odm::HasFields > ::__ODM_FIELDS, "title"),
        "`Article.title` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Article as __odm::HasFields > ::__ODM_FIELDS, "title") || !
        false && __odm::TypeProbe:: < String > ::MAY_BE_MISSING,
        "`Summary.title` is required, but `Article.title` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Article as __odm::HasFields > ::__ODM_FIELDS, "title")
        .is_none() || __odm::read_stored_name(< Article as __odm::HasFields >
        ::__ODM_FIELDS, "title", "title", ::core::option::Option::None),
        "`Summary.title` reads `title`, and `Article` stores `title` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Article as __odm::HasFields > ::__ODM_FIELDS, "made_by",
        true), "serde does not flatten `Article.made_by`; remove `flatten` here"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Article as __odm::HasFields > ::__ODM_FIELDS, "made_by"),
        "`Article.made_by` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Article as __odm::HasFields > ::__ODM_FIELDS, "made_by") ||
        ! false && __odm::TypeProbe:: < MadeView > ::MAY_BE_MISSING,
        "`Summary.made_by` is required, but `Article.made_by` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Article as __odm::HasFields > ::__ODM_FIELDS, "review",
        true), "serde does not flatten `Article.review`; remove `flatten` here"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Article as __odm::HasFields > ::__ODM_FIELDS, "review"),
        "`Article.review` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Article as __odm::HasFields > ::__ODM_FIELDS, "review") || !
        false && __odm::TypeProbe:: < Option < Stars > > ::MAY_BE_MISSING,
        "`Summary.review` is required, but `Article.review` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Article as __odm::HasFields > ::__ODM_FIELDS, "counts",
        true), "serde does not flatten `Article.counts`; remove `flatten` here"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Article as __odm::HasFields > ::__ODM_FIELDS, "counts"),
        "`Article.counts` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Article as __odm::HasFields > ::__ODM_FIELDS, "counts") || !
        false && __odm::TypeProbe:: < Box < Counts > > ::MAY_BE_MISSING,
        "`Summary.counts` is required, but `Article.counts` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        ! false && __odm::TypeProbe:: < Box < Counts > > ::EMBED.is_some(),
        "`Summary.counts` flattens a type with unknown fields, but a projection requests fields by name; flatten the embedded struct, or a `Projection` of it with `#[embed]`, or remove the field"
    );
    const _: () = ::core::assert!(
        __odm::have_known_names(__odm::TypeProbe:: < Box < Counts > > ::FLAT),
        "`Summary.counts` flattens a struct with a flattened map or with an `alias`, but a projection requests fields by name; flatten a `Projection` of the struct with `#[embed]`, or rename the field in the stored documents (`$rename`) and remove `alias`"
    );
    fn __odm_checks() {
        <__odm::Handles<Article> as __odm::FieldSet>::NEW
            .title
            .__projected_as::<String>();
        <__odm::Handles<Article> as __odm::FieldSet>::NEW
            .counts
            .__projected_as::<Box<Counts>>();
    }
};
