//! Aggregations of fields for which serde leaves out values.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_scores")]
struct Score {
    #[serde(rename = "_id")]
    id: Id<Score, i32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    points: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bonus: Option<i64>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(points: &i64) -> bool {
    *points == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Scores {
    total: i64,
    mean: Option<f64>,
    fewest: Option<i64>,
}

/// Without the zeros, an average would be too high.
#[tokio::test]
async fn values_that_serde_leaves_out_are_not_averaged() {
    let t = Harness::new("group_left_out").await;
    let score = |id: i32, points: i64| Score {
        id: Id::from_key(id),
        points,
        bonus: Some(points).filter(|points| *points > 0),
    };
    t.given(&[score(1, 0), score(2, 4)]).await;
    let fields = Score::fields();
    let group = || Score::group_into::<Scores>(&t.odm);
    for refused in [
        group().avg(|row| row.mean, fields.points),
        group().min(|row| row.fewest, fields.points),
        group().max(|row| row.fewest, fields.points),
    ] {
        let error = refused.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
        let reason = "serde leaves out a value of `Score.points` (`skip_serializing_if`)";
        assert!(error.to_string().contains(reason), "{error}");
    }
    let rows = group()
        .sum(|row| row.total, fields.points)
        .avg(|row| row.mean, fields.bonus)
        .min(|row| row.fewest, fields.bonus);
    let expected = Scores {
        total: 4,
        mean: Some(4.0),
        fewest: Some(4),
    };
    assert_eq!(rows.await.unwrap(), [expected]);
}
