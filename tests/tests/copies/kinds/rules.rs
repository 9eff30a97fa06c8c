//! Delete rules, which affect only the kinds for which they are declared.

use super::*;

#[tokio::test]
async fn a_cascade_takes_the_documents_of_its_kind() {
    let t = school("kinds_cascade").await;
    let odm = &t.odm;
    let report = Class::delete(odm, class(1, 1).id).await.unwrap();
    assert_eq!(report.deleted, 1);
    settle(odm).await;
    let left = all(odm, "kind_school").await;
    let left: Vec<_> = left.iter().map(|it| it.get_str("_id").unwrap()).collect();
    assert_eq!(left, ["C2", "N2", "S1", "S2", "X"]);
    assert_stray_is_untouched(&t).await;
}

#[tokio::test]
async fn a_rule_says_nothing_about_other_kinds() {
    let t = school("kinds_rules").await;
    let odm = &t.odm;
    // A note refers to a student, which is not a class, so the delete of the student does not delete the note.
    let wrong = Note {
        about: Id::from_key("S1".to_owned()),
        ..note(3, "")
    };
    wrong.insert(odm).await.unwrap();
    let (deleted, sent) = t
        .sent(async {
            Student::delete(odm, student(1, 1).id)
                .await
                .unwrap()
                .deleted
        })
        .await;
    assert_eq!(deleted, 1, "{sent:?}");
    settle(odm).await;
    assert!(
        Note::find_one(odm)
            .filter(Note::fields().id.eq(&wrong.id))
            .await
            .unwrap()
            .is_some()
    );
    let many = Student::delete_many(odm, doc! {})
        .everything()
        .await
        .unwrap();
    assert_eq!(many.deleted, 1);
    assert_eq!(Note::count(odm).await.unwrap(), 3);
    assert_stray_is_untouched(&t).await;
}
