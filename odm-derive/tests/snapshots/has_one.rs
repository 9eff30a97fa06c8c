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
    ///Typed field handles of `User`, from `User::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct UserFields<__OdmDocument, __OdmPath> {
        ///The field `id`, stored as `_id`.
        id: __odm::Field<
            __OdmDocument,
            __OdmPath,
            User,
            Id<User>,
            0,
            __odm::AsSerde,
            __odm::Identity,
        >,
        ///The field `number`, stored as `number`.
        number: __odm::Field<__OdmDocument, __OdmPath, User, i64, 1>,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for UserFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for UserFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for UserFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            number: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for User {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = UserFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "User";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<User>>::ARRAY,
                    __odm::TypeProbe::<Id<User>>::OPTION,
                    __odm::TypeProbe::<Id<User>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<User>>::FORM,
                    __odm::TypeProbe::<Id<User>>::TRACED_FORM,
                )
                .written("Id<User>"),
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
                .written("i64"),
        ];
    }
    #[automatically_derived]
    impl User {
        ///Returns typed field handles of `User`, for filters, sorts and updates.
        fn fields() -> UserFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Described for User {
        type Key = <Id<User> as __odm::IdOf<User>>::Key;
        type Id = Id<User>;
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                "users",
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "posts",
                        || <Post as __odm::Described>::SHAPE,
                        || {
                            <__odm::Handles<Post> as __odm::FieldSet>::NEW
                                .author
                                .__reference_path()
                        },
                    ),
                    __odm::HasManyShape::new(
                            "profile",
                            || <Profile as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Profile> as __odm::FieldSet>::NEW
                                    .user
                                    .__reference_path()
                            },
                        )
                        .single(),
                    __odm::HasManyShape::new(
                            "badge",
                            || <Badge as __odm::Described>::SHAPE,
                            || {
                                <__odm::Handles<Badge> as __odm::FieldSet>::NEW
                                    .number
                                    .__reference_path()
                            },
                        )
                        .single(),
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
    impl __odm::DeclaresId<Id<User>> for User {
        fn __odm_declared_id(&self) -> &Id<User> {
            &self.id
        }
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_posts {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("posts") }> for User {
        type Relation = __OdmBy_posts;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_profile {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("profile") }> for User {
        type Relation = __OdmBy_profile;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_badge {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("badge") }> for User {
        type Relation = __OdmBy_badge;
    }
    #[automatically_derived]
    impl User {
        const __ODM_POSTS: __odm::Relation<
            Self,
            __odm::Of<'static, Post>,
            __OdmBy_posts,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Post>,
            __OdmBy_posts,
        >::new(
            "User.posts",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Post> as __odm::FieldSet>::NEW.author.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Post> as __odm::FieldSet>::NEW.author.__reference_path(),
        );
        const __ODM_PROFILE: __odm::Relation<
            Self,
            __odm::Of<'static, Profile>,
            __OdmBy_profile,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Profile>,
            __OdmBy_profile,
        >::new(
            "User.profile",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Profile> as __odm::FieldSet>::NEW.user.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Profile> as __odm::FieldSet>::NEW.user.__reference_path(),
        );
        const __ODM_BADGE: __odm::Relation<
            Self,
            __odm::Of<'static, Badge>,
            __OdmBy_badge,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Badge>,
            __OdmBy_badge,
        >::new(
            "User.badge",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <__odm::Handles<Badge> as __odm::FieldSet>::NEW.number.shape(),
                __odm_found,
            ),
            || <__odm::Handles<Badge> as __odm::FieldSet>::NEW.number.__reference_path(),
        );
        /**Loads the documents with a `Post.author` that refers to this `User`.

# Sends

One `find`, or nothing without keys: see [`LoadMany`](mongo_odm::relation::LoadMany).

# Index

An index on `Post.author`. `sync_indexes` creates it.

# Errors

See [`LoadMany`](mongo_odm::relation::LoadMany).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_posts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadMany<Post>
        where
            for<'__odm> __odm::Of<'__odm, Post>: __odm::Leads<Target = Post>,
        {
            Self::__ODM_POSTS.load_many(self, odm)
        }
        /**Loads `posts` of many owners: the documents with a `Post.author` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Post.author`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_posts<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Post, __OdmBy_posts>
        where
            for<'__odm> __odm::Of<'__odm, Post>: __odm::Leads<Target = Post>,
        {
            Self::__ODM_POSTS.join(owners, odm)
        }
        /**Counts the documents with a `Post.author` that refers to this `User`.

# Sends

One `aggregate`, or nothing without keys: see [`CountRelated`](mongo_odm::relation::CountRelated).

# Index

An index on `Post.author`. `sync_indexes` creates it.

# Errors

See [`CountRelated`](mongo_odm::relation::CountRelated).*/
        #[track_caller]
        fn count_posts(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::CountRelated<Post>
        where
            for<'__odm> __odm::Of<'__odm, Post>: __odm::Leads<Target = Post>,
        {
            Self::__ODM_POSTS.count(self, odm)
        }
        /**Loads the document with a `Profile.user` that refers to this `User`.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on `Profile.user`. `sync_indexes` creates it.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_profile(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Profile>
        where
            for<'__odm> __odm::Of<'__odm, Profile>: __odm::Leads<Target = Profile>,
        {
            Self::__ODM_PROFILE.load_one(self, odm)
        }
        /**Loads `profile` of many owners: the documents with a `Profile.user` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Profile.user`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_profile<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Profile, __OdmBy_profile>
        where
            for<'__odm> __odm::Of<'__odm, Profile>: __odm::Leads<Target = Profile>,
        {
            Self::__ODM_PROFILE.join_one(owners, odm)
        }
        /**Loads the document with a `Badge.number` that refers to this `User`.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on `Badge.number`. `sync_indexes` creates it.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_badge(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Badge>
        where
            for<'__odm> __odm::Of<'__odm, Badge>: __odm::Leads<Target = Badge>,
        {
            Self::__ODM_BADGE.load_one(self, odm)
        }
        /**Loads `badge` of many owners: the documents with a `Badge.number` that refers to one of them.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on `Badge.number`. `sync_indexes` creates it.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_badge<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Badge, __OdmBy_badge>
        where
            for<'__odm> __odm::Of<'__odm, Badge>: __odm::Leads<Target = Badge>,
        {
            Self::__ODM_BADGE.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<User>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<i64>::FOREIGN);
    fn __odm_checks() {
        <__odm::Handles<Post> as __odm::FieldSet>::NEW.author.__leads_to::<User, _>();
        <__odm::Handles<Profile> as __odm::FieldSet>::NEW.user.__leads_to::<User, _>();
        <__odm::Handles<Badge> as __odm::FieldSet>::NEW.number.__leads_to::<User, _>();
    }
    __odm::inventory::submit! {
        __odm::registered:: < User > ()
    }
};
