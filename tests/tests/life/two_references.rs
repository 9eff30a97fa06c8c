//! Two references of one document to the same target, and sums over the copies beside both.

use mongo_odm::prelude::*;

use crate::models::{assert_verified, board, id};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_coders")]
struct Coder {
    #[serde(rename = "_id")]
    id: Id<Coder, i64>,
    rate: i64,
}

/// An issue, which outlives its coders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_issues")]
struct Issue {
    #[serde(rename = "_id")]
    id: Id<Issue, i64>,
    #[parent_ref]
    sprint: Id<Sprint, i64>,
    #[refs(one, on_delete = "nullify")]
    assignee: Option<Id<Coder, i64>>,
    #[denorm(from = Coder.rate, via = assignee)]
    assignee_rate: Option<i64>,
    #[refs(one, on_delete = "nullify")]
    reviewer: Option<Id<Coder, i64>>,
    #[denorm(from = Coder.rate, via = reviewer)]
    reviewer_rate: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_sprints")]
struct Sprint {
    #[serde(rename = "_id")]
    id: Id<Sprint, i64>,
    #[rollup(sum, of = Issue, via = sprint, field = assignee_rate)]
    assigned: i64,
    #[rollup(sum, of = Issue, via = sprint, field = reviewer_rate)]
    reviewed: i64,
}

#[tokio::test]
async fn sums_over_the_copies_beside_two_references_lose_a_deleted_target_once() {
    let t = board("life_two_references").await;
    let sync = t.odm.sync_indexes().only::<Coder>().only::<Issue>();
    sync.only::<Sprint>().await.unwrap();
    let coder = |number, rate| Coder {
        id: id(number),
        rate,
    };
    t.given(&[coder(1, 10), coder(2, 100)]).await;
    let sprint = Sprint {
        id: id(1),
        assigned: 0,
        reviewed: 0,
    };
    t.given(&[sprint]).await;
    let issue = |number, assignee, reviewer| Issue {
        id: id(number),
        sprint: id(1),
        assignee: Some(id(assignee)),
        assignee_rate: None,
        reviewer: Some(id(reviewer)),
        reviewer_rate: None,
    };
    t.given(&[issue(1, 1, 1), issue(2, 1, 2), issue(3, 2, 1)])
        .await;
    t.odm.run_pending_jobs().await.unwrap();
    let sums = async || {
        let sprint: Sprint = Sprint::get(&t.odm, id(1)).await.unwrap();
        (sprint.assigned, sprint.reviewed)
    };
    assert_eq!(sums().await, (120, 120));

    Coder::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(sums().await, (100, 100));
    let nobody: Issue = Issue::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((nobody.assignee, nobody.reviewer), (None, None));
    assert_eq!((nobody.assignee_rate, nobody.reviewer_rate), (None, None));
    let other: Issue = Issue::get(&t.odm, id(2)).await.unwrap();
    assert_eq!((other.assignee, other.reviewer), (None, Some(id(2))));
    assert_eq!(
        (other.assignee_rate, other.reviewer_rate),
        (None, Some(100))
    );
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(sums().await, (100, 100));
    assert_verified(&t.odm).await;
}
