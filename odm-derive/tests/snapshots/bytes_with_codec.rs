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
    ///Typed field handles of `File`, from `File::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct FileFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            File,
            Id<File>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `hash`, stored as `hash`.
        hash: __odm::Field<__OdmDocument, __OdmPath, File, Vec<u8>, 1, __OdmFileCodec1>,
        ///The field `tags`, stored as `tags`.
        tags: __odm::Field<__OdmDocument, __OdmPath, File, Vec<String>, 2>,
    }
    ///The codec of `File.hash`.
    #[doc(hidden)]
    #[allow(deprecated, missing_debug_implementations, unreachable_pub)]
    struct __OdmFileCodec1;
    #[automatically_derived]
    impl __odm::Codec<Vec<u8>> for __OdmFileCodec1 {
        type Form = __odm::CodecPath<{ __odm::relation_name("bytes") }>;
        fn serialize<__OdmS: __odm::serde::Serializer>(
            value: &Vec<u8>,
            serializer: __OdmS,
        ) -> ::core::result::Result<__OdmS::Ok, __OdmS::Error> {
            bytes::serialize(value, serializer)
        }
        fn deserialize<'de, __OdmD: __odm::serde::Deserializer<'de>>(
            deserializer: __OdmD,
        ) -> ::core::result::Result<Vec<u8>, __OdmD::Error> {
            bytes::deserialize(deserializer)
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for FileFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for FileFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for FileFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            hash: __odm::Field::NEW,
            tags: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for File {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = FileFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "File";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<File>>::ARRAY,
                    __odm::TypeProbe::<Id<File>>::OPTION,
                    __odm::TypeProbe::<Id<File>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<File>>::FORM,
                    __odm::TypeProbe::<Id<File>>::TRACED_FORM,
                )
                .written("Id<File>"),
            __odm::FieldShape::new("hash", "hash")
                .of_type(
                    (__odm::TypeProbe::<Vec<u8>>::ARRAY
                        & !__odm::TypeProbe::<Vec<u8>>::BYTES),
                    __odm::TypeProbe::<Vec<u8>>::OPTION,
                    __odm::TypeProbe::<Vec<u8>>::EMBED,
                )
                .form(
                    __odm::native_form(
                        "bytes",
                        __odm::TypeProbe::<Vec<u8>>::NATIVE_FORM,
                    ),
                    ::core::option::Option::None,
                )
                .written("Vec<u8>")
                .codec("bytes"),
            __odm::FieldShape::new("tags", "tags")
                .of_type(
                    __odm::TypeProbe::<Vec<String>>::ARRAY,
                    __odm::TypeProbe::<Vec<String>>::OPTION,
                    __odm::TypeProbe::<Vec<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<String>>::FORM,
                    __odm::TypeProbe::<Vec<String>>::TRACED_FORM,
                )
                .written("Vec<String>"),
        ];
    }
    #[automatically_derived]
    impl File {
        ///Returns typed field handles of `File`, for filters, sorts and updates.
        fn fields() -> FileFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for File {
        type Key = <Id<File> as __odm::IdOf<File>>::Key;
        type Id = Id<File>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "files",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<File> as __odm::FieldSet>::NEW.hash.path()
                                },
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || {
                                    <__odm::Handles<File> as __odm::FieldSet>::NEW.tags.path()
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
    impl __odm::DeclaresId<Id<File>> for File {
        fn __odm_declared_id(&self) -> &Id<File> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<File>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<String>>::FOREIGN);
    const _: () = ::core::assert!(
        0 + ((__odm::TypeProbe:: < Vec < u8 > > ::ARRAY & ! __odm::TypeProbe:: < Vec < u8
        > > ::BYTES) as usize) + (__odm::TypeProbe:: < Vec < String > > ::ARRAY as usize)
        < 2,
        "at most one field of an index can be an array, but several of `hash`, `tags` are; move the others to another index"
    );
    __odm::inventory::submit! {
        __odm::registered:: < File > ()
    }
};
