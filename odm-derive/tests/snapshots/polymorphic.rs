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
    ///Typed field handles of `Subject`, from `Subject::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub struct SubjectFields<__OdmDocument, __OdmPath> {
        ///The field `kind`, stored as `kind`.
        pub kind: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Subject,
            ::std::string::String,
            0,
        >,
        ///The field `id`, stored as `id`.
        pub id: __odm::Field<__OdmDocument, __OdmPath, Subject, ::mongo_odm::AnyKey, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for SubjectFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for SubjectFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for SubjectFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            kind: __odm::Field::NEW,
            id: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Subject {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = SubjectFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Subject";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("kind", "kind")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::OPTION,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<::std::string::String>::FORM,
                    __odm::TypeProbe::<::std::string::String>::TRACED_FORM,
                )
                .written("String"),
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::ARRAY,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::OPTION,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::FORM,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::TRACED_FORM,
                )
                .written("AnyKey")
                .targets(
                    &[
                        __odm::TargetShape::new(
                                __odm::TypeProbe::<__odm::Of<'static, Product>>::TARGET,
                                || ::core::convert::From::from("_id"),
                            )
                            .kinds(&["product", "substitute"]),
                        __odm::TargetShape::new(
                                __odm::TypeProbe::<__odm::Of<'static, Account>>::TARGET,
                                || {
                                    <__odm::Handles<Account> as __odm::FieldSet>::NEW
                                        .number
                                        .path()
                                },
                            )
                            .kinds(&["account"]),
                    ],
                ),
        ];
    }
    #[automatically_derived]
    impl Subject {
        ///Returns typed field handles of `Subject`, for filters, sorts and updates.
        pub fn fields() -> SubjectFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Subject {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    __odm::inventory::submit! {
        __odm::RegisteredEmbedded(< Subject as __odm::Embedded > ::SHAPE)
    }
    #[automatically_derived]
    impl __odm::Keys for Subject {
        type Key = __odm::AnyKey;
        type Knows = __odm::Several;
        const __ODM_MANY: bool = false;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Product(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                Self::Substitute(__odm_key) => {
                    __odm::Keys::each_key(__odm_key, __odm_found)
                }
                Self::Account(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                _ => {}
            }
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
        }
    }
    #[automatically_derived]
    impl __odm::Polymorphic for Subject {}
    #[automatically_derived]
    impl __odm::PolymorphicTo<Product> for Subject {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Product(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                Self::Substitute(__odm_key) => {
                    __odm::Keys::each_key(__odm_key, __odm_found)
                }
                _ => {}
            }
        }
        fn target_path() -> ::std::string::String {
            (|| ::core::convert::From::from("_id"))()
        }
    }
    #[automatically_derived]
    impl __odm::PolymorphicTo<Account> for Subject {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Account(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                _ => {}
            }
        }
        fn target_path() -> ::std::string::String {
            (|| <__odm::Handles<Account> as __odm::FieldSet>::NEW.number.path())()
        }
    }
    #[automatically_derived]
    impl Subject {
        /**Loads the document that this refers to, if it is of this model.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[track_caller]
        pub fn load<__OdmTarget: __odm::Described>(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
            >::new(
                    "Subject",
                    |__odm_owner, __odm_found| {
                        __odm::PolymorphicTo::<
                            __OdmTarget,
                        >::each_key_to(__odm_owner, __odm_found)
                    },
                    <Self as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads the documents of one model that many references refer to.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        pub fn join<'a, __OdmTarget: __odm::Described>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, __OdmTarget, __odm::Unnamed>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __odm::Of<'static, __OdmTarget>,
            >::new(
                    "Subject",
                    |__odm_owner, __odm_found| {
                        __odm::PolymorphicTo::<
                            __OdmTarget,
                        >::each_key_to(__odm_owner, __odm_found)
                    },
                    <Self as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Product > > ::MANY_KEYS,
        "`Subject::Product` contains an array, but a variant of a polymorphic reference contains one key; write `Vec<Subject>` where it is used"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Product>>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Product > > ::MANY_KEYS,
        "`Subject::Substitute` contains an array, but a variant of a polymorphic reference contains one key; write `Vec<Subject>` where it is used"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<i32>::FOREIGN);
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < i32 > ::MANY_KEYS,
        "`Subject::Account` contains an array, but a variant of a polymorphic reference contains one key; write `Vec<Subject>` where it is used"
    );
    fn __odm_checks() {
        __odm::check_plain_reference::<Id<Product>, Product>();
        __odm::check_plain_reference::<Id<Product>, Product>();
        <__odm::Handles<Account> as __odm::FieldSet>::NEW
            .number
            .__is_key_of::<i32, Account>();
    }
};
