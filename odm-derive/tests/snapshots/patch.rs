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
    impl __odm::Patch for TaskPatch {
        type Of = Task;
        fn __odm_changes(self) -> __odm::PatchChanges<Task> {
            let mut __odm_changes = <__odm::PatchChanges<
                Task,
            > as ::core::default::Default>::default();
            (__odm::patch_field::<
                _,
                _,
                Presence<String>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.title,
            ))(&mut __odm_changes, self.title);
            (__odm::patch_field::<
                _,
                _,
                Presence<DateTime>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.due,
            ))(&mut __odm_changes, self.due);
            (__odm::patch_field::<
                _,
                _,
                Presence<String>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.r#type,
            ))(&mut __odm_changes, self.r#type);
            (__odm::patch_field::<
                _,
                _,
                Presence<Vec<String>>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.labels,
            ))(&mut __odm_changes, self.labels);
            (__odm::patch_embedded::<
                _,
                _,
                Presence<PlacePatch>,
            >(
                <__odm::Handles<__OdmOf> as __odm::FieldSet>::NEW.place,
            ))(&mut __odm_changes, self.place);
            __odm_changes
        }
    }
};
