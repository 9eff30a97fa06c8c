//! Models with deprecated fields, and an enum whose fields are not in snake case.

use mongo_odm::prelude::*;

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Model)]
#[model(collection = "linked_people")]
pub struct Person {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Self>,
    /// The name.
    pub name: String,
    /// The friend.
    #[deprecated = "ask the person"]
    #[refs(one)]
    pub friend: Option<Id<Self>>,
    /// A copy of the friend's name.
    #[deprecated]
    #[denorm(from = Person.name)]
    pub friend_name: Option<String>,
    /// Embedded lines.
    #[deprecated]
    #[embed]
    #[refs(many, max = 3, exists)]
    pub lines: Vec<Line>,
    /// The age.
    #[deprecated]
    #[index(unique)]
    pub age: i32,
    /// References to documents of several models.
    #[deprecated]
    #[refs(many, polymorphic)]
    pub about: Vec<Subject>,
    /// Tasks.
    #[deprecated]
    #[refs(many, inverse = owner)]
    pub tasks: Vec<Id<Task>>,
    /// The newest tasks.
    #[deprecated]
    #[recent(of = Task, via = owner, sort = n, limit = 3)]
    pub newest: Vec<TaskView>,
    /// Number of tasks.
    #[deprecated]
    #[rollup(count, of = Task, via = owner)]
    pub count: i64,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Model)]
#[model(collection = "linked_tasks", index(keys(owner = 1, n = -1)))]
pub struct Task {
    /// Its id.
    #[deprecated]
    #[serde(rename = "_id")]
    pub id: Id<Self>,
    /// Its owner.
    #[deprecated]
    #[index]
    #[parent_ref(inverse = tasks)]
    pub owner: Id<Person>,
    /// A number.
    #[deprecated]
    pub n: i32,
}

/// Some fields of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Projection)]
#[projection(of = Task)]
pub struct TaskView {
    /// A number.
    #[deprecated]
    pub n: i32,
    /// Its owner.
    #[deprecated]
    #[parent_ref]
    pub owner: Id<Person>,
}

/// A deprecated model.
#[deprecated]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Model)]
#[model(collection = "linked_old", has_many(lines = Older.old))]
pub struct Old {
    /// Id.
    #[serde(rename = "_id")]
    pub id: Id<Self>,
    /// References to documents of the same model.
    #[refs(many, max = 3)]
    pub again: Vec<Id<Self>>,
    /// Name.
    #[index]
    pub name: String,
}

/// A deprecated model that refers to the other one.
#[deprecated]
#[allow(
    clippy::derive_partial_eq_without_eq,
    reason = "the derive of `Eq` warns of a deprecated type"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_older")]
pub struct Older {
    /// Id.
    #[serde(rename = "_id")]
    pub id: Id<Self>,
    /// The parent.
    #[parent_ref]
    #[allow(deprecated)]
    pub old: Id<Old>,
    /// A copy of the parent's name.
    #[denorm(from = Old.name)]
    pub name: String,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Embedded)]
#[embedded(from = Person)]
pub struct Line {
    /// The person that the line refers to.
    #[deprecated]
    #[refs(one)]
    pub who: Id<Person>,
    /// A copy of the person's name.
    #[deprecated]
    #[denorm(from = Person.name)]
    pub name: String,
}

/// A reference to a person or a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Embedded)]
#[serde(tag = "dataType", content = "dataId")]
pub enum Subject {
    /// A person.
    #[deprecated]
    Person(Id<Person>),
    /// A task.
    Task(Id<Task>),
}
