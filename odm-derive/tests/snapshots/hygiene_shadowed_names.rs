/**Typed handles of the stored fields of `Line`.

Got from `Line::fields()`, or from the handle of a field that embeds a `Line`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct LineFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Line, Id<A>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Line,
        ::std::string::String,
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
    for LineFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for LineFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for LineFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Line";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            || {
                                <<Id<A> as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<Id<A>>,
                        )
                        .keyed(<Id<A> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<Id<A>>::OPTION),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                )
                .copy(
                    __odm::CopyShape::new(
                            || <A as __odm::Model>::SHAPE,
                            || <A>::fields().name.path(),
                        )
                        .optional(__odm::TypeProbe::<::std::string::String>::OPTION),
                ),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed handles of the stored fields of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl __odm::Refers<<Id<A> as __odm::Reference>::Target, 0> for Line {}
    #[automatically_derived]
    impl Line {
        const __ODM_ID: __odm::Relation<Self, <Id<A> as __odm::Reference>::Target> = __odm::Relation::new(
            "Line.id",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.id,
                __odm_found,
            ),
            <Id<A> as __odm::Reference>::target_path,
        );
        /**Loads the document that `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_id(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadOne<<Id<A> as __odm::Reference>::Target> {
            Self::__ODM_ID.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `id` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_id<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <Id<A> as __odm::Reference>::Target> {
            Self::__ODM_ID.join_one(owners, odm)
        }
    }
    #[automatically_derived]
    impl __odm::Keys for Line {
        type Key = <Id<A> as __odm::Keys>::Key;
        type Knows = <Id<A> as __odm::Keys>::Knows;
        const MANY: bool = <Id<A> as __odm::Keys>::MANY;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::Keys::each_key(&self.id, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("id");
            <Id<A> as __odm::Keys>::push_inner_path(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Line {
        type Target = <Id<A> as __odm::Reference>::Target;
        const KEY: ::core::option::Option<fn() -> ::std::string::String> = <Id<
            A,
        > as __odm::Reference>::KEY;
    }
    __odm::gives!(
        Line { id 628021283683842752 Id < A >, name
        14176396743819860870::std::string::String, }
    );
    #[automatically_derived]
    impl ::core::convert::From<&A> for Line
    where
        for<'__odm_x> A: __odm::GivesKey<'__odm_x, Id<A>>,
        for<'__odm_x> A: __odm::Gives<
            '__odm_x,
            ::std::string::String,
            __odm::Step<14176396743819860870, __odm::Here>,
        >,
    {
        fn from(__odm_source: &A) -> Self {
            Self {
                id: <A as __odm::GivesKey<'_, Id<A>>>::give_key(__odm_source),
                name: <A as __odm::Gives<
                    '_,
                    ::std::string::String,
                    __odm::Step<14176396743819860870, __odm::Here>,
                >>::give(__odm_source),
            }
        }
    }
    const _: () = ::core::assert!(
        ! < Id < A > as __odm::Keys > ::MANY,
        "`#[refs(one)]` needs one key, and `Line.id` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (< Id < A > as __odm::Reference > ::Target, A) > ::SAME,
            "nothing here refers to the source of `A.name`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| <A>::fields().name);
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`A.name` lies in an array, and `Line.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde stores the fields of `A.name` in its place; copy one of these fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Line.name` is written as it is, and its source `A.name` with a codec; a copy is stored as its source is: write the same `with` at both"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (< Id < A > as __odm::Reference > ::Target, A) >
            ::SAME && __odm::TypeProbe:: < Id < A > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`id` holds `A.name` already; remove this copy"
        );
    };
    fn __odm_checks() {
        <A>::fields().name.__copied_as::<::std::string::String>();
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
struct SubjectFields<__OdmDocument, __OdmPath> {
    ///The field `type`, stored as `type`.
    r#type: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Subject,
        ::std::string::String,
        0,
    >,
    ///The field `content`, stored as `self`.
    content: ::mongo_odm::__private::Field<
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
            r#type: __odm::Field::NEW,
            content: __odm::Field::NEW,
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
            __odm::FieldShape::new("type", "type")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                ),
            __odm::FieldShape::new("content", "self")
                .of_type(
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::ARRAY,
                    __odm::TypeProbe::<::mongo_odm::AnyKey>::EMBED,
                )
                .targets(
                    &[
                        __odm::TargetShape::new(
                            || <A as __odm::Model>::SHAPE,
                            || ::std::string::String::from("_id"),
                        ),
                        __odm::TargetShape::new(
                            || <Note as __odm::Model>::SHAPE,
                            || ::std::string::String::from("_id"),
                        ),
                    ],
                ),
        ];
    }
    #[automatically_derived]
    impl Subject {
        ///Returns typed handles of the stored fields of `Subject`, for filters, sorts and updates.
        fn fields() -> SubjectFields<Self, __odm::Root> {
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
                Self::A(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                Self::Some(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                _ => {}
            }
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("self");
        }
    }
    #[automatically_derived]
    impl __odm::Polymorphic for Subject {}
    #[automatically_derived]
    impl __odm::PolymorphicTo<A> for Subject {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::A(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                _ => {}
            }
        }
        fn target_path() -> ::std::string::String {
            (|| ::std::string::String::from("_id"))()
        }
    }
    #[automatically_derived]
    impl __odm::PolymorphicTo<Note> for Subject {
        fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            match self {
                Self::Some(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),
                _ => {}
            }
        }
        fn target_path() -> ::std::string::String {
            (|| ::std::string::String::from("_id"))()
        }
    }
    #[automatically_derived]
    impl Subject {
        /**Loads the document that this refers to, if it is of the model.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load<__OdmTarget: __odm::Model>(
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
        fn join<'a, __OdmTarget: __odm::Model>(
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
        ! < Id < A > as __odm::Keys > ::MANY,
        "`Subject::A` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Subject>` where it is used"
    );
    const _: () = ::core::assert!(
        ! < mongo_odm::bson::oid::ObjectId as __odm::Keys > ::MANY,
        "`Subject::Some` holds an array, and a variant of a polymorphic reference holds one key; write `Vec<Subject>` where it is used"
    );
    fn __odm_checks() {
        __odm::check_plain_reference::<Id<A>, A>();
        __odm::check_plain_reference::<mongo_odm::bson::oid::ObjectId, Note>();
    }
};

/**Typed handles of the stored fields of `Note`.

Got from `Note::fields()`, or from the handle of a field that embeds a `Note`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct NoteFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, Note, Id<Note>, 0>,
    ///The field `about`, stored as `about`.
    about: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        Note,
        ::std::vec::Vec<Subject>,
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
    for NoteFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for NoteFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for NoteFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            about: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Note {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = NoteFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "Note";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<Note>>::ARRAY,
                    __odm::TypeProbe::<Id<Note>>::EMBED,
                ),
            __odm::FieldShape::new("about", "about")
                .of_type(
                    __odm::TypeProbe::<::std::vec::Vec<Subject>>::ARRAY,
                    __odm::TypeProbe::<::std::vec::Vec<Subject>>::EMBED,
                )
                .max(3u32),
        ];
    }
    #[automatically_derived]
    impl Note {
        ///Returns typed handles of the stored fields of `Note`, for filters, sorts and updates.
        fn fields() -> NoteFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for Note {
        type Key = <Id<Note> as __odm::IdOf<Note>>::Key;
        type Id = Id<Note>;
        fn id(&self) -> &Id<Note> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "notes",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    #[automatically_derived]
    impl Note {
        /**Loads the documents of one model that `about` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_about<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<__OdmTarget>
        where
            ::std::vec::Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <::std::vec::Vec<
                        Subject,
                    > as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .load_many(self, odm)
        }
        /**Loads, for many owners at once, the documents of one model that `about` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_about<'a, __OdmTarget: __odm::Model>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, __OdmTarget>
        where
            ::std::vec::Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <::std::vec::Vec<
                        Subject,
                    > as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .join(owners, odm)
        }
        /**Counts the documents of one model that `about` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. Only keys of that model are sent. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_about<__OdmTarget: __odm::Model>(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::CountRelated
        where
            ::std::vec::Vec<Subject>: __odm::PolymorphicTo<__OdmTarget>,
        {
            __odm::Relation::<
                Self,
                __OdmTarget,
            >::new(
                    "Note.about",
                    |__odm_owner, __odm_found| __odm::PolymorphicTo::<
                        __OdmTarget,
                    >::each_key_to(&__odm_owner.about, __odm_found),
                    <::std::vec::Vec<
                        Subject,
                    > as __odm::PolymorphicTo<__OdmTarget>>::target_path,
                )
                .count(self, odm)
        }
    }
    __odm::gives!(
        Note { id 628021283683842752 Id < Note >, about
        4572301706829884030::std::vec::Vec < Subject >, }
    );
    const _: () = ::core::assert!(
        < ::std::vec::Vec < Subject > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `Note.about` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    fn __odm_checks() {
        __odm::check_polymorphic::<::std::vec::Vec<Subject>>();
        <Note>::fields().about.__is_array();
        __odm::check_id::<Id<Note>, Note>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< Note as __odm::Model > ::SHAPE)
    }
};

/**Typed handles of the stored fields of `A`.

Got from `A::fields()`, or from the handle of a field that embeds a `A`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct AFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, A, Id<A>, 0>,
    ///The field `name`, stored as `name`.
    name: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        ::std::string::String,
        1,
    >,
    ///The field `lines`, stored as `lines`.
    lines: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        ::std::vec::Vec<Line>,
        2,
    >,
    ///The field `parent`, stored as `parent`.
    parent: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        ::core::option::Option<::std::string::String>,
        3,
    >,
    ///The field `recent`, stored as `recent`.
    recent: ::mongo_odm::__private::Field<
        __OdmDocument,
        __OdmPath,
        A,
        ::std::vec::Vec<View>,
        4,
    >,
    ///The field `time`, stored as `time`.
    time: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, A, DateTime, 5>,
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
    for AFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for AFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for AFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            name: __odm::Field::NEW,
            lines: __odm::Field::NEW,
            parent: __odm::Field::NEW,
            recent: __odm::Field::NEW,
            time: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for A {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = AFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "A";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<A>>::ARRAY,
                    __odm::TypeProbe::<Id<A>>::EMBED,
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<::std::string::String>::ARRAY,
                    __odm::TypeProbe::<::std::string::String>::EMBED,
                ),
            __odm::FieldShape::new("lines", "lines")
                .of_type(
                    __odm::TypeProbe::<::std::vec::Vec<Line>>::ARRAY,
                    __odm::TypeProbe::<::std::vec::Vec<Line>>::EMBED,
                )
                .max(5u32)
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Many,
                            || {
                                <<::std::vec::Vec<
                                    Line,
                                > as __odm::Reference>::Target as __odm::Model>::SHAPE
                            },
                            __odm::inner_path::<::std::vec::Vec<Line>>,
                        )
                        .keyed(<::std::vec::Vec<Line> as __odm::Reference>::KEY)
                        .optional(__odm::TypeProbe::<::std::vec::Vec<Line>>::OPTION)
                        .inverse("lines"),
                ),
            __odm::FieldShape::new("parent", "parent")
                .of_type(
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::ARRAY,
                    __odm::TypeProbe::<
                        ::core::option::Option<::std::string::String>,
                    >::EMBED,
                )
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::Parent,
                            || <A as __odm::Model>::SHAPE,
                            __odm::inner_path::<
                                ::core::option::Option<::std::string::String>,
                            >,
                        )
                        .key(|| <A>::fields().name.path())
                        .optional(
                            __odm::TypeProbe::<
                                ::core::option::Option<::std::string::String>,
                            >::OPTION,
                        ),
                ),
            __odm::FieldShape::new("recent", "recent")
                .of_type(
                    __odm::TypeProbe::<::std::vec::Vec<View>>::ARRAY,
                    __odm::TypeProbe::<::std::vec::Vec<View>>::EMBED,
                )
                .recent(
                    __odm::RecentShape::new(
                        || <A as __odm::Model>::SHAPE,
                        || <A>::fields().lines.__reference_path(),
                        || <A>::fields().time.path(),
                        3u32,
                    ),
                ),
            __odm::FieldShape::new("time", "time")
                .of_type(
                    __odm::TypeProbe::<DateTime>::ARRAY,
                    __odm::TypeProbe::<DateTime>::EMBED,
                ),
        ];
    }
    #[automatically_derived]
    impl A {
        ///Returns typed handles of the stored fields of `A`, for filters, sorts and updates.
        fn fields() -> AFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for A {
        type Key = <Id<A> as __odm::IdOf<A>>::Key;
        type Id = Id<A>;
        fn id(&self) -> &Id<A> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
                <Self as __odm::HasFields>::NAME,
                "a",
                <Self as __odm::HasFields>::FIELDS,
            )
            .indexes(
                &[
                    __odm::IndexShape::new(
                        &[
                            __odm::IndexKey::new(
                                || <A>::fields().name.path(),
                                __odm::IndexKind::Ascending,
                            ),
                            __odm::IndexKey::new(
                                || <A>::fields().lines.name.path(),
                                __odm::IndexKind::Ascending,
                            ),
                        ],
                    ),
                ],
            )
            .has_many(
                &[
                    __odm::HasManyShape::new(
                        "all",
                        || <A as __odm::Model>::SHAPE,
                        || <A>::fields().lines.__reference_path(),
                    ),
                ],
            );
    }
    #[automatically_derived]
    impl __odm::Refers<<::std::vec::Vec<Line> as __odm::Reference>::Target, 2> for A {}
    #[automatically_derived]
    impl __odm::Refers<A, 3> for A {}
    #[automatically_derived]
    impl A {
        const __ODM_LINES: __odm::Relation<
            Self,
            <::std::vec::Vec<Line> as __odm::Reference>::Target,
        > = __odm::Relation::new(
            "A.lines",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.lines,
                __odm_found,
            ),
            <::std::vec::Vec<Line> as __odm::Reference>::target_path,
        );
        const __ODM_PARENT: __odm::Relation<Self, A> = __odm::Relation::new(
            "A.parent",
            |__odm_owner, __odm_found| __odm::Keys::each_key(
                &__odm_owner.parent,
                __odm_found,
            ),
            || <A>::fields().name.path(),
        );
        const __ODM_ALL: __odm::Relation<Self, A> = __odm::Relation::new(
            "A.all",
            |__odm_owner, __odm_found| __odm::owner_keys(
                __odm_owner,
                <A>::fields().lines.shape(),
                __odm_found,
            ),
            || <A>::fields().lines.__reference_path(),
        );
        /**Loads the documents that `lines` refers to, in stored order with repeats.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadMany` for options and errors.*/
        fn load_lines(
            &self,
            odm: &impl __odm::Executor,
        ) -> __odm::LoadMany<<::std::vec::Vec<Line> as __odm::Reference>::Target> {
            Self::__ODM_LINES.load_many(self, odm)
        }
        /**Loads, for many owners at once, what `lines` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_lines<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, <::std::vec::Vec<Line> as __odm::Reference>::Target> {
            Self::__ODM_LINES.join(owners, odm)
        }
        /**Counts the documents that `lines` refers to, in stored order with repeats.

The server counts, and nothing is sent when there are no keys. The key in the target needs an index; `_id` has one. See `CountRelated` for options and errors.*/
        fn count_lines(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_LINES.count(self, odm)
        }
        /**Loads the document that `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `LoadOne` for options and errors.*/
        fn load_parent(&self, odm: &impl __odm::Executor) -> __odm::LoadOne<A> {
            Self::__ODM_PARENT.load_one(self, odm)
        }
        /**Loads, for many owners at once, what `parent` refers to.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. The key in the target needs an index; `_id` has one. See `Join` for options and errors.*/
        fn join_parent<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, A> {
            Self::__ODM_PARENT.join_one(owners, odm)
        }
        /**Loads the documents whose `A.lines` refers to this `A`.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `A.lines` needs an index; `sync_indexes` makes it. See `LoadMany` for options and errors.*/
        fn load_all(&self, odm: &impl __odm::Executor) -> __odm::LoadMany<A> {
            Self::__ODM_ALL.load_many(self, odm)
        }
        /**Loads, for many owners at once, `all`, the documents whose `A.lines` refers to one of them.

Sends one `find` with `$in` over the distinct keys, and nothing when there are no keys. `A.lines` needs an index; `sync_indexes` makes it. See `Join` for options and errors.*/
        fn join_all<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &impl __odm::Executor,
        ) -> __odm::Join<Self, A> {
            Self::__ODM_ALL.join(owners, odm)
        }
        /**Counts the documents whose `A.lines` refers to this `A`.

The server counts, and nothing is sent when there are no keys. `A.lines` needs an index; `sync_indexes` makes it. See `CountRelated` for options and errors.*/
        fn count_all(&self, odm: &impl __odm::Executor) -> __odm::CountRelated {
            Self::__ODM_ALL.count(self, odm)
        }
    }
    __odm::gives!(
        A { id 628021283683842752 Id < A >, name
        14176396743819860870::std::string::String, lines
        6693467979504746524::std::vec::Vec < Line >, parent
        7371339085820260189::core::option::Option < ::std::string::String >, recent
        14927816482973257342::std::vec::Vec < View >, time 2185518981507421060 DateTime,
        }
    );
    const _: () = ::core::assert!(
        < ::std::vec::Vec < Line > as __odm::Keys > ::MANY,
        "`#[refs(many)]` needs an array, and `A.lines` holds one key; make the field a `Vec`, or write `#[refs(one)]`"
    );
    const _: () = ::core::assert!(
        match __odm::find_field(< < ::std::vec::Vec < Line > as __odm::Reference >
        ::Target as __odm::HasFields > ::FIELDS, "lines") {
        ::core::option::Option::Some(field) if field.reference.is_some() =>
        __odm::names_back(< < ::std::vec::Vec < Line > as __odm::Reference > ::Target as
        __odm::HasFields > ::FIELDS, "lines", "lines"), _ => true, },
        "`A.lines` names `lines` as its inverse, and `lines` does not name `lines`; add `inverse = \"lines\"` to `lines`, or remove this one"
    );
    const _: () = ::core::assert!(
        ! < ::core::option::Option < ::std::string::String > as __odm::Keys > ::MANY,
        "`#[parent_ref]` needs one key, and `A.parent` is an array; write `#[refs(many)]`, or remove the `Vec`"
    );
    fn __odm_checks() {
        fn __odm_embeds<T: ::mongo_odm::field::EmbedType>() {}
        fn __odm_lists<T: ::mongo_odm::field::ArrayType<Item: __odm::Projection<C>>, C>() {}
        <<::std::vec::Vec<Line> as __odm::Reference>::Target>::fields()
            .lines
            .__refers_to::<A>();
        <A>::fields().lines.__is_array();
        __odm::check_keyed_reference::<
            ::core::option::Option<::std::string::String>,
            A,
        >();
        <A>::fields()
            .name
            .__is_key_of::<::core::option::Option<::std::string::String>>();
        __odm_lists::<::std::vec::Vec<View>, A>();
        <A>::fields().lines.__refers_to::<A>();
        <A>::fields().time.path();
        __odm::check_id::<Id<A>, A>();
        <A>::fields().lines.__refers_to::<A>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< A as __odm::Model > ::SHAPE)
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
    impl __odm::Projection<A> for View {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            "View",
            &[
                __odm::FieldShape::new("time", "time")
                    .of_type(
                        __odm::TypeProbe::<::core::option::Option<DateTime>>::ARRAY,
                        __odm::TypeProbe::<::core::option::Option<DateTime>>::EMBED,
                    ),
            ],
        );
        const STRICT: bool = false;
    }
    const _: () = ::core::assert!(
        __odm::find_field(< A as __odm::HasFields > ::FIELDS, "time").is_none() ||
        __odm::same_stored_name(< A as __odm::HasFields > ::FIELDS, "time", "time",
        ::core::option::Option::None),
        "`View.time` reads `time`, and `A` stores `time` under another name or with another codec; give both the same `rename` and `with`"
    );
    fn __odm_checks() {
        <A>::fields().time.__projected_as::<::core::option::Option<DateTime>>();
    }
};
