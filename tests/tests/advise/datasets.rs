//! Real data. All findings are printed for readers, and the few expected findings are asserted.
//!
//! The data is not part of the repository. The environment variable `ODM_DATA` contains its folder. Without this
//! variable, the tests print a note to standard error and check nothing.

use odm_tests::{
    Harness,
    data::{documents, folder},
};

use crate::seeds::{assert_is_concrete, stored};

/// Loads the files of a data set, and returns the code and the place of each finding without models.
async fn found(
    test: &str,
    data_set: &str,
    files: &[(&str, &str)],
) -> Option<Vec<(&'static str, String)>> {
    let folder = folder(test, data_set)?;
    let t = Harness::new(test).await;
    for (file, collection) in files {
        stored(&t, collection, documents(folder.join(file))).await;
    }
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    println!("{data_set}: {advice}\n");
    advice.findings.iter().for_each(assert_is_concrete);
    let found = advice.findings.iter().map(|it| (it.code, it.place()));
    Some(found.collect())
}

#[tokio::test]
async fn the_accounts_of_customers() {
    let files = [
        ("customers.jsonl", "customers"),
        ("accounts.jsonl", "accounts"),
    ];
    if let Some(found) = found("advise_analytics", "analytics", &files).await {
        let both = [
            ("I1", "accounts.account_id".to_owned()),
            ("I1", "customers.accounts".to_owned()),
        ];
        assert_eq!(found, both);
    }
}

#[tokio::test]
async fn the_cities_of_countries() {
    let files = [
        ("countries.jsonl", "countries"),
        ("cities.jsonl.gz", "cities"),
    ];
    if let Some(found) = found("advise_geo", "geo", &files).await {
        let both = [
            ("I1", "cities.country_id".to_owned()),
            ("R11", "cities.country_code".to_owned()),
        ];
        assert_eq!(found, both);
    }
}

#[tokio::test]
async fn the_grades_of_students() {
    let files = [("students.jsonl", "students"), ("grades.jsonl", "grades")];
    if let Some(found) = found("advise_school", "school", &files).await {
        assert_eq!(found, [("I1", "grades.student_id".to_owned())]);
    }
}
