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
    text: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Line, String, 0>,
    ///The field `amount`, stored as `amount`.
    amount: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Line, i64, 1>,
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
    use ::mongo_odm::__private as __odm;
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
        const NEW: Self = Self {
            text: __odm::Field::NEW,
            amount: __odm::Field::NEW,
        };
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
            __odm::FieldShape::new("amount", "amount")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
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
    __odm::gives!(
        Line { text 18015793717152399486 String, amount 9301057475299076457 i64, }
    );
};

/**Typed handles of the stored fields of `Note`.

Got from `Note::fields()`, or from the handle of a field that embeds a `Note`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct NoteFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Note, Id<Note>, 0>,
    ///The field `title`, stored as `t`.
    title: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Note, String, 1>,
    ///The field `lines`, stored as `lines`.
    lines: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Note, Vec<Line>, 2>,
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
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for NoteFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for NoteFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for NoteFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            title: __odm::Field::NEW,
            lines: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Note {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = NoteFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Note";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Note>>::ARRAY,
                    __odm::TypeProbe::<Id<Note>>::EMBED,
                ),
            __odm::FieldShape::new("title", "t")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::EMBED,
                ),
            __odm::FieldShape::new("lines", "lines")
                .of_type(
                    __odm::TypeProbe::<Vec<Line>>::ARRAY,
                    __odm::TypeProbe::<Vec<Line>>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Note {
        ///Returns typed handles of the stored fields of `Note`, for filters, sorts and updates.
        fn fields() -> NoteFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Note {
        type Key = <Id<Note> as __odm::IdOf<Note>>::Key;
        type Id = Id<Note>;
        fn id(&self) -> &Id<Note> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "notes",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        Note { id 628021283683842752 Id < Note >, title 15722393318163439657 String,
        lines 6693467979504746524 Vec < Line >, }
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm_embeds::<Vec<Line>>();
        __odm::check_id::<Id<Note>, Note>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Note as __odm::Model > ::SHAPE)
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
                        __odm::TypeProbe::<String>::EMBED,
                    ),
                __odm::FieldShape::new("lines", "lines")
                    .of_type(
                        __odm::TypeProbe::<Vec<LineText>>::ARRAY,
                        ::core::option::Option::Some(|| {
                            <Note>::fields().lines.__view_shape::<Vec<LineText>>()
                        }),
                    ),
            ],
        );
        const STRICT: bool = true;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< Note as __odm::HasFields > ::FIELDS, "title").is_none() ||
        __odm::same_stored_name(< Note as __odm::HasFields > ::FIELDS, "title", "t",
        ::core::option::Option::None),
        "`NoteTitle.title` reads `t`, and `Note` stores `title` under another name or with another codec; give both the same `rename` and `with`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Note as __odm::HasFields > ::FIELDS, "lines").is_none() ||
        __odm::same_stored_name(< Note as __odm::HasFields > ::FIELDS, "lines", "lines",
        ::core::option::Option::None),
        "`NoteTitle.lines` reads `lines`, and `Note` stores `lines` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <Note>::fields().title.__projected_as::<String>();
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
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<Line> for LineText {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "LineText",
            &[
                __odm::FieldShape::new("text", "text")
                    .of_type(
                        __odm::TypeProbe::<Option<String>>::ARRAY,
                        __odm::TypeProbe::<Option<String>>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< Line as __odm::HasFields > ::FIELDS, "text").is_none() ||
        __odm::same_stored_name(< Line as __odm::HasFields > ::FIELDS, "text", "text",
        ::core::option::Option::None),
        "`LineText.text` reads `text`, and `Line` stores `text` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <Line>::fields().text.__projected_as::<Option<String>>();
    }
};
