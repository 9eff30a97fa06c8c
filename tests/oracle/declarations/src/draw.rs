//! Draws a declaration from a seed.
//!
//! Models refer to earlier ones and to themselves. A copy is one of a field of an earlier model, and what is computed is
//! computed of values, so that nothing is derived from itself.

use crate::{
    declaration::{
        About, By, Child, CopyOf, Declaration, Embed, Field, Fold, Form, Missing, Model, Recent,
        Reference, Rule, Scalar, Via, What,
    },
    random::Random,
};

const SCALARS: [(usize, Scalar); 5] = [
    (3, Scalar::Text),
    (3, Scalar::Long),
    (1, Scalar::Int),
    (2, Scalar::Double),
    (1, Scalar::Flag),
];

/// Draws the declaration of a name, which is its seed.
pub fn named(name: &str) -> Declaration {
    declaration(seed(name))
}

/// Returns the seed that a name begins with.
///
/// # Panics
///
/// If it does not begin with a number.
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
    Declaration {
        name: seed.to_string(),
        prefix: draw.prefix,
        models: draw.models,
    }
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

    /// Puts the first two models into one collection and links their documents.
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

    /// Adds a reference from a model, with what is derived over it.
    fn reference(&mut self, from: usize) {
        let to = if self.random.percent(10) {
            from
        } else {
            self.random.below(from)
        };
        let places = [
            (45, Place::Key),
            (20, Place::Keys),
            (25, Place::Lines),
            (10, Place::Spot),
        ];
        match self.random.weighted(&places) {
            Place::Key => self.key(from, to),
            Place::Keys => self.keys(from, to),
            Place::Lines => self.embedded(from, to, Form::Many),
            Place::Spot => self.embedded(from, to, Form::One),
        }
    }

    fn key(&mut self, from: usize, to: usize) {
        let is_optional = self.random.percent(50);
        let mut rules = vec![Rule::Keep, Rule::Restrict, Rule::Cascade];
        rules.extend(is_optional.then_some(Rule::Nullify));
        let mut reference = self.to(to, &rules, None);
        let missing = match is_optional {
            true if self.random.percent(30) => Missing::Skipped,
            true => Missing::Null,
            false => Missing::Never,
        };
        let name = self.name("key");
        if reference.by.is_none() && self.random.percent(25) {
            let child = Child {
                model: from,
                via: name.clone(),
            };
            let max = self.random.percent(40).then_some(3);
            reference.inverse =
                Some(self.add(to, "follows", Missing::Never, What::Follows(child, max)));
        }
        let rule = reference.rule;
        self.put(from, &name, missing, What::Key(reference));
        for copy in self.copies(from, to, &name, missing != Missing::Never, rule) {
            self.models[from].fields.push(copy);
        }
        self.derived(from, to, &name);
    }

    fn keys(&mut self, from: usize, to: usize) {
        let max = self.random.percent(30).then_some(3);
        let name = self.name("keys");
        if self.random.percent(35) {
            let mut there = self.to(from, &[Rule::Keep], None);
            there.inverse = Some(name.clone());
            let mut here = self.to(to, &[Rule::Keep], max);
            (there.exists, here.exists) = (false, false);
            (there.by, here.by) = (None, None);
            here.inverse = Some(self.add(to, "others", Missing::Never, What::Keys(there)));
            self.put(from, &name, Missing::Never, What::Keys(here));
        } else {
            let rules = [Rule::Keep, Rule::Restrict, Rule::Cascade, Rule::Pull];
            let reference = self.to(to, &rules, max);
            self.put(from, &name, Missing::Never, What::Keys(reference));
        }
        self.derived(from, to, &name);
    }

    fn embedded(&mut self, from: usize, to: usize, form: Form) {
        let rules = [Rule::Keep, Rule::Restrict, Rule::Cascade, Rule::Pull];
        let is_array = form == Form::Many;
        let is_nested = is_array && self.random.percent(25);
        let max = (is_array && !is_nested && self.random.percent(25)).then_some(3);
        let reference = self.to(to, &rules[..if is_array { 4 } else { 3 }], max);
        let rule = reference.rule;
        let key = self.name("key");
        let mut fields = vec![self.field(from, &key, Missing::Never, What::Key(reference))];
        fields.extend(self.copies(from, to, &key, false, rule));
        if self.random.percent(60) {
            let name = self.name("value");
            fields.push(self.field(from, &name, Missing::Never, What::Value(Scalar::Long)));
        }
        if (!is_array || is_nested) && self.random.percent(15) {
            let (missing, about) = self.about(from);
            let (name, what) = (self.name("about"), What::About(about));
            fields.push(self.field(from, &name, missing, what));
        }
        for field in &mut fields {
            field.stored.clone_from(&field.name);
        }
        let is_flat = !is_array && self.random.percent(30);
        let form = if is_flat { Form::Flat } else { form };
        let is_optional = form == Form::One && self.random.percent(40);
        let missing = if is_optional {
            Missing::Null
        } else {
            Missing::Never
        };
        let name = format!("{}L{}", self.models[from].name, self.names);
        let embed = Embed {
            name,
            form,
            refers: is_array && !is_nested,
            fields,
        };
        let embed = if is_nested {
            self.array_of(from, embed)
        } else {
            embed
        };
        self.add(from, "part", missing, What::Embed(embed));
    }

    /// Returns an array of structs that hold an array each.
    fn array_of(&mut self, from: usize, inner: Embed) -> Embed {
        let names = [self.name("value"), self.name("part")];
        let what = [What::Value(Scalar::Text), What::Embed(inner)];
        let fields = names.iter().zip(what).map(|(name, what)| {
            let field = self.field(from, name, Missing::Never, what);
            let stored = field.name.clone();
            Field { stored, ..field }
        });
        let fields = fields.collect();
        Embed {
            name: format!("{}L{}", self.models[from].name, self.names),
            form: Form::Many,
            refers: false,
            fields,
        }
    }

    /// Draws a reference to a model, an earlier one or itself.
    fn about(&mut self, from: usize) -> (Missing, About) {
        let first = self.random.below(from);
        let targets = [first, from].map(|to| {
            let reference = self.to(to, &[Rule::Keep], None);
            Reference {
                exists: false,
                ..reference
            }
        });
        let is_many = self.random.percent(50);
        let missing = [
            (2, Missing::Never),
            (1, Missing::Null),
            (1, Missing::Skipped),
        ];
        let missing = self.random.weighted(&missing);
        let about = About {
            name: format!("{}A{}", self.models[from].name, self.names),
            targets: targets.into(),
            is_many,
            exists: self.random.percent(30),
            max: (is_many && self.random.percent(40)).then_some(3),
        };
        (if is_many { Missing::Never } else { missing }, about)
    }

    fn to(&mut self, to: usize, rules: &[Rule], max: Option<usize>) -> Reference {
        let rule = if self.random.percent(50) {
            Rule::Keep
        } else {
            *self.random.pick(rules)
        };
        let exists = self.random.percent(10);
        let code = self.models[to]
            .fields
            .iter()
            .find(|it| matches!(it.what, What::Code));
        let by = code
            .map(|it| it.name.clone())
            .filter(|_| self.random.percent(70));
        Reference {
            to,
            by,
            rule,
            exists,
            inverse: None,
            max,
        }
    }

    /// Returns copies over a reference beside them.
    fn copies(
        &mut self,
        from: usize,
        to: usize,
        via: &str,
        is_optional: bool,
        rule: Rule,
    ) -> Vec<Field> {
        let mut copies = Vec::new();
        for _ in 0..self.random.weighted(&[(2, 0), (4, 1), (2, 2)]) {
            let Some(source) = self.source(from, to) else {
                continue;
            };
            // Whether documents of one `insert_many` find one another, nobody says.
            let snapshot = self.random.percent(15) && from != to;
            let nullify = !snapshot && rule == Rule::Keep && self.random.percent(15);
            let copy = CopyOf {
                via: Via::Beside(via.to_owned()),
                model: to,
                field: source.name.clone(),
                snapshot,
                nullify,
            };
            let may_miss = is_optional || nullify || source.missing != Missing::Never;
            let missing = self.missing_copy(may_miss);
            let name = self.name(if snapshot { "snapshot" } else { "copy" });
            copies.push(self.field(from, &name, missing, What::Copy(copy)));
        }
        copies
    }

    fn missing_copy(&mut self, may_miss: bool) -> Missing {
        match (may_miss, self.random.below(8)) {
            (true, 0..3) => Missing::Skipped,
            (true, _) | (false, 0) => Missing::Null,
            (false, _) => Missing::Never,
        }
    }

    /// Returns a field that can be copied.
    fn source(&mut self, from: usize, to: usize) -> Option<Field> {
        let model = &self.models[to];
        let is_source = |field: &&Field| match &field.what {
            What::Value(_) => true,
            What::Copy(_) => from != to && !self.returns_to(from, field),
            What::Fold(fold) => from != to && fold.of.model != from && fold.by != By::Average,
            _ => false,
        };
        let sources: Vec<Field> = model.fields.iter().filter(is_source).cloned().collect();
        (!sources.is_empty()).then(|| self.random.pick(&sources).clone())
    }

    /// Returns whether a copy leads, over any number of copies, to a field of a model.
    fn returns_to(&self, model: usize, field: &Field) -> bool {
        let What::Copy(copy) = &field.what else {
            return false;
        };
        let source = self.models[copy.model].field(&copy.field);
        copy.model == model || self.returns_to(model, source)
    }

    /// Adds fields to a parent that are derived from its children.
    fn derived(&mut self, from: usize, to: usize, via: &str) {
        let child = Child {
            model: from,
            via: via.to_owned(),
        };
        for _ in 0..self.random.weighted(&[(2, 0), (3, 1), (2, 2), (1, 3)]) {
            self.fold(to, &child);
        }
        if self.random.percent(25) {
            self.recent(to, &child);
        }
        if from != to && self.random.percent(15) {
            self.copy_of_owner(from, to, via);
        }
    }

    fn fold(&mut self, to: usize, of: &Child) {
        let by = self.random.weighted(&[
            (4, By::Count),
            (2, By::Sum),
            (1, By::Average),
            (1, By::Min),
            (1, By::Max),
        ]);
        let numbers = self.values(of.model, by != By::Min && by != By::Max);
        let field = (by != By::Count).then(|| self.random.pick(&numbers).name.clone());
        let missing = match by {
            By::Min | By::Max if self.random.percent(30) => Missing::Skipped,
            By::Min | By::Max => Missing::Null,
            _ => Missing::Never,
        };
        self.add(
            to,
            "fold",
            missing,
            What::Fold(Fold {
                of: of.clone(),
                by,
                field,
            }),
        );
    }

    /// Returns the values of a model, or its numbers alone.
    fn values(&self, model: usize, numbers: bool) -> Vec<Field> {
        let fits = |field: &&Field| match field.what {
            What::Value(Scalar::Text | Scalar::Flag) => !numbers,
            What::Value(_) => true,
            _ => false,
        };
        self.models[model]
            .fields
            .iter()
            .filter(fits)
            .cloned()
            .collect()
    }

    fn recent(&mut self, to: usize, of: &Child) {
        let values = self.values(of.model, false);
        let sort = self.random.pick(&values).name.clone();
        let mut fields = vec![sort.clone()];
        let other = self.random.pick(&values).name.clone();
        if other != sort {
            fields.push(other);
        }
        let recent = Recent {
            of: of.clone(),
            sort,
            desc: self.random.percent(30),
            limit: self.random.between(1, 3),
            element: format!("{}R{}", self.models[to].name, self.names),
            has_id: self.random.percent(60),
            fields,
        };
        self.add(to, "recent", Missing::Never, What::Recent(recent));
    }

    /// Adds a copy whose key is in the document that it comes from.
    fn copy_of_owner(&mut self, from: usize, to: usize, via: &str) {
        let values = self.values(from, false);
        let field = self.random.pick(&values).name.clone();
        let via = Via::Source(via.to_owned());
        let copy = CopyOf {
            via,
            model: from,
            field,
            snapshot: false,
            nullify: false,
        };
        let missing = self.missing_copy(true);
        self.add(to, "copy", missing, What::Copy(copy));
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}_{}", self.names)
    }

    /// Adds a field to a model; returns its name.
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
