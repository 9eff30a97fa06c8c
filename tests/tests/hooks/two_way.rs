//! Saves that hooks change, on a model whose array follows the references of other documents.

use mongo_odm::{Update, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_pair_teams", hooks)]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i64>,
    points: i64,
    #[refs(many, inverse = "team")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<Id<Member, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_pair_members")]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member, i64>,
    #[refs(one, inverse = "members")]
    team: Option<Id<Team, i64>>,
}

impl Hooks for Team {
    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        let points = Self::fields().points;
        if change.value_set(points)?.is_some_and(|it| it > 5) {
            change.set(points, 5);
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_save_that_a_hook_changes_keeps_the_keys_of_a_two_way_array() {
    let t = Harness::new("hook_two_way").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Team>().only::<Member>();
    sync.await.unwrap();
    let team = |points: i64, members: &[i64]| Team {
        id: Id::from_key(1),
        points,
        members: members.iter().map(|it| Id::from_key(*it)).collect(),
    };
    team(0, &[]).insert(odm).await.unwrap();
    for number in [1, 2] {
        let member = Member {
            id: Id::from_key(number),
            team: Some(Id::from_key(1)),
        };
        member.insert(odm).await.unwrap();
    }
    let stored = async || Team::get(odm, Id::from_key(1)).await.unwrap();

    // This struct was built before the members were inserted.
    team(6, &[]).save(odm).await.unwrap();
    assert_eq!(stored().await, team(5, &[1, 2]));
    team(7, &[2]).replace(odm).await.unwrap();
    assert_eq!(stored().await, team(5, &[1, 2]));
    team(8, &[2, 1]).save(odm).await.unwrap();
    assert_eq!(stored().await, team(5, &[2, 1]));
    team(9, &[2, 2, 1]).save(odm).await.unwrap();
    assert_eq!(stored().await, team(5, &[2, 1]));
    // The hook does not change this save.
    team(3, &[]).save(odm).await.unwrap();
    assert_eq!(stored().await.points, 3);
    assert_eq!(stored().await.members.len(), 2);

    // Serde leaves out the empty array, which is stored.
    Member::delete_many(odm, Member::fields().team.eq(Some(Id::from_key(1))))
        .await
        .unwrap();
    assert!(stored().await.members.is_empty());
    team(6, &[]).save(odm).await.unwrap();
    assert_eq!(stored().await, team(5, &[]));
}
