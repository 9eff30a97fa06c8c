//! Compares the plans of writes to links with the statements that are sent.

use odm_tests::planned::assert_sent;

use super::*;

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
enum Enrollment {
    Class(Class),
    Student(Student),
}

macro_rules! same {
    ($t:expr, $title:expr, $call:expr) => {{
        let plan = $call.plan().unwrap();
        $t.forget();
        $call.await.unwrap();
        assert_sent(&$t, $title, &plan);
    }};
}

#[tokio::test]
async fn links_are_made_and_ended_by_the_statements_that_are_planned() {
    let t = school("links_plan").await;
    let odm = &t.odm;
    same!(t, "link", student(1).link(odm, [&class(1), &class(2)]));
    same!(t, "link to students", student(1).link(odm, [&student(2)]));
    same!(t, "unlink", student(1).unlink(odm, [&class(1)]));
    same!(t, "one-sided", student(1).link(odm, &room(1)));
    same!(t, "atomic", student(3).link(odm, [&class(1)]).atomic());
    same!(t, "deferred", student(3).link(odm, [&class(2)]).deferred());
    same!(t, "linked_to", Class::linked_to(odm, &student(3)));
    same!(t, "count", Class::count_linked(odm, &student(3)));
    same!(t, "linked", Enrollment::linked(odm, "S3"));
    let apart = || {
        Enrollment::linked(odm, "S3")
            .limit::<Class>(1)
            .filter(Student::fields().name.ne("x"))
    };
    same!(t, "linked apart", apart());
    same!(t, "page", Enrollment::linked(odm, "S3").page(2));
}

/// Returns the stages of the plan that the server chose, and the bounds of the index.
async fn explained(odm: &Odm, filter: Document) -> String {
    let command = doc! { "explain": { "find": "linked_school", "filter": filter }, "verbosity": "queryPlanner" };
    let plan = odm.database().run_command(command).await.unwrap();
    plan.get_document("queryPlanner")
        .unwrap()
        .get_document("winningPlan")
        .unwrap()
        .to_string()
}

#[tokio::test]
async fn the_index_bounds_both_the_id_and_the_kind() {
    let t = school("links_explained").await;
    student(1)
        .link(&t.odm, [&class(1), &class(2)])
        .await
        .unwrap();
    t.forget();
    Class::linked_to(&t.odm, &student(1)).await.unwrap();
    let find = odm_tests::sent::only(&t, "find");
    let plan = explained(&t.odm, find.get_document("filter").unwrap().clone()).await;
    assert!(plan.contains("links.target_1_links.doc_type_1"), "{plan}");
    assert!(plan.contains(r#"["S1", "S1"]"#), "{plan}");
    assert!(plan.contains(r#"["student", "student"]"#), "{plan}");
}
