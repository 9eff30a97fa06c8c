//! Models with all features that a picture shows.

use mongo_odm::prelude::*;

pub mod hostile;
pub mod wide;

#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Address {
    street: String,
    #[index]
    city: String,
    #[embed]
    place: Option<Place>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Place {
    lon: f64,
    lat: f64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "people", index(keys(name = 1, addresses.city = -1)), has_one(passport = "Passport.holder"))]
pub struct Person {
    #[serde(rename = "_id")]
    id: Id<Person>,
    name: String,
    #[embed(max = 200)]
    addresses: Vec<Address>,
    #[refs(many, inverse = "owner", max = 2000)]
    tasks: Vec<Id<Task>>,
    #[rollup(count, of = "Task", via = "owner", filter = "open")]
    open_tasks: i64,
}

fn open() -> mongo_odm::Filter<Task> {
    Task::fields().done.eq(false)
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    id: Id<Task>,
    #[index(expire_after_secs = 3600)]
    due_date: DateTime,
    done: bool,
    #[parent_ref(inverse = "tasks")]
    owner: Id<Person>,
    #[denorm(from = "Person.name")]
    owner_name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "passports")]
pub struct Passport {
    #[serde(rename = "_id")]
    id: Id<Passport>,
    #[parent_ref(exists, on_delete = "restrict")]
    holder: Option<Id<Person>>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct PartLine {
    #[refs(one, on_delete = "pull")]
    id: Id<Part>,
    #[denorm(from = "Part.name")]
    name: String,
    #[denorm(from = "Part.price", snapshot)]
    price: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "products", index(keys(name = "text")))]
pub struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    name: String,
    #[index(unique, partial = r#"{"catalog_number": {"$gt": 0}}"#)]
    catalog_number: i64,
    #[embed]
    #[refs(many)]
    parts: Vec<PartLine>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts", has_many(products = "Product.parts"))]
pub struct Part {
    #[serde(rename = "_id")]
    id: Id<Part>,
    name: String,
    price: i64,
    #[denorm(from = "Product.name", via = "Product.parts")]
    product_name: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, Projection)]
#[projection(of = "LogMsg")]
pub struct LogLine {
    time: DateTime,
    message: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    #[serde(rename = "_id")]
    id: Id<Host>,
    #[recent(of = "LogMsg", via = "host", sort = "time", limit = 1000)]
    newest: Vec<LogLine>,
    #[rollup(count, of = "LogMsg", via = "host")]
    messages: i64,
    #[rollup(sum, of = "LogMsg", via = "host", field = "size")]
    bytes: i64,
    #[rollup(max, of = "LogMsg", via = "host", field = "time")]
    last_seen: Option<DateTime>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    #[serde(rename = "_id")]
    id: Id<LogMsg>,
    time: DateTime,
    message: String,
    size: i64,
    #[parent_ref(on_delete = "cascade")]
    host: Id<Host>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Link {
    target: mongo_odm::AnyKey,
    doc_type: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "school", kind(doc_type = "class"))]
pub struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    #[index]
    class_name: String,
    #[links(max = 40)]
    links: Vec<Link>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "school", kind(doc_type = "student"))]
pub struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    #[index]
    name: String,
    #[links]
    links: Vec<Link>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "courses")]
pub struct Course {
    #[serde(rename = "_id")]
    id: Id<Course>,
    #[refs(many, inverse = "courses", max = 300)]
    pupils: Vec<Id<Pupil>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "pupils")]
pub struct Pupil {
    #[serde(rename = "_id")]
    id: Id<Pupil>,
    #[refs(many, inverse = "pupils", max = 30)]
    courses: Vec<Id<Course>>,
}

/// A tree in which each document is a node.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "categories")]
pub struct Category {
    #[serde(rename = "_id")]
    id: Id<Category>,
    #[index(unique)]
    slug: String,
    #[parent_ref(on_delete = "nullify")]
    parent: Option<Id<Category>>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
pub enum Subject {
    Product(Id<Product>),
    #[refs(to = "Category.slug")]
    Category(String),
    Host(Id<Host>),
}

/// A model that refers to itself in both directions.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "friends")]
pub struct Friend {
    #[serde(rename = "_id")]
    id: Id<Friend>,
    #[refs(many, inverse = "friends", max = 500)]
    friends: Vec<Id<Friend>>,
    #[refs(one)]
    attends: Id<Enrollment, String>,
}

#[derive(Debug, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
pub enum Enrollment {
    Class(Class),
    Student(Student),
}

/// A tree inside a single document.
#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Reply {
    text: String,
    #[embed]
    replies: Vec<Reply>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Stamps {
    created: DateTime,
    changed: DateTime,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "comments")]
pub struct Comment {
    #[serde(rename = "_id")]
    id: Id<Comment>,
    #[refs(one, polymorphic)]
    about: Subject,
    #[embed]
    replies: Vec<Reply>,
    #[embed]
    #[serde(flatten)]
    stamps: Stamps,
    #[refs(many, to = "Category.slug")]
    tags: Vec<String>,
}
