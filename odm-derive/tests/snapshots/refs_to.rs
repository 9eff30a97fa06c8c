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
    ///Typed field handles of `Customer`, from `Customer::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct CustomerFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Customer,
            Id<Customer>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `accounts`, stored as `accounts`.
        accounts: __odm::Field<__OdmDocument, __OdmPath, Customer, Vec<i32>, 1>,
        ///The field `main`, stored as `main`.
        main: __odm::Field<__OdmDocument, __OdmPath, Customer, Option<i32>, 2>,
        ///The field `plain`, stored as `plain`.
        plain: __odm::Field<__OdmDocument, __OdmPath, Customer, Vec<Oid>, 3>,
        ///The field `parent`, stored as `parent`.
        parent: __odm::Field<__OdmDocument, __OdmPath, Customer, Oid, 4>,
        ///The field `referrer`, stored as `referrer`.
        referrer: __odm::Field<__OdmDocument, __OdmPath, Customer, Option<Oid>, 5>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for CustomerFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for CustomerFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for CustomerFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            accounts: __odm::Field::NEW,
            main: __odm::Field::NEW,
            plain: __odm::Field::NEW,
            parent: __odm::Field::NEW,
            referrer: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Customer {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CustomerFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Customer";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Customer>>::ARRAY,
                    __odm::TypeProbe::<Id<Customer>>::OPTION,
                    __odm::TypeProbe::<Id<Customer>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Customer>>::FORM,
                    __odm::TypeProbe::<Id<Customer>>::TRACED_FORM,
                )
                .written("Id<Customer>"),
            __odm::FieldShape::new("accounts", "accounts")
                .of_type(
                    __odm::TypeProbe::<Vec<i32>>::ARRAY,
                    __odm::TypeProbe::<Vec<i32>>::OPTION,
                    __odm::TypeProbe::<Vec<i32>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<i32>>::FORM,
                    __odm::TypeProbe::<Vec<i32>>::TRACED_FORM,
                )
                .written("Vec<i32>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            __odm::TypeProbe::<__odm::Of<'static, Account>>::TARGET,
                            __odm::TypeProbe::<Vec<i32>>::INNER_PATH,
                        )
                        .key(
                            __odm::key_of(|| {
                                <__odm::Handles<Account> as __odm::FieldSet>::NEW.account_id
                            }),
                        ),
                ),
            __odm::FieldShape::new("main", "main")
                .of_type(
                    __odm::TypeProbe::<Option<i32>>::ARRAY,
                    __odm::TypeProbe::<Option<i32>>::OPTION,
                    __odm::TypeProbe::<Option<i32>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<i32>>::FORM,
                    __odm::TypeProbe::<Option<i32>>::TRACED_FORM,
                )
                .written("Option<i32>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Account>>::TARGET,
                            __odm::TypeProbe::<Option<i32>>::INNER_PATH,
                        )
                        .key(
                            __odm::key_of(|| {
                                <__odm::Handles<Account> as __odm::FieldSet>::NEW.account_id
                            }),
                        ),
                ),
            __odm::FieldShape::new("plain", "plain")
                .of_type(
                    __odm::TypeProbe::<Vec<Oid>>::ARRAY,
                    __odm::TypeProbe::<Vec<Oid>>::OPTION,
                    __odm::TypeProbe::<Vec<Oid>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Oid>>::FORM,
                    __odm::TypeProbe::<Vec<Oid>>::TRACED_FORM,
                )
                .written("Vec<Oid>")
                .reference(
                    __odm::ReferenceShape::new(
                        __odm::ReferenceKind::Many,
                        __odm::TypeProbe::<__odm::Of<'static, Account>>::TARGET,
                        __odm::TypeProbe::<Vec<Oid>>::INNER_PATH,
                    ),
                ),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<Oid>::ARRAY,
                    __odm::TypeProbe::<Oid>::OPTION,
                    __odm::TypeProbe::<Oid>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Oid>::FORM,
                    __odm::TypeProbe::<Oid>::TRACED_FORM,
                )
                .written("Oid")
                .reference(
                    __odm::ReferenceShape::new(
                        __odm::ReferenceKind::Parent,
                        __odm::TypeProbe::<__odm::Of<'static, self::Account>>::TARGET,
                        __odm::TypeProbe::<Oid>::INNER_PATH,
                    ),
                ),
            __odm::FieldShape::new("referrer", "referrer")
                .of_type(
                    __odm::TypeProbe::<Option<Oid>>::ARRAY,
                    __odm::TypeProbe::<Option<Oid>>::OPTION,
                    __odm::TypeProbe::<Option<Oid>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Oid>>::FORM,
                    __odm::TypeProbe::<Option<Oid>>::TRACED_FORM,
                )
                .written("Option<Oid>")
                .reference(
                    __odm::ReferenceShape::new(
                        __odm::ReferenceKind::One,
                        __odm::TypeProbe::<__odm::Of<'static, Customer>>::TARGET,
                        __odm::TypeProbe::<Option<Oid>>::INNER_PATH,
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Customer {
        ///Returns typed field handles of `Customer`, for filters, sorts and updates.
        fn fields() -> CustomerFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for Customer {
        type Key = <Id<Customer> as __odm::IdOf<Customer>>::Key;
        type Id = Id<Customer>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::__ODM_NAME,
            "customers",
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
    impl __odm::DeclaresId<Id<Customer>> for Customer {
        fn __odm_declared_id(&self) -> &Id<Customer> {
            &self.id
        }
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Account, 1> for Customer {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Account, 2> for Customer {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Account, 3> for Customer {}
    #[automatically_derived]
    impl __odm::DeclaresReference<self::Account, 4> for Customer {}
    #[automatically_derived]
    impl __odm::DeclaresReference<Customer, 5> for Customer {}
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_accounts {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("accounts") }> for Customer {
        type Relation = __OdmBy_accounts;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_main {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("main") }> for Customer {
        type Relation = __OdmBy_main;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_plain {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("plain") }> for Customer {
        type Relation = __OdmBy_plain;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_parent {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("parent") }> for Customer {
        type Relation = __OdmBy_parent;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_referrer {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("referrer") }> for Customer {
        type Relation = __OdmBy_referrer;
    }
    #[automatically_derived]
    impl Customer {
        const __ODM_ACCOUNTS: __odm::Relation<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_accounts,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_accounts,
        >::new(
            "Customer.accounts",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<i32>,
            >::EACH_KEY(&__odm_owner.accounts, __odm_found),
            || <__odm::Handles<Account> as __odm::FieldSet>::NEW.account_id.path(),
        );
        const __ODM_MAIN: __odm::Relation<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_main,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_main,
        >::new(
            "Customer.main",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<i32>,
            >::EACH_KEY(&__odm_owner.main, __odm_found),
            || <__odm::Handles<Account> as __odm::FieldSet>::NEW.account_id.path(),
        );
        const __ODM_PLAIN: __odm::Relation<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_plain,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Account>,
            __OdmBy_plain,
        >::new(
            "Customer.plain",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Vec<Oid>,
            >::EACH_KEY(&__odm_owner.plain, __odm_found),
            || ::core::convert::From::from("_id"),
        );
        const __ODM_PARENT: __odm::Relation<
            Self,
            __odm::Of<'static, self::Account>,
            __OdmBy_parent,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, self::Account>,
            __OdmBy_parent,
        >::new(
            "Customer.parent",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Oid,
            >::EACH_KEY(&__odm_owner.parent, __odm_found),
            || ::core::convert::From::from("_id"),
        );
        const __ODM_REFERRER: __odm::Relation<
            Self,
            __odm::Of<'static, Customer>,
            __OdmBy_referrer,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Customer>,
            __OdmBy_referrer,
        >::new(
            "Customer.referrer",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Option<Oid>,
            >::EACH_KEY(&__odm_owner.referrer, __odm_found),
            || ::core::convert::From::from("_id"),
        );
        /**Loads the documents that `accounts` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_accounts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Account>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_ACCOUNTS.load_many(self, odm)
        }
        /**Loads the documents that `accounts` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_accounts<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Account, __OdmBy_accounts>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_ACCOUNTS.join(owners, odm)
        }
        /**Counts the documents that `accounts` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_accounts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Account>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_ACCOUNTS.count(self, odm)
        }
        /**Loads the document that `main` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_main(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Account>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_MAIN.load_one(self, odm)
        }
        /**Loads the documents that `main` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_main<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Account, __OdmBy_main>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_MAIN.join_one(owners, odm)
        }
        /**Loads the documents that `plain` refers to, in stored order with repeats.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_plain(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Account>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_PLAIN.load_many(self, odm)
        }
        /**Loads the documents that `plain` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_plain<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Account, __OdmBy_plain>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_PLAIN.join(owners, odm)
        }
        /**Counts the documents that `plain` refers to, in stored order with repeats.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_plain(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Account>
        where
            for<'__odm> __odm::Of<'__odm, Account>: __odm::Leads<Target = Account>,
        {
            Self::__ODM_PLAIN.count(self, odm)
        }
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
        ) -> __odm::LoadOne<self::Account>
        where
            for<'__odm> __odm::Of<
                '__odm,
                self::Account,
            >: __odm::Leads<Target = self::Account>,
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
        ) -> __odm::Join<Self, self::Account, __OdmBy_parent>
        where
            for<'__odm> __odm::Of<
                '__odm,
                self::Account,
            >: __odm::Leads<Target = self::Account>,
        {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
        /**Loads the document that `referrer` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_referrer(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Customer>
        where
            for<'__odm> __odm::Of<'__odm, Customer>: __odm::Leads<Target = Customer>,
        {
            Self::__ODM_REFERRER.load_one(self, odm)
        }
        /**Loads the documents that `referrer` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_referrer<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Customer, __OdmBy_referrer>
        where
            for<'__odm> __odm::Of<'__odm, Customer>: __odm::Leads<Target = Customer>,
        {
            Self::__ODM_REFERRER.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Customer>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < i32 > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Customer.accounts` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < i32 > > ::KEY_ARRAYS < 2,
        "`Customer.accounts` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<i32>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < i32 > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Customer.main` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < i32 > > ::KEY_ARRAYS < 2,
        "`Customer.main` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<i32>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Vec < Oid > > ::ONE_KEY,
        "`#[refs(many)]` needs an array, but `Customer.plain` contains one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Vec < Oid > > ::KEY_ARRAYS < 2,
        "`Customer.plain` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Vec<Oid>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Oid > ::MANY_KEYS,
        "`#[parent_ref]` needs one key, but `Customer.parent` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Oid > ::KEY_ARRAYS < 2,
        "`Customer.parent` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Oid>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Option < Oid > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Customer.referrer` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Option < Oid > > ::KEY_ARRAYS < 2,
        "`Customer.referrer` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Option<Oid>>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<Account> as __odm::FieldSet>::NEW
            .account_id
            .__is_key_of::<Vec<i32>, Account>();
        <__odm::Handles<Account> as __odm::FieldSet>::NEW
            .account_id
            .__is_key_of::<Option<i32>, Account>();
        __odm::check_plain_reference::<Vec<Oid>, Account>();
        __odm::check_plain_reference::<Oid, self::Account>();
        __odm::check_plain_reference::<Option<Oid>, Customer>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < Customer > ()
    }
};
