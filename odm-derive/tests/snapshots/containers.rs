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
    ///Typed field handles of `Line`, from `Line::fields()` or from the handle of a field that embeds it.
    #[allow(
        dead_code,
        deprecated,
        private_interfaces,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    struct LineFields<__OdmDocument, __OdmPath> {
        ///The field `part`, stored as `part`.
        part: __odm::Field<__OdmDocument, __OdmPath, Line, Box<Id<Part>>, 0>,
        ///The field `part_name`, stored as `part_name`.
        part_name: __odm::Field<
            __OdmDocument,
            __OdmPath,
            Line,
            String,
            1,
            __odm::AsSerde,
            __odm::FollowsSource,
        >,
    }
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
            part: __odm::Field::NEW,
            part_name: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for Line {
        type __OdmFields<__OdmDocument: 'static, __OdmPath: __odm::Path> = LineFields<
            __OdmDocument,
            __OdmPath,
        >;
        const __ODM_NAME: &'static str = "Line";
        const __ODM_FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("part", "part")
                .of_type(
                    __odm::TypeProbe::<Box<Id<Part>>>::ARRAY,
                    __odm::TypeProbe::<Box<Id<Part>>>::OPTION,
                    __odm::TypeProbe::<Box<Id<Part>>>::EMBED,
                )
                .form(
                    __odm::TypeProbe::<Box<Id<Part>>>::FORM,
                    __odm::TypeProbe::<Box<Id<Part>>>::TRACED_FORM,
                )
                .written("Box<Id<Part>>")
                .reference(
                    __odm::ReferenceShape::new(
                            __odm::ReferenceKind::One,
                            __odm::TypeProbe::<__odm::Of<'static, Part>>::TARGET,
                            __odm::TypeProbe::<Box<Id<Part>>>::INNER_PATH,
                        )
                        .keyed(__odm::TypeProbe::<Box<Id<Part>>>::KEY)
                        .on_delete(__odm::OnDelete::Pull),
                ),
            __odm::FieldShape::new("part_name", "part_name")
                .of_type(
                    __odm::TypeProbe::<String>::ARRAY,
                    __odm::TypeProbe::<String>::OPTION,
                    __odm::TypeProbe::<String>::EMBED,
                )
                .written("String")
                .copy(
                    __odm::CopyShape::new(
                        || <Part as __odm::Described>::SHAPE,
                        || <__odm::Handles<Part> as __odm::FieldSet>::NEW.name.path(),
                    ),
                ),
        ];
    }
    #[automatically_derived]
    impl Line {
        ///Returns typed field handles of `Line`, for filters, sorts and updates.
        fn fields() -> LineFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for Line {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
                <Self as __odm::HasFields>::__ODM_NAME,
                <Self as __odm::HasFields>::__ODM_FIELDS,
            )
            .of::<Self>();
    }
    #[automatically_derived]
    impl __odm::DeclaresReference<Part, 0> for Line {}
    #[automatically_derived]
    impl __odm::Keys for Line
    where
        for<'__odm> __odm::Held<'__odm, Box<Id<Part>>>: __odm::HoldsKeys,
    {
        type Key = <__odm::Held<'static, Box<Id<Part>>> as __odm::HoldsKeys>::Key;
        type Knows = <__odm::Held<'static, Box<Id<Part>>> as __odm::HoldsKeys>::Knows;
        const __ODM_MANY: bool = __odm::TypeProbe::<Box<Id<Part>>>::MANY_KEYS;
        fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
            __odm::TypeProbe::<Box<Id<Part>>>::EACH_KEY(&self.part, __odm_found);
        }
        fn push_inner_path(__odm_path: &mut ::std::string::String) {
            if !__odm_path.is_empty() {
                __odm_path.push('.');
            }
            __odm_path.push_str("part");
            __odm::TypeProbe::<Box<Id<Part>>>::PUSH_INNER_PATH(__odm_path);
        }
    }
    #[automatically_derived]
    impl __odm::Reference for Line
    where
        for<'__odm> __odm::Held<'__odm, Box<Id<Part>>>: __odm::HoldsKeys + __odm::Leads,
    {
        type Target = Part;
        const __ODM_KEY: ::core::option::Option<__odm::KeyShape> = __odm::TypeProbe::<
            Box<Id<Part>>,
        >::KEY;
    }
    #[allow(
        missing_docs,
        missing_debug_implementations,
        unreachable_pub,
        non_camel_case_types
    )]
    pub enum __OdmBy_part {}
    #[automatically_derived]
    impl __odm::Related<{ __odm::relation_name("part") }> for Line {
        type Relation = __OdmBy_part;
    }
    #[automatically_derived]
    impl Line {
        const __ODM_PART: __odm::Relation<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_part,
        > = __odm::Relation::<
            Self,
            __odm::Of<'static, Part>,
            __OdmBy_part,
        >::new(
            "Line.part",
            |__odm_owner, __odm_found| __odm::TypeProbe::<
                Box<Id<Part>>,
            >::EACH_KEY(&__odm_owner.part, __odm_found),
            __odm::TypeProbe::<Box<Id<Part>>>::TARGET_PATH,
        );
        /**Loads the document that `part` refers to.

# Sends

One `find`, or nothing without keys: see [`LoadOne`](mongo_odm::relation::LoadOne).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`LoadOne`](mongo_odm::relation::LoadOne).*/
        #[doc(alias = "populate")]
        #[track_caller]
        fn load_part(
            &self,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::LoadOne<Part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PART.load_one(self, odm)
        }
        /**Loads the documents that `part` refers to, for many owners.

# Sends

One `find`, or nothing without keys: see [`Join`](mongo_odm::relation::Join).

# Index

An index on the key in the target. `_id` has one, and `sync_indexes` creates others.

# Errors

See [`Join`](mongo_odm::relation::Join).*/
        #[track_caller]
        fn join_part<'a>(
            owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
            odm: &(impl __odm::Executor + ?::core::marker::Sized),
        ) -> __odm::Join<Self, Part, __OdmBy_part>
        where
            for<'__odm> __odm::Of<'__odm, Part>: __odm::Leads<Target = Part>,
        {
            Self::__ODM_PART.join_one(owners, odm)
        }
    }
    type __OdmPart = Part;
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < Box < Id < Part > > > ::REFERENCE || __odm::TypeProbe::
            < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "`Line.part` refers to `Part`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `Part`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Box < Id < Part > > > ::REFERENCE || (__odm::TypeProbe::
            < Box < Id < Part > > > ::ONE_KEY || __odm::TypeProbe:: < Box < Id < Part > >
            > ::MANY_KEYS),
            "`Line.part` is not a reference: `Box<Id<Part>>` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id `Option`, `Box`, `Arc` or `Rc`"
        );
        ::core::assert!(
            __odm::TypeProbe:: < Box < Id < Part > > > ::REFERENCE || false,
            "`Line.part` has another type of key than the `_id` of `Part`; give both the same type of key"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Box < Id < Part > > > ::MANY_KEYS,
        "`#[refs(one)]` needs one key, but `Line.part` contains an array of keys; write `#[refs(many)]`, or make it one `Id`"
    );
    const _: () = ::core::assert!(
        __odm::TypeProbe:: < Box < Id < Part > > > ::KEY_ARRAYS < 2,
        "`Line.part` is an array of arrays, but references need one array; make it one `Vec`, or a `Vec` of an `Embedded` with the inner array in a field with `#[refs(many)]`"
    );
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < Box < Id < Part > > > ::ARRAY || __odm::TypeProbe:: < Box
        < Id < Part > > > ::GROWS,
        "`pull` removes elements, but `Line.part` has a fixed length; make it a `Vec`"
    );
    const _: () = __odm::check_key(__odm::TypeProbe::<Box<Id<Part>>>::FOREIGN);
    const _: () = __odm::check_value(__odm::TypeProbe::<String>::FOREIGN);
    const _: () = {
        ::core::assert!(
            __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
            __odm::TypeProbe:: < __odm::Of < 'static, Part > > ::LEADS_TO_MODEL,
            "no field here refers to the source of `Part.name`; add a reference next to the copy, or write the reference of the other model as `via = \"Model.field\"`"
        );
    };
    const _: () = {
        const __ODM_SOURCE: __odm::Source = __odm::source(|| {
            <__odm::Handles<Part> as __odm::FieldSet>::NEW.name
        });
        ::core::assert!(
            __ODM_SOURCE.is_single(),
            "`Part.name` is in an array, but `Line.part_name` is one value; copy the whole array, or a field outside of it"
        );
        ::core::assert!(
            __ODM_SOURCE.is_value(), "serde flattens `Part.name`; copy one of its fields"
        );
        ::core::assert!(
            __ODM_SOURCE.has_codec(::core::option::Option::None),
            "`Line.part_name` has no codec, but its source `Part.name` does; write the same `with` at both"
        );
        ::core::assert!(
            __ODM_SOURCE.has_one_name(),
            "`Part.name` has an `alias`, and the library reads and writes a field under one name only; rename the field in the stored documents (`$rename`), and remove `alias`"
        );
        ::core::assert!(
            __ODM_SOURCE.is_required() || ! false && __odm::TypeProbe:: < String >
            ::MAY_BE_MISSING,
            "`Line.part_name` is required, but `Part.name` may be missing from a document, and the copy with it; add `#[serde(default)]` to `part_name` or make it an `Option`, or remove `default` and `skip_serializing_if` from the source"
        );
        ::core::assert!(
            ! (__odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS &&
            __odm::TypeProbe:: < Box < Id < Part > > > ::EMBED.is_none() && __ODM_SOURCE
            .is_id()), "`part` already contains `Part.name`; remove this copy"
        );
    };
    const _: () = ::core::assert!(
        ! __odm::TypeProbe:: < (__odm::Of < 'static, Part >, __OdmPart) > ::LEADS || !
        __odm::TypeProbe:: < Box < Id < Part > > > ::OPTION || __odm::TypeProbe:: <
        String > ::OPTION,
        "`part` can be null, and its copy `Line.part_name` would then keep its value; make the copy an `Option`"
    );
    fn __odm_checks() {
        <__odm::Handles<Part> as __odm::FieldSet>::NEW.name.__copied_as::<String>();
    }
    __odm::inventory::submit! {
        __odm::registered_embedded:: < Line > ()
    }
};
