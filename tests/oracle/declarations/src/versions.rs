//! The versions of a program over the same collections. Each version declares a part of all derived fields.

use crate::{
    declaration::{By, Declaration, Field, Missing, Reference, Rule, What},
    draw,
    random::Random,
};

/// The declarations of the programs that use the same database.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The declaration that contains the models and fields of all programs.
    pub all: Declaration,
    /// The declaration of each program.
    pub programs: Vec<Declaration>,
}

impl Versions {
    /// Returns the versions for a single program.
    pub fn one(all: Declaration) -> Self {
        Self {
            programs: vec![all.clone()],
            all,
        }
    }

    /// Draws an old and a new version of the declaration with the given name. Each version contains only a part of the
    /// declaration.
    ///
    /// Only one of the two programs declares some fields and delete rules. Documents may lack such a field.
    pub fn two(name: &str) -> Self {
        let mut all = draw::named(name);
        let mut random = Random::new(draw::seed(name), 3);
        let used = used(&all);
        let mut lacking = [Vec::new(), Vec::new()];
        for field in all.models.iter_mut().flat_map(|model| &mut model.fields) {
            // A number is drawn for each field, so that removing a field from the declaration does not change the
            // others.
            let program = random.below(3);
            let Some(missing) =
                optional(field).filter(|_| program < 2 && !used.contains(&field.name))
            else {
                continue;
            };
            field.missing = missing;
            lacking[program].push(field.name.clone());
        }
        let rules = has_rule(&all, Rule::Restrict);
        let programs = lacking.iter().enumerate().map(|(program, lacking)| {
            let mut own = all.clone();
            for model in &mut own.models {
                model.fields.retain(|field| !lacking.contains(&field.name));
                each_reference(&mut model.fields, &mut |it| forget(it, program, rules));
            }
            own
        });
        Self {
            programs: programs.collect(),
            all,
        }
    }
}

/// Returns how documents store a field that one program may lack; `None` if every program needs the field.
const fn optional(field: &Field) -> Option<Missing> {
    match (&field.what, field.missing) {
        (What::Value(_), Missing::Never) => None,
        // A program stores only the snapshots that it declares.
        (What::Copy(copy), _) if copy.snapshot => None,
        (What::Value(_), missing)
        | (What::Copy(_), missing @ (Missing::Null | Missing::Skipped)) => Some(missing),
        (What::Copy(_), _) => Some(Missing::Null),
        (What::Fold(fold), _) if matches!(fold.by, By::Min | By::Max) => Some(Missing::Null),
        (What::Fold(_) | What::Recent(_), _) => Some(Missing::Default),
        _ => None,
    }
}

/// Lists the fields that other fields depend on.
fn used(all: &Declaration) -> Vec<String> {
    let mut used = Vec::new();
    let fields = all.models.iter().flat_map(|model| &model.fields);
    for field in fields.flat_map(parts) {
        match &field.what {
            What::Copy(copy) => used.push(copy.field.clone()),
            What::Fold(fold) => used.extend(fold.field.clone()),
            What::Recent(recent) => {
                used.extend(recent.fields.iter().chain([&recent.sort]).cloned());
            }
            _ => {}
        }
    }
    used
}

/// Lists the fields of an embedded struct, at any depth, or the field itself if it is not embedded.
fn parts(field: &Field) -> Vec<&Field> {
    match &field.what {
        What::Embed(embed) => embed.fields.iter().flat_map(parts).collect(),
        _ => vec![field],
    }
}

/// Removes a delete rule from one of the two programs.
///
/// If a reference with `restrict` can stop a cascade, the cascade leaves a job. So in this case both programs know the
/// cascade.
fn forget(reference: &mut Reference, program: usize, is_restricted: bool) {
    let is_known = match reference.rule {
        Rule::Cascade => is_restricted || reference.to % 2 == program,
        _ => (reference.to + 1) % 3 != program,
    };
    if !is_known {
        reference.rule = Rule::Keep;
    }
}

fn has_rule(all: &Declaration, rule: Rule) -> bool {
    let mut has_it = false;
    for model in &mut all.clone().models {
        each_reference(&mut model.fields, &mut |it| has_it |= it.rule == rule);
    }
    has_it
}

fn each_reference(fields: &mut [Field], change: &mut impl FnMut(&mut Reference)) {
    for field in fields {
        match &mut field.what {
            What::Key(reference) | What::Keys(reference) => change(reference),
            What::Embed(embed) => each_reference(&mut embed.fields, change),
            _ => {}
        }
    }
}
