/**Typed handles of the stored fields of `Product`.

Got from `Product::fields()`, or from the handle of a field that embeds a `Product`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct ProductFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    pub id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Product,
        Id<Product>,
        0,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
        const NEW: Self = Self { id: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Product {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ProductFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Product";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Product>>::ARRAY,
                    __odm::TypeProbe::<Id<Product>>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Product {
        ///Returns typed handles of the stored fields of `Product`, for filters, sorts and updates.
        pub fn fields() -> ProductFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Product {
        type Key = <Id<Product> as __odm::IdOf<Product>>::Key;
        type Id = Id<Product>;
        fn id(&self) -> &Id<Product> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "products",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(Product { id 628021283683842752 Id < Product >, });
    fn __odm_checks() {
        __odm::check_id::<Id<Product>, Product>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Product as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Account`.

Got from `Account::fields()`, or from the handle of a field that embeds a `Account`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct AccountFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    pub id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Account,
        Id<Account>,
        0,
    >,
    ///The field `number`, stored as `number`.
    pub number: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Account, i32, 1>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for AccountFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AccountFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AccountFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            number: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Account {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AccountFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Account";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Account>>::ARRAY,
                    __odm::TypeProbe::<Id<Account>>::EMBED,
                ),
            __odm::FieldShape::new("number", "number")
                .of_type(__odm::TypeProbe::<i32>::ARRAY, __odm::TypeProbe::<i32>::EMBED),
        ];
    }
    #[automatically_derived]
    impl Account {
        ///Returns typed handles of the stored fields of `Account`, for filters, sorts and updates.
        pub fn fields() -> AccountFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Account {
        type Key = <Id<Account> as __odm::IdOf<Account>>::Key;
        type Id = Id<Account>;
        fn id(&self) -> &Id<Account> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "accounts",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        Account { id 628021283683842752 Id < Account >, number 9237349086447201248 i32, }
    );
    fn __odm_checks() {
        __odm::check_id::<Id<Account>, Account>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Account as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `Subject`.

Got from `Subject::fields()`, or from the handle of a field that embeds a `Subject`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct SubjectFields<__OdmDocument, __OdmPath> {
    ///The field `kind`, stored as `kind`.
    pub kind: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Subject,
        ::std::string::String,
        0,
    >,
    ///The field `id`, stored as `id`.
    pub id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Subject,
        ::mongo_odm::AnyKey,
        1,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
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
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = SubjectFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Subject";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("kind", "kind")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                ),
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::ARRAY,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::EMBED,
                )
                .targets(
                    &[
                        __odm::TargetShape::new(
                            || <Product as __odm::Model>::SHAPE,
                            || ::std::string::String::from("_id"),
                        ),
                        __odm::TargetShape::new(
                            || <Account as __odm::Model>::SHAPE,
                            || <Account>::fields().number.path(),
                        ),
                    ],
                ),
        ];
    }
    #[automatically_derived]
    impl Subject {
        ///Returns typed handles of the stored fields of `Subject`, for filters, sorts and updates.
        pub fn fields() -> SubjectFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Subject {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Keys for Subject {
        type Key = __odm::AnyKey;
        type Knows = __odm::Several;
        const MANY: bool = false;
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
            (|| ::std::string::String::from("_id"))()
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
            (|| <Account>::fields().number.path())()
        }
    }
    #[automatically_derived]
    impl Subject {
        /**Loads the document that this refers to, if it is of the model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
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
        /**Loads, for many owners at once, the documents of one model that they refer to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
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
    const _: () = ::core::assert!(
        ! < Id < Product > as __odm::Keys > ::MANY,
        "`Subject::Product` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Subject>` where it is used"
    );
    const _: () = ::core::assert!(
        ! < Id < Product > as __odm::Keys > ::MANY,
        "`Subject::Substitute` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Subject>` where it is used"
    );
    const _: () = ::core::assert!(
        ! < i32 as __odm::Keys > ::MANY,
        "`Subject::Account` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Subject>` where it is used"
    );
    fn __odm_checks() {
        __odm::check_plain_reference::<Id<Product>, Product>();
        __odm::check_plain_reference::<Id<Product>, Product>();
        __odm::check_keyed_reference::<i32, Account>();
        <Account>::fields().number.__is_key_of::<i32>();
    }
};

/**Typed handles of the stored fields of `Mention`.

Got from `Mention::fields()`, or from the handle of a field that embeds a `Mention`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct MentionFields<__OdmDocument, __OdmPath> {
    ///The field `of`, stored as `of`.
    pub of: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Mention, Subject, 0>,
    ///The field `at`, stored as `at`.
    pub at: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Mention, i32, 1>,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for MentionFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for MentionFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for MentionFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            of: __odm::Field::NEW,
            at: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Mention {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = MentionFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Mention";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("of", "of")
                .of_type(
                    __odm::TypeProbe::<Subject>::ARRAY,
                    __odm::TypeProbe::<Subject>::EMBED,
                ),
            __odm::FieldShape::new("at", "at")
                .of_type(__odm::TypeProbe::<i32>::ARRAY, __odm::TypeProbe::<i32>::EMBED),
        ];
    }
    #[automatically_derived]
    impl Mention {
        ///Returns typed handles of the stored fields of `Mention`, for filters, sorts and updates.
        pub fn fields() -> MentionFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Mention {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl Mention {
        /**Loads the document that `of` refers to, if it is of this model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load_of<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Mention.of",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.of, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `of` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_of<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Mention.of",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.of, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for Mention {
        type Key = <Subject as __odm::Keys>::Key;
        type Knows = <Subject as __odm::Keys>::Knows;
        const MANY: bool = <Subject as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.of, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("of");
            <Subject as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Polymorphic for Mention
    where
        Subject: __odm::Polymorphic,
    {}
    #[automatically_derived]
    impl<__OdmTarget> __odm::PolymorphicTo<__OdmTarget> for Mention
    where
        Subject: __odm::PolymorphicTo<__OdmTarget>,
    {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::PolymorphicTo::<__OdmTarget>::each_key_to(&self.of, __odm_found);
        }
        fn target_path() -> ::std::string::String {
            <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path()
        }
    }
    __odm::gives!(Mention { of 626105934427877640 Subject, at 620456643683264872 i32, });
    const _: () = ::core::assert!(
        ! < Subject as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Mention.of` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        __odm::check_polymorphic::<Subject>();
    }
};

/**Typed handles of the stored fields of `Comment`.

Got from `Comment::fields()`, or from the handle of a field that embeds a `Comment`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct CommentFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    pub id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Comment,
        Id<Comment>,
        0,
    >,
    ///The field `subject`, stored as `subject`.
    pub subject: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Comment,
        Subject,
        1,
    >,
    ///The field `also`, stored as `also`.
    pub also: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Comment,
        Vec<Subject>,
        2,
    >,
    ///The field `mentions`, stored as `mentions`.
    pub mentions: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Comment,
        Vec<Mention>,
        3,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for CommentFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for CommentFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for CommentFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            subject: __odm::Field::NEW,
            also: __odm::Field::NEW,
            mentions: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Comment {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CommentFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Comment";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Comment>>::ARRAY,
                    __odm::TypeProbe::<Id<Comment>>::EMBED,
                ),
            __odm::FieldShape::new("subject", "subject")
                .of_type(
                    __odm::TypeProbe::<Subject>::ARRAY,
                    __odm::TypeProbe::<Subject>::EMBED,
                ),
            __odm::FieldShape::new("also", "also")
                .of_type(
                    __odm::TypeProbe::<Vec<Subject>>::ARRAY,
                    __odm::TypeProbe::<Vec<Subject>>::EMBED,
                )
                .max(20u32),
            __odm::FieldShape::new("mentions", "mentions")
                .of_type(
                    __odm::TypeProbe::<Vec<Mention>>::ARRAY,
                    __odm::TypeProbe::<Vec<Mention>>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl Comment {
        ///Returns typed handles of the stored fields of `Comment`, for filters, sorts and updates.
        pub fn fields() -> CommentFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Comment {
        type Key = <Id<Comment> as __odm::IdOf<Comment>>::Key;
        type Id = Id<Comment>;
        fn id(&self) -> &Id<Comment> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "comments",
                <Self as __odm::HasFields>::FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || <Comment>::fields().subject.kind.path(),
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || <Comment>::fields().subject.id.path(),
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl Comment {
        /**Loads the document that `subject` refers to, if it is of this model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load_subject<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.subject",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.subject, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `subject` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_subject<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.subject",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.subject, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join_one(owners, odm)
        }
        /**Loads the documents of one model that `also` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        pub fn load_also<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<__OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.also",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.also, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_many(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `also` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_also<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.also",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.also, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join(owners, odm)
        }
        /**Counts the documents of one model that `also` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        pub fn count_also<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::CountRelated
        where
            Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.also",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.also, __odm_found),
                    <Vec<Subject> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .count(self, odm)
        }
        /**Loads the documents of one model that `mentions` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        pub fn load_mentions<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<__OdmTarget>
        where
            Vec<Mention>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.mentions",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.mentions, __odm_found),
                    <Vec<Mention> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_many(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `mentions` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_mentions<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Vec<Mention>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.mentions",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.mentions, __odm_found),
                    <Vec<Mention> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join(owners, odm)
        }
        /**Counts the documents of one model that `mentions` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        pub fn count_mentions<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::CountRelated
        where
            Vec<Mention>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Comment.mentions",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.mentions, __odm_found),
                    <Vec<Mention> as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .count(self, odm)
        }
    }
    __odm::gives!(
        Comment { id 628021283683842752 Id < Comment >, subject 10826780302402718735
        Subject, also 9568555481811867858 Vec < Subject >, mentions 5203603185661144498
        Vec < Mention >, }
    );
    const _: () = ::core::assert!(
        ! < Subject as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Comment.subject` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        < Vec < Subject > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Comment.also` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        < Vec < Mention > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Comment.mentions` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        __odm::check_polymorphic::<Subject>();
        __odm::check_polymorphic::<Vec<Subject>>();
        <Comment>::fields().also.__is_array();
        __odm::check_polymorphic::<Vec<Mention>>();
        __odm_embeds::<Vec<Mention>>();
        __odm::check_id::<Id<Comment>, Comment>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Comment as __odm::Model > ::SHAPE)
    }
};

#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl __odm::Projection<Comment> for CommentSubject {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "CommentSubject",
            &[
                __odm::FieldShape::new("subject", "subject")
                    .of_type(
                        __odm::TypeProbe::<Subject>::ARRAY,
                        __odm::TypeProbe::<Subject>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    #[automatically_derived]
    impl CommentSubject {
        /**Loads the document that `subject` refers to, if it is of this model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load_subject<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "CommentSubject.subject",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.subject, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `subject` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_subject<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Subject: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "CommentSubject.subject",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.subject, __odm_found),
                    <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for CommentSubject {
        type Key = <Subject as __odm::Keys>::Key;
        type Knows = <Subject as __odm::Keys>::Knows;
        const MANY: bool = <Subject as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.subject, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("subject");
            <Subject as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Polymorphic for CommentSubject
    where
        Subject: __odm::Polymorphic,
    {}
    #[automatically_derived]
    impl<__OdmTarget> __odm::PolymorphicTo<__OdmTarget> for CommentSubject
    where
        Subject: __odm::PolymorphicTo<__OdmTarget>,
    {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::PolymorphicTo::<__OdmTarget>::each_key_to(&self.subject, __odm_found);
        }
        fn target_path() -> ::std::string::String {
            <Subject as __odm::PolymorphicTo<__OdmTarget>>::target_path()
        }
    }
    const _: () = ::core::assert!(
        ! < Subject as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `CommentSubject.subject` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = ::core::assert!(
        __odm::find_field(< Comment as __odm::HasFields > ::FIELDS, "subject").is_none()
        || __odm::same_stored_name(< Comment as __odm::HasFields > ::FIELDS, "subject",
        "subject", ::core::option::Option::None),
        "`CommentSubject.subject` reads `subject`, and `Comment` stores `subject` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        __odm::check_polymorphic::<Subject>();
        <Comment>::fields().subject.__projected_as::<Subject>();
    }
};

/**Typed handles of the stored fields of `Owner`.

Got from `Owner::fields()`, or from the handle of a field that embeds a `Owner`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct OwnerFields<__OdmDocument, __OdmPath> {
    ///The field `owner_type`, stored as `owner_type`.
    pub owner_type: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Owner,
        ::std::string::String,
        0,
    >,
    ///The field `owner_id`, stored as `owner_id`.
    pub owner_id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Owner,
        ::mongo_odm::AnyKey,
        1,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for OwnerFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for OwnerFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for OwnerFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            owner_type: __odm::Field::NEW,
            owner_id: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Owner {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = OwnerFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Owner";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("owner_type", "owner_type")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                ),
            __odm::FieldShape::new("owner_id", "owner_id")
                .of_type(
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::ARRAY,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::EMBED,
                )
                .targets(
                    &[
                        __odm::TargetShape::new(
                            || <Account as __odm::Model>::SHAPE,
                            || ::std::string::String::from("_id"),
                        ),
                    ],
                ),
        ];
    }
    #[automatically_derived]
    impl Owner {
        ///Returns typed handles of the stored fields of `Owner`, for filters, sorts and updates.
        pub fn fields() -> OwnerFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Owner {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Keys for Owner {
        type Key = __odm::AnyKey;
        type Knows = __odm::Several;
        const MANY: bool = false;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Account(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
            }
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("owner_id");
        }
    }
    #[automatically_derived]
    impl __odm::Polymorphic for Owner {}
    #[automatically_derived]
    impl __odm::PolymorphicTo<Account> for Owner {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Account(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
            }
        }
        fn target_path() -> ::std::string::String {
            (|| ::std::string::String::from("_id"))()
        }
    }
    #[automatically_derived]
    impl Owner {
        /**Loads the document that this refers to, if it is of the model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Owner",
                    |__odm_owner, __odm_found| {
                        __odm::PolymorphicTo::<
                            __OdmTarget,
                        >::each_key_to(__odm_owner, __odm_found)
                    },
                    <Self as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that they refer to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Self: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Owner",
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
    const _: () = ::core::assert!(
        ! < Id < Account > as __odm::Keys > ::MANY,
        "`Owner::Account` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Owner>` where it is used"
    );
    fn __odm_checks() {
        __odm::check_plain_reference::<Id<Account>, Account>();
    }
};

/**Typed handles of the stored fields of `Picture`.

Got from `Picture::fields()`, or from the handle of a field that embeds a `Picture`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
pub struct PictureFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    pub id: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Picture,
        Id<Picture>,
        0,
    >,
    ///The fields of `owner`, which serde stores in its place.
    pub owner: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Picture,
        Owner,
        1,
    >,
}
#[doc(hidden)]
#[allow(
    dead_code,
    unused_imports,
    unused_qualifications,
    private_interfaces,
    private_bounds,
    clippy::all,
    clippy::pedantic
)]
const _: () = {
    use ::mongo_odm::__private as __odm;
    use __odm::TypeProbeFallback as _;
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for PictureFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PictureFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PictureFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            owner: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Picture {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PictureFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Picture";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Picture>>::ARRAY,
                    __odm::TypeProbe::<Id<Picture>>::EMBED,
                ),
            __odm::FieldShape::new("owner", "owner")
                .of_type(
                    __odm::TypeProbe::<Owner>::ARRAY,
                    __odm::TypeProbe::<Owner>::EMBED,
                )
                .flatten(),
        ];
    }
    #[automatically_derived]
    impl Picture {
        ///Returns typed handles of the stored fields of `Picture`, for filters, sorts and updates.
        pub fn fields() -> PictureFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Picture {
        type Key = <Id<Picture> as __odm::IdOf<Picture>>::Key;
        type Id = Id<Picture>;
        fn id(&self) -> &Id<Picture> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "pictures",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl Picture {
        /**Loads the document that `owner` refers to, if it is of this model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        pub fn load_owner<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<__OdmTarget>
        where
            Owner: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Picture.owner",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.owner, __odm_found),
                    <Owner as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_one(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `owner` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        pub fn join_owner<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            Owner: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Picture.owner",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.owner, __odm_found),
                    <Owner as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join_one(owners, odm)
        }
    }
    __odm::gives!(
        Picture { id 628021283683842752 Id < Picture >, owner 12002927925776846068 Owner,
        }
    );
    const _: () = ::core::assert!(
        ! < Owner as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Picture.owner` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        __odm::check_polymorphic::<Owner>();
        __odm::check_id::<Id<Picture>, Picture>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Picture as __odm::Model > ::SHAPE)
    }
};
