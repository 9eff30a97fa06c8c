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
    type __OdmOf = Task;
    #[automatically_derived]
    impl __odm::GivesFields for NewTask {
        type Of = Task;
        const __ODM_NEW_ID: ::core::option::Option<__odm::NewId> = __odm::TypeProbe::<
            __OdmOf,
        >::NEW_ID;
        const __ODM_SET: &'static [&'static str] = &["project"];
        fn __odm_given(&self) -> __odm::GivenFields<Task> {
            let mut __odm_given = <__odm::GivenFields<
                Task,
            > as ::core::default::Default>::default();
            (__odm::give_field::<
                _,
                _,
                String,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.title,
            ))(&mut __odm_given, &self.title);
            (__odm::give_field::<
                _,
                _,
                String,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.r#type,
            ))(&mut __odm_given, &self.r#type);
            (__odm::give_field::<
                _,
                _,
                Presence<String>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.note,
            ))(&mut __odm_given, &self.note);
            (__odm::give_struct::<
                _,
                _,
                Vec<NewLine>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.lines,
            ))(&mut __odm_given, &self.lines);
            (__odm::give_field::<
                _,
                _,
                Place,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.place,
            ))(&mut __odm_given, &self.place);
            let _ = <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.project;
            __odm_given
        }
    }
    const __ODM_OF: &[__odm::FieldShape] = __odm::TypeProbe::<__OdmOf>::FIELDS;
    const _: () = __odm::check_given_field(__ODM_OF, "title");
    const _: () = __odm::check_given_field(__ODM_OF, "type");
    const _: () = __odm::check_given_field(__ODM_OF, "note");
    const _: () = __odm::check_given_field(__ODM_OF, "lines");
    const _: () = __odm::check_given_field(__ODM_OF, "place");
    const _: () = __odm::check_given_field(__ODM_OF, "project");
    const _: () = __odm::check_set_of_model(__odm::TypeProbe::<__OdmOf>::MODEL);
    const _: () = __odm::check_given_fields(
        __ODM_OF,
        &["title", "type", "note", "lines", "place", "project"],
        __odm::TypeProbe::<__OdmOf>::KIND,
        __odm::TypeProbe::<__OdmOf>::NEW_ID.is_some(),
    );
};
