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
    impl __odm::Projection<Note> for NoteTitle {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "NoteTitle",
            &[
                __odm::FieldShape::new("title", "t")
                    .of_type(
                        __odm::TypeProbe::<String>::ARRAY,
                        __odm::TypeProbe::<String>::OPTION,
                        __odm::TypeProbe::<String>::EMBED,
                    )
                    .written("String"),
                __odm::FieldShape::new("lines", "lines")
                    .of_type(
                        __odm::TypeProbe::<Vec<LineText>>::ARRAY,
                        __odm::TypeProbe::<Vec<LineText>>::OPTION,
                        ::core::option::Option::Some(|| {
                            <__odm::Handles<Note> as __odm::FieldSet>::NEW
                                .lines
                                .__view_shape::<Vec<LineText>, _>()
                        }),
                    )
                    .written("Vec<LineText>"),
            ],
        );
        const __ODM_STRICT: bool = true;
        fn __odm_read_projected(
            __odm_collection: &str,
            __odm_part: &__odm::RawDocument,
            __odm_whole: &__odm::RawDocument,
        ) -> __odm::Result<Self> {
            __odm::read_projection::<Self>(__odm_collection, __odm_part, __odm_whole)
        }
    }
    type __OdmNote = Note;
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Note as __odm::HasFields > ::__ODM_FIELDS, "title",
        false), "serde flattens `Note.title`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Note as __odm::HasFields > ::__ODM_FIELDS, "title"),
        "`Note.title` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Note as __odm::HasFields > ::__ODM_FIELDS, "title") || !
        false && __odm::TypeProbe:: < String > ::MAY_BE_MISSING,
        "`NoteTitle.title` is required, but `Note.title` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Note as __odm::HasFields > ::__ODM_FIELDS, "title").is_none()
        || __odm::read_stored_name(< Note as __odm::HasFields > ::__ODM_FIELDS, "title",
        "t", ::core::option::Option::None),
        "`NoteTitle.title` reads `t`, and `Note` stores `title` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::is_flattened_as(< Note as __odm::HasFields > ::__ODM_FIELDS, "lines",
        false), "serde flattens `Note.lines`; write `#[serde(flatten)]` here, too"
    );
    const _: () = ::core::assert!(
        ! __odm::is_aliased(< Note as __odm::HasFields > ::__ODM_FIELDS, "lines"),
        "`Note.lines` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
    );
    const _: () = ::core::assert!(
        __odm::is_required(< Note as __odm::HasFields > ::__ODM_FIELDS, "lines") || !
        false && __odm::TypeProbe:: < Vec < LineText > > ::MAY_BE_MISSING,
        "`NoteTitle.lines` is required, but `Note.lines` may be missing from a document; add `#[serde(default)]` to it here, too"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Note as __odm::HasFields > ::__ODM_FIELDS, "lines").is_none()
        || __odm::read_stored_name(< Note as __odm::HasFields > ::__ODM_FIELDS, "lines",
        "lines", ::core::option::Option::None),
        "`NoteTitle.lines` reads `lines`, and `Note` stores `lines` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <__odm::Handles<Note> as __odm::FieldSet>::NEW.title.__projected_as::<String>();
    }
};
