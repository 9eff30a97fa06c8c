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
    ///Typed field handles of `Comment`, from `Comment::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct CommentFields<__OdmDocument, __OdmPath> {
        ///The field `text`, stored as `text`.
        text: __odm::Field<__OdmDocument, __OdmPath, Comment, String, 0>,
        ///The field `author`, stored as `author`.
        author: __odm::Field<__OdmDocument, __OdmPath, Comment, Id<Person>, 1>,
        ///The field `answers`, stored as `answers`.
        answers: __odm::Field<__OdmDocument, __OdmPath, Comment, Vec<Comment>, 2>,
        ///The field `first`, stored as `first`.
        first: __odm::Field<__OdmDocument, __OdmPath, Comment, Option<Box<Comment>>, 3>,
    }
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
            text: __odm::Field::NEW,
            author: __odm::Field::NEW,
            answers: __odm::Field::NEW,
            first: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Comment {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = CommentFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Comment";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("text", "text")
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
            __odm::FieldShape::new("author", "author")
                .of_type(
                    __odm::TypeProbe::<Id<Person>>::ARRAY,
                    __odm::TypeProbe::<Id<Person>>::OPTION,
                    __odm::TypeProbe::<Id<Person>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Id<Person>>::FORM,
                    __odm::TypeProbe::<Id<Person>>::TRACED_FORM,
                )
                .written("Id<Person>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Person>>::TARGET,
                            __odm::TypeProbe::<Id<Person>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Id<Person>>::KEY),
                ),
            __odm::FieldShape::new("answers", "answers")
                .of_type(
                    __odm::TypeProbe::<Vec<Comment>>::ARRAY,
                    __odm::TypeProbe::<Vec<Comment>>::OPTION,
                    __odm::TypeProbe::<Vec<Comment>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Vec<Comment>>::FORM,
                    __odm::TypeProbe::<Vec<Comment>>::TRACED_FORM,
                )
                .written("Vec<Comment>"),
            __odm::FieldShape::new("first", "first")
                .of_type(
                    __odm::TypeProbe::<Option<Box<Comment>>>::ARRAY,
                    __odm::TypeProbe::<Option<Box<Comment>>>::OPTION,
                    __odm::TypeProbe::<Option<Box<Comment>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Option<Box<Comment>>>::FORM,
                    __odm::TypeProbe::<Option<Box<Comment>>>::TRACED_FORM,
                )
                .written("Option<Box<Comment>>"),
        ];
    }
    #[automatically_derived]
    impl Comment {
        ///Returns typed field handles of `Comment`, for filters, sorts and updates.
        fn fields() -> CommentFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Comment {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 1> for Comment {}
    #[automatically_derived]
    impl __odm::Keys for Comment
    where
        for<'__odm> __odm::Held<'__odm, Id<Person>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Id<Person>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Id<Person>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Id<Person>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Id<Person>>::EACH_KEY(&self.author, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("author");
            __odm::TypeProbe::<Id<Person>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Comment
    where
        for<'__odm> __odm::Held<'__odm, Id<Person>>: __odm::HoldsKeys + __odm::Leads,
    {
        type Target = Person;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = __odm::TypeProbe::<
            Id<Person>,
        >::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_author {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("author") }> for Comment {
        type Relation = __OdmBy_author;
    }
    #[automatically_derived]
    impl Comment {
        const __ODM_AUTHOR: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_author,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_author,
        >::new(
            "Comment.author",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Person>,
            >::EACH_KEY(&__odm_owner.author, __odm_found),
            __odm::TypeProbe::<Id<Person>>::TARGET_PATH,
        );
        /**Loads the document that `author` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_author(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_AUTHOR.load_one(self, odm)
        }
        /**Loads the documents that `author` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_author<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_author>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_AUTHOR.join_one(owners, odm)
        }
    }
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Comment.author` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || (__odm::TypeProbe:: < Id
            < Person > > ::ONE_KEY || __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS),
            "`Comment.author` is not a reference: `Id<Person>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || false,
            "`Comment.author` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Comment.author` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Person > > ::KEY_ARRAYS < 2,
        "`Comment.author` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Vec<Comment>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<Option<Box<Comment>>>::FOREIGN);
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Comment > ()
    }
};
