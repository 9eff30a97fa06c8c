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
    ///Typed field handles of `Place`, from `Place::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct PlaceFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Place,
            Id<Place>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `name`, stored as `name`.
        name: __odm::Field<__OdmDocument, __OdmPath, Place, String, 1>,
        ///The field `code`, stored as `code`.
        code: __odm::Field<__OdmDocument, __OdmPath, Place, Option<String>, 2>,
        ///The field `visits`, stored as `visits`.
        visits: __odm::Field<__OdmDocument, __OdmPath, Place, i64, 3>,
        ///The field `position`, stored as `position`.
        position: __odm::Field<__OdmDocument, __OdmPath, Place, Vec<f64>, 4>,
        ///The field `shard`, stored as `shard`.
        shard: __odm::Field<__OdmDocument, __OdmPath, Place, i64, 5>,
        ///The field `about`, stored as `about`.
        about: __odm::Field<__OdmDocument, __OdmPath, Place, String, 6>,
        ///The field `seen`, stored as `seen`.
        seen: __odm::Field<__OdmDocument, __OdmPath, Place, DateTime, 7>,
        ///The field `nick`, stored as `nick`.
        nick: __odm::Field<__OdmDocument, __OdmPath, Place, String, 8>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PlaceFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PlaceFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PlaceFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            code: __odm::Field::NEW,
            visits: __odm::Field::NEW,
            position: __odm::Field::NEW,
            shard: __odm::Field::NEW,
            about: __odm::Field::NEW,
            seen: __odm::Field::NEW,
            nick: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Place {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PlaceFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Place";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Place>>::ARRAY,
                    __odm::TypeProbe::<Id<Place>>::OPTION,
                    __odm::TypeProbe::<Id<Place>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Place>>::FORM,
                    __odm::TypeProbe::<Id<Place>>::TRACED_FORM,
                )
                .written("Id<Place>"),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String")
                .index(__odm::IndexShape::new(&[])),
            __odm::FieldShape::new("code", "code")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .written("Option<String>")
                .index(__odm::IndexShape::new(&[]).name("by_code").unique().sparse()),
            __odm::FieldShape::new("visits", "visits")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64")
                .index(__odm::IndexShape::new(&[]).kind(__odm::IndexKind::Descending)),
            __odm::FieldShape::new("position", "position")
                .of_type(
                    __odm::TypeProbe::<Vec<f64>>::ARRAY,
                    __odm::TypeProbe::<Vec<f64>>::OPTION,
                    __odm::TypeProbe::<Vec<f64>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<f64>>::FORM,
                    __odm::TypeProbe::<Vec<f64>>::TRACED_FORM,
                )
                .written("Vec<f64>")
                .index(__odm::IndexShape::new(&[]).kind(__odm::IndexKind::TwoDSphere)),
            __odm::FieldShape::new("shard", "shard")
                .of_type(
                    __odm::TypeProbe::<i64>::ARRAY,
                    __odm::TypeProbe::<i64>::OPTION,
                    __odm::TypeProbe::<i64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<i64>::FORM,
                    __odm::TypeProbe::<i64>::TRACED_FORM,
                )
                .written("i64")
                .index(__odm::IndexShape::new(&[]).kind(__odm::IndexKind::Hashed)),
            __odm::FieldShape::new("about", "about")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String")
                .index(__odm::IndexShape::new(&[]).kind(__odm::IndexKind::Text)),
            __odm::FieldShape::new("seen", "seen")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::OPTION,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<DateTime>::FORM,
                    __odm::TypeProbe::<DateTime>::TRACED_FORM,
                )
                .written("DateTime")
                .index(
                    __odm::IndexShape::new(&[])
                        .expire_after_secs(3600u32)
                        .partial(r#"{"visits": {"$lt": 5}}"#),
                ),
            __odm::FieldShape::new("nick", "nick")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String")
                .index(__odm::IndexShape::new(&[]).locale("en").strength(2u32)),
        ];
    }
    #[automatically_derived]
    impl Place {
        ///Returns typed field handles of `Place`, for filters, sorts and updates.
        fn fields() -> PlaceFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Place {
        type Key = <Id<Place> as __odm::IdOf<Place>>::Key;
        type Id = Id<Place>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "places",
            <Self as __odm::HasFields>::__ODM_FIELDS,
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
    impl __odm::DeclaresId<Id<Place>> for Place {
        fn __odm_declared_id(&self) -> &Id<Place> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Place>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < f64 > > ::TEXT && ! __odm::TypeProbe:: < Vec < f64 >
        > ::NUMBER && ! __odm::TypeProbe:: < Vec < f64 > > ::TEXTLESS,
        "`Place.position` is not a location, and the server rejects other values under a `2dsphere` key; make it a struct with `type` and `coordinates` (GeoJSON) or `[f64; 2]`, longitude first"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<f64>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < i64 > ::ARRAY,
        "`Place.shard` is an array, which the server rejects under a `hashed` key; write the key as `1`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < DateTime > ::DATE,
        "`Place.seen` is not stored as a date, so no document would expire; make it a `DateTime`, or a date of another crate with `#[serde(with = \"mongo_odm::with::native\")]`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < String > ::NUMBER && ! __odm::TypeProbe:: < String >
        ::DATE,
        "`Place.nick` is not text, and a locale only affects text; remove `locale`"
    );
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Place > ()
    }
};
