//! A program that links a crate with models, but uses no item of it. The program `unlinked` does not link the crate.

mongo_odm::link!(odm_shop::people);

#[test]
fn the_models_of_a_crate_that_is_named_are_registered() {
    let names: Vec<&str> = mongo_odm::models().iter().map(|model| model.name).collect();
    assert_eq!(names, ["Old", "Older", "Person", "Task", "Offer", "Part"]);
    mongo_odm::check_models().unwrap_or_else(|error| panic!("{error}"));
}

/// Paths of any form, several paths together, and paths in the position of a statement.
#[test]
fn crates_are_named_by_any_path() {
    mod inner {
        mongo_odm::link!(::odm_shop, odm_shop::people::Person,);
    }
    mongo_odm::link!(odm_shop);
    assert_eq!(mongo_odm::models().len(), 6);
}
