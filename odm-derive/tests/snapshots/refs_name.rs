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
    ///Typed field handles of `Product`, from `Product::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct ProductFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Product,
            Id<Product>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `parts`, stored as `parts`.
        parts: __odm::Field<__OdmDocument, __OdmPath, Product, Vec<Id<Part>>, 1>,
        ///The field `base_id`, stored as `base_id`.
        base_id: __odm::Field<__OdmDocument, __OdmPath, Product, Id<Product>, 2>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for ProductFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ProductFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ProductFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            parts: __odm::Field::NEW,
            base_id: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Product {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ProductFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Product";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::OPTION,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Product>>::FORM,
                    __odm::TypeProbe::<Id<Product>>::TRACED_FORM,
                )
                .written("Id<Product>"),
            __odm::FieldShape::new("parts", "parts")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Part>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Part>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<Part>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<Part>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<Part>>>::TRACED_FORM,
                )
                .written("Vec<Id<Part>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<Part>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<Part>>>::KEY),
                ),
            __odm::FieldShape::new("base_id", "base_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::OPTION,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Product>>::FORM,
                    __odm::TypeProbe::<Id<Product>>::TRACED_FORM,
                )
                .written("Id<Product>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Product>>::TARGET,
                            __odm::TypeProbe::<Id<Product>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Product>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Product {
        ///Returns typed field handles of `Product`, for filters, sorts and updates.
        fn fields() -> ProductFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Product {
        type Key = <Id<Product> as __odm::IdOf<Product>>::Key;
        type Id = Id<Product>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "products",
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
    impl __odm::DeclaresId<Id<Product>> for Product {
        fn __odm_declared_id(&self) -> &Id<Product> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 1> for Product {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Product, 2> for Product {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_pieces {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("pieces") }> for Product {
        type Relation = __OdmBy_pieces;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_base {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("base") }> for Product {
        type Relation = __OdmBy_base;
    }
    #[automatically_derived]
    impl Product {
        const __ODM_PIECES: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_pieces,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_pieces,
        >::new(
            "Product.pieces",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Id<Part>>,
            >::EACH_KEY(&__odm_owner.parts, __odm_found),
            __odm::TypeProbe::<Vec<Id<Part>>>::TARGET_PATH,
        );
        const __ODM_BASE: __odm::Relation<
            Self,
            __odm::Of<'static, Product>,
            __OdmBy_base,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Product>,
            __OdmBy_base,
        >::new(
            "Product.base",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Product>,
            >::EACH_KEY(&__odm_owner.base_id, __odm_found),
            __odm::TypeProbe::<Id<Product>>::TARGET_PATH,
        );
        /**Loads the documents that `parts` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_pieces(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PIECES.load_many(self, odm)
        }
        /**Loads the documents that `parts` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_pieces<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_pieces>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PIECES.join(owners, odm)
        }
        /**Counts the documents that `parts` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_pieces(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PIECES.count(self, odm)
        }
        /**Loads the document that `base_id` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_base(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Product>
        where
            for<'__odm> __odm::Of<'__odm, Product>: __odm::Leads<Target = Product>,
        {
            Self::__ODM_BASE.load_one(self, odm)
        }
        /**Loads the documents that `base_id` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_base<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Product, __OdmBy_base>
        where
            for<'__odm> __odm::Of<'__odm, Product>: __odm::Leads<Target = Product>,
        {
            Self::__ODM_BASE.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`Product.parts` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || (__odm::TypeProbe::
            < Vec < Id < Part > > > ::ONE_KEY || __odm::TypeProbe:: < Vec < Id < Part > >
            > ::MANY_KEYS),
            "`Product.parts` is not a reference: `Vec<Id<Part>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Part > > > ::REFERENCE || false,
            "`Product.parts` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Part > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Product.parts` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < Part > > > ::KEY_ARRAYS < 2,
        "`Product.parts` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<Part>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Product > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Product > > ::LEADS_TO_MODEL,
            "`Product.base_id` refers to `Product`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Product`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Product > > ::REFERENCE || (__odm::TypeProbe:: < Id
            < Product > > ::ONE_KEY || __odm::TypeProbe:: < Id < Product > >
            ::MANY_KEYS),
            "`Product.base_id` is not a reference: `Id<Product>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Product > > ::REFERENCE || false,
            "`Product.base_id` has another type of key than the `_id` of `Product`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Product > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Product.base_id` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Product > > ::KEY_ARRAYS < 2,
        "`Product.base_id` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered:: < Product > ()
    }
};
