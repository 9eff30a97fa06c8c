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
    ///Typed field handles of `Item`, from `Item::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct ItemFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Item,
            Id<Item>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `name`, stored as `name`.
        name: __odm::Field<__OdmDocument, __OdmPath, Item, String, 1>,
        ///The field `number`, stored as `number`.
        number: __odm::Field<__OdmDocument, __OdmPath, Item, i64, 2>,
        ///The field `price`, stored as `price`.
        price: __odm::Field<__OdmDocument, __OdmPath, Item, f64, 3>,
        ///The field `made`, stored as `made`.
        made: __odm::Field<__OdmDocument, __OdmPath, Item, DateTime, 4>,
        ///The field `active`, stored as `active`.
        active: __odm::Field<__OdmDocument, __OdmPath, Item, bool, 5>,
        ///The field `notes`, stored as `notes`.
        notes: __odm::Field<__OdmDocument, __OdmPath, Item, Option<String>, 6>,
        ///The field `parent`, stored as `parent`.
        parent: __odm::Field<__OdmDocument, __OdmPath, Item, Id<Item>, 7>,
        ///The field `owner`, stored as `owner`.
        owner: __odm::Field<__OdmDocument, __OdmPath, Item, Option<Id<Item>>, 8>,
        ///The field `parts`, stored as `parts`.
        parts: __odm::Field<__OdmDocument, __OdmPath, Item, Vec<Id<Item>>, 9>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for ItemFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ItemFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ItemFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            number: __odm::Field::NEW,
            price: __odm::Field::NEW,
            made: __odm::Field::NEW,
            active: __odm::Field::NEW,
            notes: __odm::Field::NEW,
            parent: __odm::Field::NEW,
            owner: __odm::Field::NEW,
            parts: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Item {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ItemFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Item";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Item>>::ARRAY,
                    __odm::TypeProbe::<Id<Item>>::OPTION,
                    __odm::TypeProbe::<Id<Item>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Item>>::FORM,
                    __odm::TypeProbe::<Id<Item>>::TRACED_FORM,
                )
                .written("Id<Item>"),
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
                .written("String"),
            __odm::FieldShape::new("number", "number")
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
                .index(__odm::IndexShape::new(&[])),
            __odm::FieldShape::new("price", "price")
                .of_type(
                    __odm::TypeProbe::<f64>::ARRAY,
                    __odm::TypeProbe::<f64>::OPTION,
                    __odm::TypeProbe::<f64>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<f64>::FORM,
                    __odm::TypeProbe::<f64>::TRACED_FORM,
                )
                .written("f64"),
            __odm::FieldShape::new("made", "made")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::OPTION,
                    __odm::TypeProbe::<DateTime>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<DateTime>::FORM,
                    __odm::TypeProbe::<DateTime>::TRACED_FORM,
                )
                .written("DateTime"),
            __odm::FieldShape::new("active", "active")
                .of_type(
                    __odm::TypeProbe::<bool>::ARRAY,
                    __odm::TypeProbe::<bool>::OPTION,
                    __odm::TypeProbe::<bool>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<bool>::FORM,
                    __odm::TypeProbe::<bool>::TRACED_FORM,
                )
                .written("bool"),
            __odm::FieldShape::new("notes", "notes")
                .of_type(
                    __odm::TypeProbe::<Option<String>>::ARRAY,
                    __odm::TypeProbe::<Option<String>>::OPTION,
                    __odm::TypeProbe::<Option<String>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<String>>::FORM,
                    __odm::TypeProbe::<Option<String>>::TRACED_FORM,
                )
                .written("Option<String>"),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Id<Item>>::ARRAY,
                    __odm::TypeProbe::<Id<Item>>::OPTION,
                    __odm::TypeProbe::<Id<Item>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Item>>::FORM,
                    __odm::TypeProbe::<Id<Item>>::TRACED_FORM,
                )
                .written("Id<Item>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            __odm::TypeProbe::<__odm::Of<'static, Item>>::TARGET,
                            __odm::TypeProbe::<Id<Item>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Item>>::KEY),
                ),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<Option<Id<Item>>>::ARRAY,
                    __odm::TypeProbe::<Option<Id<Item>>>::OPTION,
                    __odm::TypeProbe::<Option<Id<Item>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Id<Item>>>::FORM,
                    __odm::TypeProbe::<Option<Id<Item>>>::TRACED_FORM,
                )
                .written("Option<Id<Item>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Item>>::TARGET,
                            __odm::TypeProbe::<Option<Id<Item>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Option<Id<Item>>>::KEY),
                ),
            __odm::FieldShape::new("parts", "parts")
                .of_type(
                    __odm::TypeProbe::<Vec<Id<Item>>>::ARRAY,
                    __odm::TypeProbe::<Vec<Id<Item>>>::OPTION,
                    __odm::TypeProbe::<Vec<Id<Item>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Id<Item>>>::FORM,
                    __odm::TypeProbe::<Vec<Id<Item>>>::TRACED_FORM,
                )
                .written("Vec<Id<Item>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Item>>::TARGET,
                            __odm::TypeProbe::<Vec<Id<Item>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Vec<Id<Item>>>::KEY),
                ),
        ];
    }
    #[automatically_derived]
    impl Item {
        ///Returns typed field handles of `Item`, for filters, sorts and updates.
        fn fields() -> ItemFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Item {
        type Key = <Id<Item> as __odm::IdOf<Item>>::Key;
        type Id = Id<Item>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "items",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "children",
                        || <Item as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<Item> as __odm::FieldSet>::NEW
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
    impl __odm::DeclaresId<Id<Item>> for Item {
        fn __odm_declared_id(&self) -> &Id<Item> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Item, 7> for Item {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Item, 8> for Item {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Item, 9> for Item {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parent {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parent") }> for Item {
        type Relation = __OdmBy_parent;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_owner {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("owner") }> for Item {
        type Relation = __OdmBy_owner;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parts {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parts") }> for Item {
        type Relation = __OdmBy_parts;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_children {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("children") }> for Item {
        type Relation = __OdmBy_children;
    }
    #[automatically_derived]
    impl Item {
        const __ODM_PARENT: __odm::Relation<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_parent,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_parent,
        >::new(
            "Item.parent",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Item>,
            >::EACH_KEY(&__odm_owner.parent, __odm_found),
            __odm::TypeProbe::<Id<Item>>::TARGET_PATH,
        );
        const __ODM_OWNER: __odm::Relation<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_owner,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_owner,
        >::new(
            "Item.owner",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Id<Item>>,
            >::EACH_KEY(&__odm_owner.owner, __odm_found),
            __odm::TypeProbe::<Option<Id<Item>>>::TARGET_PATH,
        );
        const __ODM_PARTS: __odm::Relation<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_parts,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_parts,
        >::new(
            "Item.parts",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Id<Item>>,
            >::EACH_KEY(&__odm_owner.parts, __odm_found),
            __odm::TypeProbe::<Vec<Id<Item>>>::TARGET_PATH,
        );
        const __ODM_CHILDREN: __odm::Relation<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_children,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Item>,
            __OdmBy_children,
        >::new(
            "Item.children",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Item> as __odm::FieldSet>::NEW.parent.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Item> as __odm::FieldSet>::NEW.parent.__reference_path(),
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
        ) -> __odm::LoadOne<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
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
        ) -> __odm::Join<Self, Item, __OdmBy_parent>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
        /**Loads the document that `owner` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_owner(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_OWNER.load_one(self, odm)
        }
        /**Loads the documents that `owner` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_owner<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Item, __OdmBy_owner>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_OWNER.join_one(owners, odm)
        }
        /**Loads the documents that `parts` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_parts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_PARTS.load_many(self, odm)
        }
        /**Loads the documents that `parts` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_parts<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Item, __OdmBy_parts>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_PARTS.join(owners, odm)
        }
        /**Counts the documents that `parts` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_parts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_PARTS.count(self, odm)
        }
        /**Loads the documents with a `Item.parent` that refers to this `Item`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Item.parent`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_children(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_CHILDREN.load_many(self, odm)
        }
        /**Loads `children` of many owners: the documents with a `Item.parent` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Item.parent`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_children<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Item, __OdmBy_children>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_CHILDREN.join(owners, odm)
        }
        /**Counts the documents with a `Item.parent` that refers to this `Item`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Item.parent`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_children(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Item>
        where
            for<'__odm> __odm::Of<'__odm, Item>: __odm::Leads<Target = Item>,
        {
            Self::__ODM_CHILDREN.count(self, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Item>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<f64>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<DateTime>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<bool>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<String>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Item > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Item > > ::LEADS_TO_MODEL,
            "`Item.parent` refers to `Item`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Item`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Item > > ::REFERENCE || (__odm::TypeProbe:: < Id <
            Item > > ::ONE_KEY || __odm::TypeProbe:: < Id < Item > > ::MANY_KEYS),
            "`Item.parent` is not a reference: `Id<Item>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Item > > ::REFERENCE || false,
            "`Item.parent` has another type of key than the `_id` of `Item`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Item > > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Item.parent` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Item > > ::KEY_ARRAYS < 2,
        "`Item.parent` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Item>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Item > > > ::REFERENCE ||
            __odm::TypeProbe:: < __odm::Of < 'static, Item > > ::LEADS_TO_MODEL,
            "`Item.owner` refers to `Item`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Item`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Item > > > ::REFERENCE ||
            (__odm::TypeProbe:: < Option < Id < Item > > > ::ONE_KEY ||
            __odm::TypeProbe:: < Option < Id < Item > > > ::MANY_KEYS),
            "`Item.owner` is not a reference: `Option<Id<Item>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Option < Id < Item > > > ::REFERENCE || false,
            "`Item.owner` has another type of key than the `_id` of `Item`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Id < Item > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Item.owner` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Id < Item > > > ::KEY_ARRAYS < 2,
        "`Item.owner` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Id<Item>>>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Item > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Item > > ::LEADS_TO_MODEL,
            "`Item.parts` refers to `Item`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Item`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Item > > > ::REFERENCE || (__odm::TypeProbe::
            < Vec < Id < Item > > > ::ONE_KEY || __odm::TypeProbe:: < Vec < Id < Item > >
            > ::MANY_KEYS),
            "`Item.parts` is not a reference: `Vec<Id<Item>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Vec < Id < Item > > > ::REFERENCE || false,
            "`Item.parts` has another type of key than the `_id` of `Item`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Id < Item > > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Item.parts` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Id < Item > > > ::KEY_ARRAYS < 2,
        "`Item.parts` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Id<Item>>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<Item> as __odm::FieldSet>::NEW.parent.__leads_to::<Item, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Item > ()
    }
};
