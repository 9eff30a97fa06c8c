//! Chapter 4: references from parents, from children, and from both.

use mongo_odm::{Error, Settings, Settle, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product, i32>,
    name: String,
    #[refs(many, max = 500)]
    parts: Vec<Id<Part, String>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_parts", has_many(products = "Product.parts"))]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part, String>,
    price: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "work_machines",
    has_many(readings = "Reading.machine"),
    has_one(manual = "Manual.machine")
)]
struct Machine {
    #[serde(rename = "_id")]
    id: Id<Machine, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_readings", index(keys(machine = 1, time = -1)))]
struct Reading {
    #[serde(rename = "_id")]
    id: Id<Reading, i32>,
    #[parent_ref]
    machine: Id<Machine, String>,
    time: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_manuals")]
struct Manual {
    #[serde(rename = "_id")]
    id: Id<Manual, i32>,
    #[parent_ref]
    #[index(unique)]
    machine: Id<Machine, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, String>,
    #[refs(many, inverse = "owner", max = 2000)]
    tasks: Vec<Id<Task, i32>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: Id<Task, i32>,
    #[parent_ref(inverse = "tasks")]
    owner: Id<Person, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_courses")]
struct Course {
    #[serde(rename = "_id")]
    id: Id<Course, String>,
    #[refs(many, inverse = "courses", max = 30)]
    students: Vec<Id<Student, String>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_students")]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    #[refs(many, inverse = "students")]
    courses: Vec<Id<Course, String>>,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    part: Id<Part, String>,
    quantity: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "work_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[embed]
    #[refs(many)]
    lines: Vec<Line>,
    #[refs(one)]
    supervisor: Option<Id<Person, String>>,
    #[refs(many, to = "Machine")]
    machines: Vec<String>,
}

fn key<M: Model>(key: &str) -> Id<M, String> {
    Id::from_key(key.into())
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let [nut, bolt] = [("nut", 2), ("bolt", 3)].map(|(id, price)| Part { id: key(id), price });
    Part::insert_many(odm, [&nut, &bolt]).await?;
    let shelf = Product {
        id: Id::from_key(1),
        name: "shelf".into(),
        parts: vec![bolt.id.clone(), nut.id, bolt.id],
    };
    shelf.insert(odm).await?;

    let machine = Machine { id: key("lathe") };
    machine.insert(odm).await?;
    let reading = |(id, time)| Reading {
        id: Id::from_key(id),
        machine: machine.id.clone(),
        time,
    };
    Reading::insert_many(odm, &[(1, 100), (2, 200)].map(reading)).await?;
    let manual = Manual {
        id: Id::from_key(1),
        machine: machine.id,
    };
    manual.insert(odm).await?;

    let person = |id| Person {
        id: key(id),
        tasks: Vec::new(),
    };
    Person::insert_many(odm, &["ann", "kate"].map(person)).await?;
    let task = Task {
        id: Id::from_key(7),
        owner: key("ann"),
    };
    task.insert(odm).await?;

    let course = |id| Course {
        id: key(id),
        students: Vec::new(),
    };
    Course::insert_many(odm, &["art", "math"].map(course)).await?;
    let student = |id| Student {
        id: key(id),
        courses: Vec::new(),
    };
    Student::insert_many(odm, &["bob", "eva"].map(student)).await?;

    let order = Order {
        id: Id::from_key(1),
        lines: vec![Line {
            part: key("nut"),
            quantity: 40,
        }],
        supervisor: Some(key("kate")),
        machines: vec!["lathe".into()],
    };
    order.insert(odm).await?;
    Ok(())
}

async fn reassign(odm: &Odm, task: &Task, kate: &Person) -> mongo_odm::Result<bool> {
    match task.reassign_owner(odm, &kate.id).await {
        Ok(_) => Ok(true),
        Err(Error::Reassigned { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Product>().only::<Reading>();
    let sync = sync.only::<Manual>().only::<Task>().only::<Person>();
    sync.only::<Course>().only::<Student>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    store(&odm).await?;

    chapter.stores(&odm, "work_products").await?;
    chapter.stores(&odm, "work_parts").await?;
    let shelf = Product::find(&odm).await?.remove(0);
    let nut = Part::find(&odm).filter(Part::fields().id.eq(key("nut")));
    let nut = nut.await?.remove(0);
    assert_eq!(nut.price, 2);
    chapter
        .sends(&odm, async {
            let parts = shelf.load_parts(&odm).await?; // bolt, nut, bolt
            let count = shelf.count_parts(&odm).await?;
            let products = nut.load_products(&odm).await?;
            println!("{}: {} parts, {count} different", shelf.name, parts.len());
            println!("{} uses the part", products[0].name);
            Ok(())
        })
        .await?;

    chapter.stores(&odm, "work_readings").await?;
    let lathe = Machine::find(&odm).await?.remove(0);
    let reading = Reading::find(&odm).await?.remove(0);
    chapter
        .sends(&odm, async {
            let newest = lathe
                .load_readings(&odm)
                .sort(Reading::fields().time.desc())
                .limit(10)
                .await?;
            let machine = reading.load_machine(&odm).await?;
            let manual = lathe.load_manual(&odm).await?;
            println!("{newest:?} {machine:?} {manual:?}");
            Ok(())
        })
        .await?;

    chapter.stores(&odm, "work_people").await?;
    chapter.stores(&odm, "work_tasks").await?;
    let task = Task::find(&odm).await?.remove(0);
    let people = Person::find(&odm).await?;
    let [ann, kate] = &people[..] else {
        panic!("{people:?}")
    };
    assert!(chapter.outlines(&odm, reassign(&odm, &task, kate)).await?);
    chapter.stores(&odm, "work_people").await?;
    assert!(!reassign(&odm, &task, ann).await?);
    let late = task.reassign_owner(&odm, &ann.id).await;
    chapter.shows(late.unwrap_err());
    ann.take_tasks(&odm, [task.id]).await?;

    let art = Course::find(&odm).await?.remove(0);
    let students = Student::find(&odm).await?;
    let [bob, eva] = &students[..] else {
        panic!("{students:?}")
    };
    chapter
        .outlines(&odm, async {
            art.link_students(&odm, [&bob.id, &eva.id]).await?;
            Ok(())
        })
        .await?;
    bob.unlink_courses(&odm, [&art.id]).await?;
    chapter.stores(&odm, "work_courses").await?;
    chapter.stores(&odm, "work_students").await?;

    chapter.stores(&odm, "work_orders").await?;
    let order = Order::find(&odm).await?.remove(0);
    chapter
        .sends(&odm, async {
            let parts = order.load_lines(&odm).await?;
            let supervisor = order.load_supervisor(&odm).await?;
            let machines = order.load_machines(&odm).await?;
            println!("{parts:?} {supervisor:?} {machines:?}");
            Ok(())
        })
        .await?;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("04-references", program).await;
}
