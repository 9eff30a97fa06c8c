//! A delete removes the document from the links of all other documents.

use super::*;

#[tokio::test]
async fn a_delete_takes_the_document_out_of_the_links_of_others() {
    let t = school("links_delete").await;
    let odm = &t.odm;
    student(1).link(odm, [&class(1), &class(2)]).await.unwrap();
    student(1).link(odm, [&room(1)]).await.unwrap();
    Student::delete(odm, &student(1).id).await.unwrap();
    assert_linked(odm, &[("C1", &["C1"]), ("C2", &["C2"]), ("R1", &["R1"])]).await;
    student(2).link(odm, [&room(1)]).await.unwrap();
    class(2).link(odm, [&room(1), &room(0)]).await.unwrap();
    Room::delete(odm, &room(1).id).await.unwrap();
    assert_linked(odm, &[("S2", &["S2"]), ("C2", &["C2", "R0"])]).await;
}

#[tokio::test]
async fn deletes_of_many_and_by_jobs_leave_no_link() {
    let t = school("links_delete_many").await;
    for odm in [t.odm.clone(), by_jobs(&t.odm)] {
        for number in 0..3 {
            class(number)
                .link(&t.odm, [&student(1), &student(2)])
                .await
                .unwrap();
        }
        Class::delete_many(&odm, doc! { "_id": { "$in": ["C0", "C1"] } })
            .await
            .unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        assert_linked(&t.odm, &[("S1", &["S1", "C2"]), ("S2", &["S2", "C2"])]).await;
        class(0).insert(&t.odm).await.unwrap();
        class(1).insert(&t.odm).await.unwrap();
        assert_linked(&t.odm, &[("C0", &["C0"]), ("S1", &["S1", "C2"])]).await;
    }
}
