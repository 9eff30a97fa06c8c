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
    ///Typed field handles of `Article`, from `Article::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct ArticleFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Article,
            Id<Article, Sku>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for ArticleFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ArticleFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ArticleFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { id: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Article {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ArticleFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Article";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Article, Sku>>::ARRAY,
                    __odm::TypeProbe::<Id<Article, Sku>>::OPTION,
                    __odm::TypeProbe::<Id<Article, Sku>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Article, Sku>>::FORM,
                    __odm::TypeProbe::<Id<Article, Sku>>::TRACED_FORM,
                )
                .written("Id<Article, Sku>"),
        ];
    }
    #[automatically_derived]
    impl Article {
        ///Returns typed field handles of `Article`, for filters, sorts and updates.
        fn fields() -> ArticleFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Article {
        type Key = <Id<Article, Sku> as __odm::IdOf<Article>>::Key;
        type Id = Id<Article, Sku>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "articles",
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
    impl __odm::DeclaresId<Id<Article, Sku>> for Article {
        fn __odm_declared_id(&self) -> &Id<Article, Sku> {
            &self.id
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Article, Sku>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Article > ()
    }
};
