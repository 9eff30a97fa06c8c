//! Declarations of `exists` that the library cannot enforce. The program reports them when it
//! starts and at the first write.

use mongo_odm::{Error, prelude::*};

use crate::models::*;

/// A struct that contains itself: documents can nest it deeper than the library follows its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Branch {
    #[refs(one, exists)]
    cut_with: Id<Tool, i64>,
    branches: Vec<Branch>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "trees")]
struct Tree {
    #[serde(rename = "_id")]
    id: Id<Tree, i64>,
    branches: Vec<Branch>,
}

#[tokio::test]
async fn a_struct_that_repeats_cannot_be_looked_at_at_every_depth() {
    let expected = "`Tree.branches.branches` embeds itself, and `exists` of the references inside it cannot be \
                    checked at every depth; remove `exists`, or keep the references outside of the struct that repeats";
    let error = mongo_odm::check_models().unwrap_err();
    assert_eq!(error.to_string(), expected);
    let t = workshop("exists_repeated").await;
    let tree = Tree {
        id: id(1),
        branches: Vec::new(),
    };
    let error = tree.insert(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::Declaration(_)), "{error:?}");
    // Other models can still be written.
    tool(1).insert(&t.odm).await.unwrap();
}
