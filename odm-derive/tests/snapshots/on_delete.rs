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
    ///Typed field handles of `Share`, from `Share::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct ShareFields<__OdmDocument, __OdmPath> {
        ///The field `with`, stored as `with`.
        with: __odm::Field<__OdmDocument, __OdmPath, Share, Id<Person>, 0>,
        ///The field `name`, stored as `name`.
        name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Share,
            String,
            1,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::clone::Clone
    for ShareFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for ShareFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for ShareFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            with: __odm::Field::NEW,
            name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Share {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = ShareFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Share";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("with", "with")
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
                        .keyed(__odm::TypeProbe::<Id<Person>>::KEY)
                        .on_delete(__odm::OnDelete::Pull),
                ),
            __odm::FieldShape::new("name", "name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                        || <Person as __odm::Described>::SHAPE,
                        || <__odm::Handles<Person> as __odm::FieldSet>::NEW.name.path(),
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Share {
        ///Returns typed field handles of `Share`, for filters, sorts and updates.
        fn fields() -> ShareFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Share {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Person, 0> for Share {}
    #[automatically_derived]
    impl __odm::Keys for Share
    where
        for<'__odm> __odm::Held<'__odm, Id<Person>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Id<Person>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Id<Person>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Id<Person>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Id<Person>>::EACH_KEY(&self.with, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("with");
            __odm::TypeProbe::<Id<Person>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Share
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
    pub enum __OdmBy_with {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("with") }> for Share {
        type Relation = __OdmBy_with;
    }
    #[automatically_derived]
    impl Share {
        const __ODM_WITH: __odm::Relation<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_with,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Person>,
            __OdmBy_with,
        >::new(
            "Share.with",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Id<Person>,
            >::EACH_KEY(&__odm_owner.with, __odm_found),
            __odm::TypeProbe::<Id<Person>>::TARGET_PATH,
        );
        /**Loads the document that `with` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_with(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Person>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_WITH.load_one(self, odm)
        }
        /**Loads the documents that `with` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_with<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Person, __OdmBy_with>
        where
            for<'__odm> __odm::Of<'__odm, Person>: __odm::Leads<Target = Person>,
        {
            Self::__ODM_WITH.join_one(owners, odm)
        }
    }
    type __OdmPerson = Person;
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || __odm::TypeProbe:: <
            __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "`Share.with` refers to `Person`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Person`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || (__odm::TypeProbe:: < Id
            < Person > > ::ONE_KEY || __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS),
            "`Share.with` is not a reference: `Id<Person>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Id < Person > > ::REFERENCE || false,
            "`Share.with` has another type of key than the `_id` of `Person`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Share.with` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Id < Person > > ::KEY_ARRAYS < 2,
        "`Share.with` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Id < Person > > ::ARRAY || __odm::TypeProbe:: < Id <
        Person > > ::GROWS,
        "`pull` removes elements, but `Share.with` has a fixed length; make it a `Vec`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Id<Person>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Person >, __OdmPerson) > ::LEADS
            || ! __odm::TypeProbe:: < __odm::Of < 'static, Person > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Person.name`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Person> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Person.name` is in an array, but `Share.name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(),
            "serde flattens `Person.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Share.name` has no codec, but its source `Person.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Person.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`Share.name` is required, but `Person.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Person >, __OdmPerson) >
            ::LEADS && __odm::TypeProbe:: < Id < Person > > ::EMBED.is_none() &&
            __ODM_SOURCE.is_id()),
            "`with` already contains `Person.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Person >, __OdmPerson) > ::LEADS ||
        ! __odm::TypeProbe:: < Id < Person > > ::OPTION || __odm::TypeProbe:: < String >
        ::OPTION,
        "`with` can be null, and its copy `Share.name` would then keep its value; make the copy an `Option`"
    );
    fn __odm_checks() {
        <__odm::Handles<Person> as __odm::FieldSet>::NEW.name.__copied_as::<String>();
    }
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Share > ()
    }
};
