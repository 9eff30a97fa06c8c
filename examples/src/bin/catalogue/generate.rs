//! Generates a catalogue of any size. Two catalogues of the same size differ only in their ids.

use fastrand::Rng;
use mongo_odm::prelude::*;

use crate::models::{Address, Host, LogMsg, Part, Person, Product, Task};

const SEED: u64 = 6;
const CITIES: [(&str, &str); 5] = [
    ("NYC", "USA"),
    ("Bern", "CHE"),
    ("Boulder", "USA"),
    ("Lyon", "FRA"),
    ("Kyoto", "JPN"),
];
const MAKERS: [&str; 4] = ["Acme Corp", "Ajax Tools", "Initech", "Umbrella"];
const THINGS: [&str; 5] = ["grommet", "bracket", "spring", "gear", "bolt"];
const EVENTS: [&str; 4] = [
    "cpu is on fire!",
    "disk is full",
    "link is down",
    "all is well",
];
/// The time of the first message. Each following message is one second later.
const MIDNIGHT: i64 = 1_395_619_200_000;
const DAY: i64 = 86_400_000;

/// All documents of the catalogue except the messages, which are generated while they are inserted.
pub struct Catalogue {
    pub parts: Vec<Part>,
    pub products: Vec<Product>,
    pub hosts: Vec<Host>,
    pub people: Vec<Person>,
    pub tasks: Vec<Task>,
    messages: usize,
}

impl Catalogue {
    /// Generates `size` products, and a matching number of all other documents.
    pub fn generate(size: usize) -> Self {
        let mut rng = Rng::with_seed(SEED);
        let parts: Vec<Part> = (0..2 * size).map(|number| part(number, &mut rng)).collect();
        let products = (0..size)
            .map(|number| product(number, &parts, &mut rng))
            .collect();
        let hosts = (0..(size / 50).clamp(3, 200)).map(host).collect();
        let mut people: Vec<Person> = (0..(size / 10).max(3))
            .map(|number| person(number, &mut rng))
            .collect();
        let tasks = people
            .iter_mut()
            .flat_map(|person| tasks(person, &mut rng))
            .collect();
        Self {
            parts,
            products,
            hosts,
            people,
            tasks,
            messages: 20 * size,
        }
    }

    /// Generates the messages of all hosts, in the order of their times.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = LogMsg> + use<> {
        let hosts: Vec<Id<Host>> = self.hosts.iter().map(|host| host.id).collect();
        let mut rng = Rng::with_seed(SEED);
        let mut time = MIDNIGHT;
        (0..self.messages).map(move |_| {
            time += 1_000;
            LogMsg {
                id: Id::new(),
                time: DateTime::from_millis(time),
                message: (*pick(&EVENTS, &mut rng)).to_owned(),
                host: *pick(&hosts, &mut rng),
            }
        })
    }
}

fn part(number: usize, rng: &mut Rng) -> Part {
    let cost = f64::from(rng.u32(10..1_000)) / 100.0;
    Part {
        id: Id::new(),
        partno: format!("{number:06}-aff"),
        name: format!("#{number} {}", pick(&THINGS, rng)),
        qty: rng.i64(0..500),
        cost,
        price: (cost * 425.0).round() / 100.0,
    }
}

fn product(number: usize, parts: &[Part], rng: &mut Rng) -> Product {
    let count = rng.usize(3..20);
    Product {
        id: Id::new(),
        name: format!("left-handed smoke shifter {}", number / 2),
        manufacturer: (*pick(&MAKERS, rng)).to_owned(),
        catalog_number: 1_000 + i64::try_from(number).unwrap_or(i64::MAX),
        parts: (0..count).map(|_| pick(parts, rng).id).collect(),
    }
}

fn host(number: usize) -> Host {
    Host {
        id: Id::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: format!("127.66.{}.{}", number / 250, number % 250 + 1),
    }
}

fn person(number: usize, rng: &mut Rng) -> Person {
    let addresses = (0..rng.u32(1..4)).map(|_| address(rng)).collect();
    Person {
        id: Id::new(),
        name: format!("person {number:05}"),
        addresses,
        tasks: Vec::new(),
    }
}

fn address(rng: &mut Rng) -> Address {
    let (city, cc) = *pick(&CITIES, rng);
    let street = format!("{} Sesame St", rng.u32(1..200));
    Address {
        street,
        city: city.to_owned(),
        cc: cc.to_owned(),
    }
}

/// Generates the tasks of a person, and adds their ids to the person.
fn tasks(person: &mut Person, rng: &mut Rng) -> Vec<Task> {
    let tasks: Vec<Task> = (0..rng.u32(0..8))
        .map(|number| Task {
            id: Id::new(),
            description: format!("write lesson plan {number}"),
            due_date: DateTime::from_millis(MIDNIGHT + rng.i64(0..60) * DAY),
            owner: person.id,
        })
        .collect();
    person.tasks = tasks.iter().map(|task| task.id).collect();
    tasks
}

/// Returns a random element. The slice must not be empty.
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
fn pick<'a, T>(from: &'a [T], rng: &mut Rng) -> &'a T {
    &from[rng.usize(..from.len())]
}
