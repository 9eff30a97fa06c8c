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
    ///Typed field handles of `Note`, from `Note::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct NoteFields<__OdmDocument, __OdmPath> {
        ///The field `labels`, stored as `labels`.
        labels: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Note,
            Vec<String>,
            0,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
        ///The field `text`, stored as `text`.
        text: __odm::Field<__OdmDocument, __OdmPath, Note, Option<String>, 1>,
        ///The field `other`, stored as `other`.
        other: __odm::Field<__OdmDocument, __OdmPath, Note, Maybe<i32>, 2>,
        ///The field `seen`, stored as `seen`.
        seen: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Note,
            Presence<bool>,
            3,
            __odm::AsSerde,
            __odm::Defaulted,
        >,
        ///The fields of `rest`, which serde flattens.
        rest: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Note,
            HashMap<String, Bson>,
            4,
            __odm::AsSerde,
            __odm::Flattened,
        >,
    }
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
            labels: __odm::Field::NEW,
            text: __odm::Field::NEW,
            other: __odm::Field::NEW,
            seen: __odm::Field::NEW,
            rest: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Note {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = NoteFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Note";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("labels", "labels")
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
            __odm::FieldShape::new("text", "text")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .skips(|value| __odm::skips::<
                    Option<String>,
                    __odm::AsSerde,
                >(value, |value: &Option<String>| Option::is_none(value)))
                .written("Option<String>"),
            __odm::FieldShape::new("other", "other")
                .of_type(
                    __odm::TypeProbe::<Maybe<i32>>::ARRAY,
                    __odm::TypeProbe::<Maybe<i32>>::OPTION,
                    __odm::TypeProbe::<Maybe<i32>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Maybe<i32>>::FORM,
                    __odm::TypeProbe::<Maybe<i32>>::TRACED_FORM,
                )
                .skips(|value| __odm::skips::<
                    Maybe<i32>,
                    __odm::AsSerde,
                >(value, |value: &Maybe<i32>| Maybe::is_none(value)))
                .written("Maybe<i32>"),
            __odm::FieldShape::new("seen", "seen")
                .of_type(
                    __odm::TypeProbe::<Presence<bool>>::ARRAY,
                    __odm::TypeProbe::<Presence<bool>>::OPTION,
                    __odm::TypeProbe::<Presence<bool>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Presence<bool>>::FORM,
                    __odm::TypeProbe::<Presence<bool>>::TRACED_FORM,
                )
                .default()
                .skips(|value| __odm::skips::<
                    Presence<bool>,
                    __odm::AsSerde,
                >(value, |value: &Presence<bool>| Presence::is_missing(value)))
                .written("Presence<bool>"),
            __odm::FieldShape::new("rest", "rest")
                .of_type(
                    __odm::TypeProbe::<HashMap<String, Bson>>::ARRAY,
                    __odm::TypeProbe::<HashMap<String, Bson>>::OPTION,
                    __odm::TypeProbe::<HashMap<String, Bson>>::EMBED,
                )
                .written("HashMap<String, Bson>")
                .flatten(),
        ];
    }
    #[automatically_derived]
    impl Note {
        ///Returns typed field handles of `Note`, for filters, sorts and updates.
        fn fields() -> NoteFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Note {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = ::core::assert!(
        ! false && __odm::TypeProbe:: < Option < String > > ::MAY_BE_MISSING,
        "`skip_serializing_if` may leave `Note.text` out of a document, and such a document cannot be read; add `default` to the `#[serde(..)]` of the field"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = ::core::assert!(
        ! false && __odm::TypeProbe:: < Maybe < i32 > > ::MAY_BE_MISSING,
        "`skip_serializing_if` may leave `Note.other` out of a document, and such a document cannot be read; add `default` to the `#[serde(..)]` of the field"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Maybe<i32>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Presence<bool>>::FOREIGN);
    const _: () = ::core::assert!(
        ! (__odm::TypeProbe:: < HashMap < String, Bson > > ::ARRAY || __odm::TypeProbe::
        < HashMap < String, Bson > > ::NUMBER || __odm::TypeProbe:: < HashMap < String,
        Bson > > ::TEXT || __odm::TypeProbe:: < HashMap < String, Bson > > ::DATE),
        "`Note.rest` is flattened, but serde flattens only structs and maps; remove `flatten`"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < HashMap < String, Bson > > ::FLAT,
        "labels"),
        "`Note.rest` and `Note.labels` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < HashMap < String, Bson > > ::FLAT, "text"),
        "`Note.rest` and `Note.text` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < HashMap < String, Bson > > ::FLAT, "other"),
        "`Note.rest` and `Note.other` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = ::core::assert!(
        ! __odm::stores(__odm::TypeProbe:: < HashMap < String, Bson > > ::FLAT, "seen"),
        "`Note.rest` and `Note.seen` store a field of the same name in one document, because serde flattens; rename one of the two"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<HashMap<String, Bson>>::FOREIGN);
    const _: () = ::core::assert!(
        ! false && __odm::TypeProbe:: < Option < String > > ::MAY_BE_MISSING,
        "`skip_serializing` leaves `Note.secret` out of each document, and such a document cannot be read; add `default` to the `#[serde(..)]` of the field"
    );
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Note > ()
    }
};
