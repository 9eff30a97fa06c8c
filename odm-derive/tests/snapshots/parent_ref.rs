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
    ///Typed field handles of `Category`, from `Category::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct CategoryFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Category,
            Id<Category>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `parent`, stored as `parent`.
        parent: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Category,
            Option<Id<Category>>,
            1,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for CategoryFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for CategoryFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for CategoryFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            parent: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Category {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CategoryFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Category";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Category>>::ARRAY,
                    __odm::TypeProbe::<Id<Category>>::OPTION,
                    __odm::TypeProbe::<Id<Category>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Category>>::FORM,
                    __odm::TypeProbe::<Id<Category>>::TRACED_FORM,
                )
                .written("Id<Category>"),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Category>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Category>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Category>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Category>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Category>>>::TRACED_FORM,
                )
                .written("Option<Id<Category>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Category>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Category>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Category>>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Category {
        ///Returns typed field handles of `Category`, for filters, sorts and updates.
        fn fields() -> CategoryFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Category {
        type Key = <Id<Category> as __odm::IdOf<Category>>::Key;
        type Id = Id<Category>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "categories",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "children",
                        || <Category as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<Category> as __odm::FieldSet>::NEW
                                .parent
                                .__reference_path()
                        },
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
    impl __odm::DeclaresId<Id<Category>> for Category {
        fn __odm_declared_id(&self) -> &Id<Category> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Category, 1> for Category {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parent {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parent") }> for Category {
        type Relation = __OdmBy_parent;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_children {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("children") }> for Category {
        type Relation = __OdmBy_children;
    }
    #[automatically_derived]
    impl Category {
        const __ODM_PARENT: __odm::Relation<
            Self,
            __odm::Of<'static, Category>,
            __OdmBy_parent,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Category>,
            __OdmBy_parent,
        >::new(
            "Category.parent",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Category>>,
            >::EACH_KEY(&__odm_owner.parent, __odm_found),
            __odm::TypeProbe::<Option<Id<Category>>>::TARGET_PATH,
        );
        const __ODM_CHILDREN: __odm::Relation<
            Self,
            __odm::Of<'static, Category>,
            __OdmBy_children,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Category>,
            __OdmBy_children,
        >::new(
            "Category.children",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Category> as __odm::FieldSet>::NEW.parent.shape(),
                __odm_found,
            ),
            || {
                <__odm::Handles<Category> as __odm::FieldSet>::NEW
                    .parent
                    .__reference_path()
            },
        );
        /**Loads the document that `parent` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_parent(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Category>
        where
            for<'__odm> __odm::Of<'__odm, Category>: __odm::Leads<Target = Category>,
        {
            Self::__ODM_PARENT.load_one(self, odm)
        }
        /**Loads the documents that `parent` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_parent<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Category, __OdmBy_parent>
        where
            for<'__odm> __odm::Of<'__odm, Category>: __odm::Leads<Target = Category>,
        {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
        /**Loads the documents with a `Category.parent` that refers to this `Category`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Category.parent`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_children(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Category>
        where
            for<'__odm> __odm::Of<'__odm, Category>: __odm::Leads<Target = Category>,
        {
            Self::__ODM_CHILDREN.load_many(self, odm)
        }
        /**Loads `children` of many owners: the documents with a `Category.parent` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Category.parent`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_children<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Category, __OdmBy_children>
        where
            for<'__odm> __odm::Of<'__odm, Category>: __odm::Leads<Target = Category>,
        {
            Self::__ODM_CHILDREN.join(owners, odm)
        }
        /**Counts the documents with a `Category.parent` that refers to this `Category`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Category.parent`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_children(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Category>
        where
            for<'__odm> __odm::Of<'__odm, Category>: __odm::Leads<Target = Category>,
        {
            Self::__ODM_CHILDREN.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Category>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Category > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Category > > ::LEADS_TO_MODEL,
            "`Category.parent` refers to `Category`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Category`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Category > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Category > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Category > > > ::MANY_KEYS),
            "`Category.parent` is not a reference: `Option<Id<Category>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Category > > > ::REFERENCE || false,
            "`Category.parent` has another type of key than the `_id` of `Category`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Category > > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Category.parent` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Category > > > ::KEY_ARRAYS < 2,
        "`Category.parent` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Category>>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<Category> as __odm::FieldSet>::NEW
            .parent
            .__leads_to::<Category, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Category > ()
    }
};
