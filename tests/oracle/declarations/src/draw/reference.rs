//! Generates references, and the structs that contain them.

use super::{Draw, Place};
use crate::declaration::{
    About, Child, Embed, Field, Form, Missing, Reference, Rule, Scalar, What,
};

impl Draw {
    /// Adds a reference to a model, with the fields that are derived through it.
    pub(super) fn reference(&mut self, from: usize) {
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

    /// Returns an array of structs that each contain an array.
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

    /// Draws a reference from a model to an earlier model and to the model itself.
    pub(super) fn about(&mut self, from: usize) -> (Missing, About) {
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
}
