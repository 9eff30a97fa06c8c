//! An insertable struct sends the statements that the struct of its model sends.

use mongo_odm::prelude::*;

use super::models::*;

/// Returns a ticket with values for all fields, for a write without an insertable struct.
fn ticket(owner: Id<Member>) -> Ticket {
    Ticket {
        id: Id::new(),
        org: 1,
        owner,
        owner_name: String::new(),
        owner_rank: Rank::Low,
        helper: None,
        helper_name: None,
        title: "leak".into(),
        state: "open".into(),
        hours: 3,
        note: None,
        lines: vec![Line {
            member: owner,
            member_name: String::new(),
            count: 2,
        }],
        place: Place {
            city: "Oslo".into(),
        },
        created: DateTime::MIN,
        updated: DateTime::MIN,
        created_by: owner,
        updated_by: owner,
        deleted: None,
        version: 0,
    }
}

#[tokio::test]
async fn an_insert_with_copies_and_summaries_sends_nothing_more() {
    let (t, odm, owner) = opened("ins_statements").await;
    // The first write also prepares the handle.
    ticket(owner.id).insert(&odm).await.unwrap();
    t.forget();
    let (_, of_model) = t
        .sent(async { ticket(owner.id).insert(&odm).await.unwrap() })
        .await;
    t.forget();
    let new = new_ticket(owner.id);
    let (_, of_new) = t.sent(async { new.insert(&odm).await.unwrap() }).await;
    assert_eq!(of_new, of_model);
    assert!(of_new.contains(&"insert".to_owned()), "{of_new:?}");
    let planned = new.insert(&odm).plan().unwrap();
    let planned_of_model = ticket(owner.id).insert(&odm).plan().unwrap();
    assert_eq!(planned.statements.len(), planned_of_model.statements.len());
    t.forget();
    let many = [ticket(owner.id), ticket(owner.id)];
    let (_, of_model) = t
        .sent(async { Ticket::insert_many(&odm, &many).await.unwrap() })
        .await;
    t.forget();
    let many = [new_ticket(owner.id), new_ticket(owner.id)];
    let (_, of_new) = t
        .sent(async { NewTicket::insert_many(&odm, &many).await.unwrap() })
        .await;
    assert_eq!(of_new, of_model);
}

#[tokio::test]
async fn an_insert_without_effects_is_one_statement() {
    let (t, _, _) = opened("ins_one").await;
    let new = NewPage { text: "a".into() };
    let insert = || new.insert(&t.odm).set(Page::fields().book, "x");
    let (page, sent) = t.sent(async { insert().await.unwrap() }).await;
    assert_eq!(sent, ["insert"]);
    assert_eq!(Page::get(&t.odm, page.id).await.unwrap(), page);
    assert_eq!(insert().plan().unwrap().statements.len(), 1);
}
