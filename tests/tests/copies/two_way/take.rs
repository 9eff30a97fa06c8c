//! `take_*`: assigns many documents to one owner, regardless of their previous owners. Either all
//! documents are assigned or none.

use mongo_odm::{Error, ErrorKind};
use odm_tests::{cluster::is_sharded, planned::assert_sent};

use super::*;

const WRITES: [&str; 5] = [
    "insert",
    "update",
    "delete",
    "findAndModify",
    "commitTransaction",
];

/// Inserts tasks of several owners, `number` for each owner.
async fn tasks_of(t: &Harness, owners: &[(&Person, usize)]) -> Vec<Task> {
    let mut tasks = Vec::new();
    for (owner, number) in owners {
        tasks.extend((0..*number).map(|n| task(owner, &format!("{} {n}", owner.name))));
    }
    t.given(&tasks).await;
    tasks
}

fn ids(tasks: &[Task]) -> Vec<Id<Task>> {
    tasks.iter().map(|task| task.id).collect()
}

async fn owned(t: &Harness, person: &Person) -> Vec<Id<Task>> {
    Person::get(&t.odm, person.id).await.unwrap().tasks
}

#[tokio::test]
async fn an_owner_takes_tasks_of_several_others() {
    for (title, by_job) in [("inline", false), ("job", true)] {
        let (t, kate, nicky) = office(&format!("take_{title}")).await;
        let odm = if by_job {
            by_jobs(&t.odm)
        } else {
            t.odm.clone()
        };
        let rod = person("Rod");
        rod.insert(&t.odm).await.unwrap();
        let tasks = tasks_of(&t, &[(&kate, 1), (&nicky, 2), (&rod, 1)]).await;
        let nobodys = Task {
            owner: None,
            ..task(&kate, "nobody's")
        };
        nobodys.insert(&t.odm).await.unwrap();
        // The call contains a task that she already owns, and one task twice.
        let mut wanted = ids(&tasks);
        wanted.extend([nobodys.id, tasks[1].id]);
        let report = kate.take_tasks(&odm, &wanted).await.unwrap();
        assert_eq!((report.matched, report.modified), (5, 4));
        assert!(!report.copies.is_empty());
        assert_both_ends(&t.odm, title).await;
        assert_eq!(owned(&t, &kate).await.len(), 5);
        let errands = ["milk", "bread"].map(|what| errand(&nicky, what));
        t.given(&errands).await;
        let errands = errands.iter().map(|errand| errand.id);
        kate.take_errands(&odm, errands).await.unwrap();
        assert_both_ends(&t.odm, "lines with copies").await;
        settle(&t.odm).await;
    }
}

#[tokio::test]
async fn tasks_that_an_owner_has_and_no_tasks_write_nothing() {
    let (t, kate, _) = office("take_nothing").await;
    let tasks = tasks_of(&t, &[(&kate, 5)]).await;
    let own = kate.take_tasks(&t.odm, ids(&tasks));
    let (report, sent) = t.sent(async { own.await }).await;
    let report = report.unwrap();
    assert_eq!((report.matched, report.modified), (5, 0));
    assert_eq!(sent, ["find", "commitTransaction"]);
    let none = kate.take_tasks(&t.odm, Vec::<Id<Task>>::new());
    let (report, sent) = t.sent(async { none.await }).await;
    assert_eq!((report.unwrap().matched, sent), (0, vec![]));
    assert_both_ends(&t.odm, "as before").await;
}

#[tokio::test]
async fn an_owner_takes_as_many_as_the_bound_allows() {
    let (t, kate, nicky) = office("take_bound").await;
    let tasks = tasks_of(&t, &[(&kate, 3), (&nicky, 3)]).await;
    // Tasks that she already owns need no additional room.
    let refused = kate.take_tasks(&t.odm, ids(&tasks));
    let (refused, sent) = t.sent(async { refused.await }).await;
    let refused = refused.unwrap_err();
    let Error::BoundExceeded {
        model,
        field,
        max,
        len,
        ..
    } = &refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!(
        (*model, field.as_str(), *max, *len),
        ("Person", "tasks", 5, Some(6))
    );
    assert!(
        !sent.iter().any(|it| WRITES.contains(&it.as_str())),
        "{sent:?}"
    );
    assert_eq!(owned(&t, &kate).await, ids(&tasks[..3]));
    assert_eq!(owned(&t, &nicky).await, ids(&tasks[3..]));
    assert_both_ends(&t.odm, "one too many").await;
    kate.take_tasks(&t.odm, ids(&tasks[1..5])).await.unwrap();
    assert_eq!(owned(&t, &kate).await, ids(&tasks[..5]));
    assert_both_ends(&t.odm, "full").await;
    let more = kate.take_tasks(&t.odm, [tasks[5].id]).await.unwrap_err();
    assert_eq!(more.kind(), ErrorKind::BoundExceeded);
}

#[tokio::test]
async fn tasks_that_are_not_there_are_listed_and_none_moves() {
    let (t, kate, nicky) = office("take_missing").await;
    let tasks = tasks_of(&t, &[(&nicky, 2)]).await;
    let gone = [Id::<Task>::new(), Id::new()];
    let wanted = [tasks[0].id, gone[0], tasks[1].id, gone[1], gone[0]];
    let missing = kate.take_tasks(&t.odm, wanted);
    let (missing, sent) = t.sent(async { missing.await }).await;
    let missing = missing.unwrap_err();
    assert_eq!(missing.kind().http_status(), 404);
    let Error::NotFound {
        model,
        collection,
        filter,
        ..
    } = &missing
    else {
        panic!("{missing:?}")
    };
    assert_eq!((*model, *collection), ("Task", "two_way_tasks"));
    let keys = gone.map(Bson::from).to_vec();
    assert_eq!(**filter, doc! { "_id": { "$in": keys } });
    assert_eq!(sent, ["find", "abortTransaction"]);
    assert_eq!(owned(&t, &nicky).await, ids(&tasks));
    assert_both_ends(&t.odm, "none moved").await;
}

#[tokio::test]
async fn a_transaction_may_go_on_after_a_take_that_was_refused() {
    let (t, kate, nicky) = office("take_transaction").await;
    let tasks = tasks_of(&t, &[(&kate, 3), (&nicky, 3)]).await;
    let inside = async |tx: mongo_odm::Tx| {
        let gone = kate.take_tasks(&tx, [tasks[3].id, Id::new()]).await;
        assert_eq!(gone.unwrap_err().kind(), ErrorKind::NotFound);
        let many = kate.take_tasks(&tx, ids(&tasks)).await;
        assert_eq!(many.unwrap_err().kind(), ErrorKind::BoundExceeded);
        kate.take_tasks(&tx, ids(&tasks[3..5])).await?;
        // Tasks that were taken in this transaction also count.
        let full = kate.take_tasks(&tx, [tasks[5].id]).await;
        assert_eq!(full.unwrap_err().kind(), ErrorKind::BoundExceeded);
        nicky.take_tasks(&tx, [tasks[0].id]).await?;
        kate.take_tasks(&tx, [tasks[5].id]).await?;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    assert_both_ends(&t.odm, "committed").await;
    assert_eq!(owned(&t, &nicky).await, [tasks[0].id]);
}

#[tokio::test]
async fn a_take_can_be_planned_and_tried() {
    let (t, kate, nicky) = office("take_plan").await;
    let tasks = tasks_of(&t, &[(&nicky, 4)]).await;
    // Sends the statements that a handle sends only once.
    tasks[3].reassign_owner(&t.odm, kate.id).await.unwrap();
    let take = |ids: &[Id<Task>]| kate.take_tasks(&t.odm, ids).comment("why");
    for some in [&tasks[..1], &tasks[1..3]] {
        let wanted = ids(some);
        let tried = take(&wanted).dry_run().await.unwrap();
        assert_both_ends(&t.odm, "tried").await;
        let plan = take(&wanted).plan().unwrap();
        t.forget();
        let done = take(&wanted).await.unwrap();
        assert_sent(&t, "take", &plan);
        assert_eq!(
            (tried.matched, tried.modified),
            (done.matched, done.modified)
        );
        assert_eq!(done.modified, some.len() as u64);
    }
    assert_both_ends(&t.odm, "done").await;
}

#[tokio::test]
async fn branches_are_taken_from_one_another() {
    let t = both_sides("take_self").await;
    let branch = |above: Option<&Branch>| Branch {
        id: Id::new(),
        below: Vec::new(),
        above: above.map(|above| above.id),
    };
    let root = branch(None);
    let (left, right) = (branch(Some(&root)), branch(Some(&root)));
    let leaf = branch(Some(&left));
    t.given(&[root.clone(), left.clone(), right.clone(), leaf.clone()])
        .await;
    let below = async |of: &Branch| Branch::get(&t.odm, of.id).await.unwrap().below;
    right.take_below(&t.odm, [left.id, leaf.id]).await.unwrap();
    let mut taken = below(&right).await;
    if is_sharded() {
        // Documents of several shards are read in any order.
        taken.sort();
    }
    assert_eq!(taken, [left.id, leaf.id]);
    assert_eq!(
        (below(&root).await, below(&left).await),
        (vec![right.id], vec![])
    );
    // A branch can take itself.
    leaf.take_below(&t.odm, [leaf.id, left.id]).await.unwrap();
    assert_eq!(below(&leaf).await.len(), 2);
    assert_eq!(below(&right).await, []);
    assert!(t.odm.verify().only::<Branch>().await.unwrap().is_empty());
    settle(&t.odm).await;
}

/// A member, who is identified by a login if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_members")]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member>,
    #[index(unique)]
    login: Option<String>,
    #[refs(many, to = "Ticket.number", inverse = "member", max = 2)]
    tickets: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_tickets")]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket>,
    #[index(unique)]
    number: i32,
    #[parent_ref(to = "Member.login", inverse = "tickets")]
    member: Option<String>,
}

#[tokio::test]
async fn keys_that_are_no_ids_are_taken_and_reassigned() {
    let t = empty("take_keys").await;
    let sync = t.odm.sync_indexes().only::<Member>().only::<Ticket>();
    sync.await.unwrap();
    let member = |login: Option<&str>| Member {
        id: Id::new(),
        login: login.map(str::to_owned),
        tickets: Vec::new(),
    };
    let (kate, nicky) = (member(Some("kate")), member(Some("nicky")));
    t.given(&[kate.clone(), nicky.clone()]).await;
    let ticket = |number| Ticket {
        id: Id::new(),
        number,
        member: kate.login.clone(),
    };
    let tickets = [1, 2].map(ticket);
    t.given(&tickets).await;
    let ids = tickets.iter().map(|ticket| ticket.id);
    let report = nicky.take_tickets(&t.odm, ids).await.unwrap();
    assert_eq!((report.matched, report.modified), (2, 2));
    let held = async |of: &Member| Member::get(&t.odm, of.id).await.unwrap().tickets;
    assert_eq!(
        (held(&kate).await, held(&nicky).await),
        (vec![], vec![1, 2])
    );
    let back = Ticket::get(&t.odm, tickets[0].id).await.unwrap();
    assert_eq!(back.member, nicky.login);
    back.reassign_member(&t.odm, "kate").await.unwrap();
    assert_eq!((held(&kate).await, held(&nicky).await), (vec![1], vec![2]));
    // No document can refer to a member without a login.
    let refused = member(None).take_tickets(&t.odm, [tickets[0].id]).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid);
    assert!(
        refused.to_string().contains("`Member` has no `login`"),
        "{refused}"
    );
    let drift = t.odm.verify().only::<Member>().only::<Ticket>().await;
    assert!(drift.unwrap().is_empty());
    settle(&t.odm).await;
}
