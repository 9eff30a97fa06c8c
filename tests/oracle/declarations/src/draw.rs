//! Generates a random declaration from a seed.
//!
//! Models refer to earlier models and to themselves. A copy has its source in an earlier model, and folds are computed
//! from plain values. So no field is derived from itself.

mod derived;
mod life;
mod reference;

use crate::{
    declaration::{Declaration, Field, Missing, Model, Scalar, What},
    random::Random,
};

const SCALARS: [(usize, Scalar); 5] = [
    (3, Scalar::Text),
    (3, Scalar::Long),
    (1, Scalar::Int),
    (2, Scalar::Double),
    (1, Scalar::Flag),
];

/// The first seed whose declarations have maintained fields, tenants and hooks. Declarations of smaller seeds have none
/// of these, so that the tests stay short.
pub const LIFE_FROM: u64 = 1_000_000;

/// Draws the declaration with the given name, which is its seed.
pub fn named(name: &str) -> Declaration {
    declaration(seed(name))
}

/// Returns the seed at the start of a name.
///
/// # Panics
///
/// If the name does not start with a number.
pub fn seed(name: &str) -> u64 {
    let number = name
        .split('-')
        .next()
        .and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("`{name}` does not begin with a seed"))
}

/// Draws the declaration of a seed.
pub fn declaration(seed: u64) -> Declaration {
    let mut draw = Draw {
        random: Random::new(seed, 1),
        prefix: format!("d{seed}"),
        models: Vec::new(),
        names: 0,
    };
    let models = draw.random.between(2, 5);
    for number in 0..models {
        draw.model(number);
    }
    if draw.random.percent(20) {
        draw.links();
    }
    for number in 1..models {
        for _ in 0..draw.random.between(1, 2) {
            draw.reference(number);
        }
        if draw.random.percent(20) {
            let (missing, about) = draw.about(number);
            draw.add(number, "about", missing, What::About(about));
        }
    }
    let mut declaration = Declaration {
        name: seed.to_string(),
        prefix: draw.prefix,
        models: draw.models,
    };
    if seed >= LIFE_FROM {
        life::add(&mut declaration, seed);
    }
    declaration
}

struct Draw {
    random: Random,
    prefix: String,
    models: Vec<Model>,
    names: usize,
}

/// How a reference is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Keys,
    Lines,
    Spot,
}

impl Draw {
    fn model(&mut self, number: usize) {
        let (upper, lower) = (self.prefix.to_uppercase(), &self.prefix);
        self.models.push(Model {
            name: format!("{upper}M{number}"),
            collection: format!("{lower}_m{number}"),
            kind: None,
            first_id: 0,
            hook: None,
            is_camel: self.random.percent(25),
            fields: Vec::new(),
        });
        for scalar in [Scalar::Text, Scalar::Long] {
            self.add(number, "value", Missing::Never, What::Value(scalar));
        }
        for _ in 0..self.random.below(3) {
            let scalar = self.random.weighted(&SCALARS);
            let missing = self.missing();
            self.add(number, "value", missing, What::Value(scalar));
        }
        if self.random.percent(25) {
            self.add(number, "code", Missing::Never, What::Code);
        }
        if self.random.percent(20) {
            let max = self.random.percent(60).then_some(3);
            self.add(number, "texts", Missing::Never, What::Texts(max));
        }
    }

    /// Moves the first two models into one collection and adds links between their documents.
    fn links(&mut self) {
        let collection = self.models[0].collection.clone();
        let first_is_one_sided = self.random.percent(30);
        let name = self.name("links");
        for (number, first_id) in [(0, 0), (1, 10)] {
            let model = &mut self.models[number];
            model.collection.clone_from(&collection);
            model.kind = Some(format!("kind{number}"));
            model.first_id = first_id;
            let what = What::Links(number == 0 && first_is_one_sided);
            let (name, stored) = (name.clone(), name.clone());
            model.fields.push(Field {
                name,
                stored,
                missing: Missing::Default,
                what,
            });
        }
    }

    fn missing(&mut self) -> Missing {
        self.random.weighted(&[
            (3, Missing::Never),
            (3, Missing::Null),
            (2, Missing::Skipped),
            (2, Missing::Default),
        ])
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}_{}", self.names)
    }

    /// Adds a field to a model and returns the field's name.
    fn add(&mut self, model: usize, kind: &str, missing: Missing, what: What) -> String {
        let name = self.name(kind);
        self.put(model, &name, missing, what);
        name
    }

    fn put(&mut self, model: usize, name: &str, missing: Missing, what: What) {
        let field = self.field(model, name, missing, what);
        self.models[model].fields.push(field);
    }

    fn field(&mut self, model: usize, name: &str, missing: Missing, what: What) -> Field {
        let stored = match self.random.below(10) {
            0 => format!("x{name}"),
            _ if self.models[model].is_camel => name.replace('_', ""),
            _ => name.to_owned(),
        };
        Field {
            name: name.to_owned(),
            stored,
            missing,
            what,
        }
    }
}
