//! Delete rules of references to keys that two tenants can have.

use mongo_odm::{Error, check_models, prelude::*};

use crate::models::{board, id};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_tags", tenant = "org")]
struct Tag {
    #[serde(rename = "_id")]
    id: Id<Tag, i64>,
    org: Option<i64>,
    #[index(unique)]
    code: String,
}

/// A model with all delete rules, and with references that have no rule or refer to the `_id`.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_tagged", tenant = "org")]
struct Tagged {
    #[serde(rename = "_id")]
    id: Id<Tagged, i64>,
    org: Option<i64>,
    #[refs(one, to = "Tag.code", on_delete = "cascade")]
    cascading: String,
    #[refs(one, to = "Tag.code", on_delete = "nullify")]
    nullified: Option<String>,
    #[refs(many, to = "Tag.code", on_delete = "pull")]
    pulled: Vec<String>,
    #[refs(one, to = "Tag.code", on_delete = "restrict")]
    restricting: String,
    #[refs(one, to = "Tag.code")]
    kept: String,
    #[refs(one, on_delete = "cascade")]
    by_id: Id<Tag, i64>,
}

#[tokio::test]
async fn a_delete_rule_by_a_key_that_two_tenants_can_have_is_rejected() {
    let problems = check_models().unwrap_err().to_string();
    for field in ["cascading", "nullified", "pulled", "restricting"] {
        let expected = format!(
            "`Tagged.{field}` has a delete rule and refers to the key `code` of `Tag`, which can have the same value in two \
             tenants; refer to the `_id`, or remove `on_delete`"
        );
        assert!(problems.contains(&expected), "{expected}: {problems}");
    }
    for field in ["kept", "by_id"] {
        let rejected = format!("`Tagged.{field}`");
        assert!(!problems.contains(&rejected), "{problems}");
    }
    let t = board("life_tenant_rules").await;
    let one = t.odm.for_tenant(1_i64);
    let refused = Tag::delete(&one, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
}
