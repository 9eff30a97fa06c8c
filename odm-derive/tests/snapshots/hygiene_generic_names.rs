/**Typed handles of the stored fields of `M`.

Got from `M::fields()`, or from the handle of a field that embeds a `M`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct MFields<__OdmDocument, __OdmPath> {
    ///The field `p`, stored as `p`.
    p: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, M, i64, 0>,
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
    for MFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for MFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for MFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { p: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for M {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = MFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "M";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("p", "p")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
        ];
    }
    #[automatically_derived]
    impl M {
        ///Returns typed handles of the stored fields of `M`, for filters, sorts and updates.
        fn fields() -> MFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for M {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(M { p 12638205892253321583 i64, });
};

/**Typed handles of the stored fields of `P`.

Got from `P::fields()`, or from the handle of a field that embeds a `P`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct PFields<__OdmDocument, __OdmPath> {
    ///The field `m`, stored as `m`.
    m: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, P, M, 0>,
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
    for PFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for PFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for PFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self { m: __odm::Field::NEW };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for P {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = PFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "P";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("m", "m")
                .of_type(__odm::TypeProbe::<M>::ARRAY, __odm::TypeProbe::<M>::EMBED),
        ];
    }
    #[automatically_derived]
    impl P {
        ///Returns typed handles of the stored fields of `P`, for filters, sorts and updates.
        fn fields() -> PFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Embedded for P {
        const SHAPE: &'static __odm::StructShape = &__odm::StructShape::new(
            <Self as __odm::HasFields>::NAME,
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(P { m 12638191598602154840 M, });
};

/**Typed handles of the stored fields of `D`.

Got from `D::fields()`, or from the handle of a field that embeds a `D`.*/
#[allow(
    dead_code,
    private_interfaces,
    missing_debug_implementations,
    unreachable_pub,
    non_camel_case_types
)]
struct DFields<__OdmDocument, __OdmPath> {
    ///The field `id`, stored as `_id`.
    id: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, Id<D>, 0>,
    ///The field `m`, stored as `m`.
    m: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, M, 1>,
    ///The field `p`, stored as `p`.
    p: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, P, 2>,
    ///The field `owner`, stored as `owner`.
    owner: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, i64, 3>,
    ///The field `found`, stored as `found`.
    found: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, i64, 4>,
    ///The field `path`, stored as `path`.
    path: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, i64, 5>,
    ///The field `new`, stored as `new`.
    new: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, i64, 6>,
    ///The field `fields`, stored as `fields`.
    fields: ::mongo_odm::__private::Field<__OdmDocument, __OdmPath, D, i64, 7>,
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
    for DFields<__OdmDocument, __OdmPath> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<__OdmDocument, __OdmPath> ::core::marker::Copy
    for DFields<__OdmDocument, __OdmPath> {}
    #[automatically_derived]
    impl<__OdmDocument: 'static, __OdmPath: __odm::Path> __odm::FieldSet
    for DFields<__OdmDocument, __OdmPath> {
        const NEW: Self = Self {
            id: __odm::Field::NEW,
            m: __odm::Field::NEW,
            p: __odm::Field::NEW,
            owner: __odm::Field::NEW,
            found: __odm::Field::NEW,
            path: __odm::Field::NEW,
            new: __odm::Field::NEW,
            fields: __odm::Field::NEW,
        };
        const REF: &'static Self = &Self::NEW;
    }
    #[automatically_derived]
    impl __odm::HasFields for D {
        type Fields<__OdmDocument: 'static, __OdmPath: __odm::Path> = DFields<
            __OdmDocument,
            __OdmPath,
        >;
        const NAME: &'static str = "D";
        const FIELDS: &'static [__odm::FieldShape] = &[
            __odm::FieldShape::new("id", "_id")
                .of_type(
                    __odm::TypeProbe::<Id<D>>::ARRAY,
                    __odm::TypeProbe::<Id<D>>::EMBED,
                ),
            __odm::FieldShape::new("m", "m")
                .of_type(__odm::TypeProbe::<M>::ARRAY, __odm::TypeProbe::<M>::EMBED),
            __odm::FieldShape::new("p", "p")
                .of_type(__odm::TypeProbe::<P>::ARRAY, __odm::TypeProbe::<P>::EMBED),
            __odm::FieldShape::new("owner", "owner")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("found", "found")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("path", "path")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("new", "new")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
            __odm::FieldShape::new("fields", "fields")
                .of_type(__odm::TypeProbe::<i64>::ARRAY, __odm::TypeProbe::<i64>::EMBED),
        ];
    }
    #[automatically_derived]
    impl D {
        ///Returns typed handles of the stored fields of `D`, for filters, sorts and updates.
        fn fields() -> DFields<Self, __odm::Root> {
            __odm::FieldSet::NEW
        }
    }
    #[automatically_derived]
    impl __odm::Model for D {
        type Key = <Id<D> as __odm::IdOf<D>>::Key;
        type Id = Id<D>;
        fn id(&self) -> &Id<D> {
            &self.id
        }
        const SHAPE: &'static __odm::ModelShape = &__odm::ModelShape::new(
            <Self as __odm::HasFields>::NAME,
            "d",
            <Self as __odm::HasFields>::FIELDS,
        );
    }
    __odm::gives!(
        D { id 628021283683842752 Id < D >, m 12638191598602154840 M, p
        12638205892253321583 P, owner 12002927925776846068 i64, found 2412496392286449407
        i64, path 271672890340345462 i64, new 2393897505926526769 i64, fields
        5264243339741658844 i64, }
    );
    fn __odm_checks() {
        __odm::check_id::<Id<D>, D>();
    }
    __odm::inventory::submit! {
        __odm::Registered(< D as __odm::Model > ::SHAPE)
    }
};
