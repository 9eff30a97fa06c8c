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
    ///Typed field handles of `Book`, from `Book::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct BookFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        pub id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Book,
            Id<Book>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `title`, stored as `title`.
        pub title: __odm::Field<__OdmDocument, __OdmPath, Book, String, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for BookFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for BookFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for BookFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            title: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Book {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = BookFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Book";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Book>>::ARRAY,
                    __odm::TypeProbe::<Id<Book>>::OPTION,
                    __odm::TypeProbe::<Id<Book>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Book>>::FORM,
                    __odm::TypeProbe::<Id<Book>>::TRACED_FORM,
                )
                .written("Id<Book>"),
            __odm::FieldShape::new("title", "title")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<String>::FORM,
                    __odm::TypeProbe::<String>::TRACED_FORM,
                )
                .written("String"),
        ];
    }
    #[automatically_derived]
    impl Book {
        ///Returns typed field handles of `Book`, for filters, sorts and updates.
        pub fn fields() -> BookFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Book {
        type Key = <Id<Book> as __odm::IdOf<Book>>::Key;
        type Id = Id<Book>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "books",
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
    impl __odm::DeclaresId<Id<Book>> for Book {
        fn __odm_declared_id(&self) -> &Id<Book> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Book>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Book > ()
    }
};
