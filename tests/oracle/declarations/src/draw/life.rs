//! Generates maintained fields and hooks.
//!
//! These fields are generated last and with separate random numbers. So a seed still results in the same declaration if
//! it has no such fields.

use std::collections::BTreeSet;

use crate::{
    declaration::{Declaration, Field, Maintained, Missing, Model, Reference, Rule, Scalar, What},
    random::Random,
};

/// Adds maintained fields and hooks to some models of a declaration.
pub(super) fn add(all: &mut Declaration, seed: u64) {
    let mut random = Random::new(seed, 4);
    if random.percent(20) {
        return;
    }
    let is_soft = random.percent(60);
    let mut soft = chosen(all, &mut random, if is_soft { 60 } else { 0 });
    close(&mut soft, all, cascades);
    let has_tenants = random.percent(30);
    let mut tenants = chosen(all, &mut random, if has_tenants { 40 } else { 0 });
    close(&mut tenants, all, dependents);
    use_ids(all, &soft, &tenants);
    for (number, model) in all.models.iter_mut().enumerate() {
        for (kind, percent) in [
            (Maintained::CreatedAt, 40),
            (Maintained::UpdatedAt, 50),
            (Maintained::Version, 60),
        ] {
            if random.percent(percent) {
                model.fields.push(field(kind, &mut random));
            }
        }
        if soft.contains(&number) {
            model.fields.push(field(Maintained::DeletedAt, &mut random));
        }
        if tenants.contains(&number) {
            model.fields.push(field(Maintained::Tenant, &mut random));
        }
        if random.percent(30) {
            model.hook = Some(first_number(model));
        }
    }
}

fn chosen(all: &Declaration, random: &mut Random, percent: usize) -> BTreeSet<usize> {
    (0..all.models.len())
        .filter(|_| random.percent(percent))
        .collect()
}

/// Adds the models that `next` reaches from the chosen ones, at any distance.
fn close(
    chosen: &mut BTreeSet<usize>,
    all: &Declaration,
    next: fn(&Declaration, usize) -> BTreeSet<usize>,
) {
    loop {
        let before = chosen.len();
        let more: Vec<usize> = chosen.iter().flat_map(|it| next(all, *it)).collect();
        chosen.extend(more);
        if chosen.len() == before {
            return;
        }
    }
}

/// Lists the models with documents that a delete of the given model also deletes. These models must keep deleted
/// documents, too.
fn cascades(all: &Declaration, to: usize) -> BTreeSet<usize> {
    let cascades = |model: &Model| {
        let mut references = Vec::new();
        each_reference(&model.fields, &mut |it| references.push(it.clone()));
        references
            .iter()
            .any(|it| it.to == to && it.rule == Rule::Cascade)
    };
    numbers(all, cascades)
}

/// Lists the models that must have the same tenant field as the given model: those that refer to it, contain data
/// derived from it, or share its collection.
fn dependents(all: &Declaration, of: usize) -> BTreeSet<usize> {
    let depends = |model: &Model| {
        let mut depends = model.collection == all.model(of).collection;
        each_reference(&model.fields, &mut |it| depends |= it.to == of);
        each_field(&model.fields, &mut |field| {
            depends |= match &field.what {
                What::Copy(it) => it.model == of,
                What::Fold(it) => it.of.model == of,
                What::Recent(it) => it.of.model == of,
                What::Follows(child, _) => child.model == of,
                _ => false,
            };
        });
        depends
    };
    numbers(all, depends)
}

fn numbers(all: &Declaration, is_one: impl Fn(&Model) -> bool) -> BTreeSet<usize> {
    let models = all.models.iter().enumerate();
    models
        .filter(|(_, it)| is_one(it))
        .map(|(number, _)| number)
        .collect()
}

/// Makes references store ids, because other keys are not unique if deleted documents or several tenants are included.
fn use_ids(all: &mut Declaration, soft: &BTreeSet<usize>, tenants: &BTreeSet<usize>) {
    let mut copied = Vec::new();
    for model in &all.models {
        each_field(&model.fields, &mut |field| {
            if let What::Copy(copy) = &field.what {
                copied.push(copy.via.clone());
            }
        });
    }
    let is_copied = |name: &str| {
        copied.iter().any(|it| match it {
            crate::declaration::Via::Beside(via) | crate::declaration::Via::Source(via) => {
                via == name
            }
        })
    };
    for model in &mut all.models {
        each_reference_mut(&mut model.fields, &mut |name, it| {
            let is_shared = soft.contains(&it.to) && is_copied(name);
            if is_shared || tenants.contains(&it.to) {
                it.by = None;
            }
        });
    }
}

fn field(kind: Maintained, random: &mut Random) -> Field {
    let (name, missing) = match kind {
        Maintained::CreatedAt => ("created_at", Missing::Never),
        Maintained::UpdatedAt => ("updated_at", Missing::Never),
        Maintained::Version if random.percent(50) => ("version", Missing::Default),
        Maintained::Version => ("version", Missing::Never),
        Maintained::DeletedAt if random.percent(40) => ("deleted_at", Missing::Skipped),
        Maintained::DeletedAt => ("deleted_at", Missing::Null),
        // All models of a collection must have the same tenant field.
        Maintained::Tenant => ("tenant", Missing::Never),
    };
    let is_renamed = kind != Maintained::Tenant && random.percent(20);
    Field {
        name: name.to_owned(),
        stored: if is_renamed {
            format!("x{name}")
        } else {
            name.to_owned()
        },
        missing,
        what: What::Maintained(kind),
    }
}

fn first_number(model: &Model) -> String {
    let is_number = |field: &&Field| {
        matches!(field.what, What::Value(Scalar::Long)) && field.missing == Missing::Never
    };
    let field = model.fields.iter().find(is_number);
    field.map_or_else(String::new, |it| it.name.clone())
}

fn each_field(fields: &[Field], look: &mut impl FnMut(&Field)) {
    for field in fields {
        look(field);
        if let What::Embed(embed) = &field.what {
            each_field(&embed.fields, look);
        }
    }
}

fn each_reference(fields: &[Field], look: &mut impl FnMut(&Reference)) {
    each_field(fields, &mut |field| match &field.what {
        What::Key(it) | What::Keys(it) => look(it),
        What::About(about) => about.targets.iter().for_each(&mut *look),
        _ => {}
    });
}

fn each_reference_mut(fields: &mut [Field], change: &mut impl FnMut(&str, &mut Reference)) {
    for field in fields {
        let name = &field.name;
        match &mut field.what {
            What::Key(it) | What::Keys(it) => change(name, it),
            What::About(about) => about.targets.iter_mut().for_each(|it| change(name, it)),
            What::Embed(embed) => each_reference_mut(&mut embed.fields, change),
            _ => {}
        }
    }
}
