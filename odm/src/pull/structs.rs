//! Structs, and what their fields are.

use std::collections::HashSet;

use super::{
    enums::{self, EnumPlan},
    ident::{self, Names},
    targets::{Stub, Targets, field_names, id_type},
    tree::Node,
    types::{of_value, wrapped},
};
use crate::shell;

/// More fields than these go into one map.
const FIELDS: usize = 100;

/// Deeper documents are kept as they are.
const DEPTH: usize = 12;

/// Up to how many elements of an array get a bound.
const BOUNDED: u64 = 1_000;

/// One struct.
#[derive(Clone, Debug, Default)]
pub(super) struct StructPlan {
    pub(super) name: String,
    pub(super) docs: Vec<String>,
    pub(super) fields: Vec<FieldPlan>,
    /// The name of the field for all others, and why there is one.
    pub(super) rest: Option<(String, String)>,
}

/// One field.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldPlan {
    pub(super) name: String,
    pub(super) stored: String,
    pub(super) ty: String,
    /// The type without what says that it may be missing, null or an array.
    pub(super) base: String,
    pub(super) is_array: bool,
    pub(super) serde: Option<&'static str>,
    pub(super) attributes: Vec<String>,
    pub(super) comments: Vec<String>,
    /// The number of its struct.
    pub(super) embedded: Option<usize>,
    /// The model that it refers to.
    pub(super) target: Option<String>,
}

/// Where a struct stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    depth: usize,
    /// Nothing can be declared in a map.
    in_map: bool,
}

/// A type as it is written.
#[derive(Clone, Debug, Default)]
struct Typed {
    text: String,
    base: String,
    arrays: usize,
    embedded: Option<usize>,
}

impl Typed {
    fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            base: text.clone(),
            text,
            ..Self::default()
        }
    }
}

/// Plans the structs of one model.
pub(super) struct Planner<'p, 's> {
    pub(super) stub: &'p Stub<'s>,
    pub(super) stubs: &'p [Stub<'s>],
    pub(super) targets: &'p Targets<'s>,
    pub(super) names: &'p mut Names,
    pub(super) structs: Vec<StructPlan>,
    pub(super) enums: Vec<EnumPlan>,
}

impl Planner<'_, '_> {
    /// Plans the struct of the documents themselves.
    pub(super) fn root(&mut self, fields: &[(&str, Node<'_>)]) -> StructPlan {
        let place = Place {
            depth: 0,
            in_map: false,
        };
        self.plan(self.stub.name.clone(), fields, self.stub.sampled, place)
    }

    fn plan(
        &mut self,
        name: String,
        all: &[(&str, Node<'_>)],
        of: u64,
        place: Place,
    ) -> StructPlan {
        let mut names = field_names(all.iter().map(|(stored, _)| *stored));
        let declared = declared(all);
        let mut plan = StructPlan {
            name,
            ..StructPlan::default()
        };
        let mut left_out = Vec::new();
        for (at, ((stored, node), name)) in all.iter().zip(names.iter().cloned()).enumerate() {
            if declared.contains(&at) {
                let field = self.field(&plan.name, name, stored, node, place);
                plan.fields.push(field);
            } else {
                left_out.push(*stored);
            }
        }
        let rare = all.iter().filter(|(_, node)| node.survey.present * 50 < of);
        let rare: Vec<&str> = rare.map(|(stored, _)| *stored).collect();
        if let Some(why) = rest(&left_out, &rare, of) {
            names.push("id".to_owned());
            let mut taken = Names::default();
            for name in &names {
                taken.take([name.clone()]);
            }
            plan.rest = Some((taken.take(["rest", "other_fields"]), why));
        }
        plan
    }

    fn field(
        &mut self,
        of: &str,
        name: String,
        stored: &str,
        node: &Node<'_>,
        place: Place,
    ) -> FieldPlan {
        let mut field = FieldPlan {
            name,
            stored: stored.to_owned(),
            ..FieldPlan::default()
        };
        if place.depth == 0 && stored == "_id" {
            field.ty = id_type(of, node);
            field.base.clone_from(&field.ty);
            return field;
        }
        let is_kind = place.depth == 0 && self.stub.kind.is_some_and(|(kind, _)| kind == stored);
        if is_kind {
            (field.ty, field.base) = ("Option<String>".to_owned(), "String".to_owned());
            let why = "The kind of the document: `None` is filled in by every write.";
            field.comments.push(why.to_owned());
            return field;
        }
        let typed = match self.reference(&mut field, node, place) {
            Some(typed) => typed,
            None => self.typed(of, stored, node, place),
        };
        (field.ty, field.serde) = wrapped(node, &typed.text);
        field.is_array = typed.arrays > 0;
        field.base = typed.base;
        field.embedded = typed.embedded;
        if node.survey.types.len() > 1 {
            field.comments.push(mixed(node));
        }
        if !place.in_map && field.target.is_none() && typed.arrays == 1 {
            field
                .attributes
                .extend(bound(&mut field.comments, node).map(|max| format!("embed(max = {max})")));
        }
        field
    }

    /// Makes a field a reference, if its values lead somewhere.
    fn reference(&mut self, field: &mut FieldPlan, node: &Node<'_>, place: Place) -> Option<Typed> {
        let (keys, is_many) = match &node.each {
            Some(each) => (&**each, true),
            None => (node, false),
        };
        if place.in_map || is_many && (keys.survey.nulls > 0 || node.survey.types.len() > 1) {
            return None;
        }
        let target = self.targets.find(self.stub.collection, keys, self.stubs)?;
        let mut options = Vec::new();
        let word = match (is_many, place.depth) {
            (true, _) => {
                options.push("many".to_owned());
                "refs"
            }
            (false, 0) => "parent_ref",
            (false, _) => {
                options.push("one".to_owned());
                "refs"
            }
        };
        let base = match &target.field {
            Some(key) => {
                options.push(format!(
                    "to = {}",
                    ident::quoted(&format!("{}.{key}", target.model))
                ));
                of_value(keys)?.to_owned()
            }
            None => target.id_type,
        };
        if is_many {
            options.extend(bound(&mut field.comments, node).map(|max| format!("max = {max}")));
        }
        let options = options.join(", ");
        field.attributes.push(if options.is_empty() {
            word.to_owned()
        } else {
            format!("{word}({options})")
        });
        field.target = Some(target.model);
        let text = if is_many {
            format!("Vec<{base}>")
        } else {
            base.clone()
        };
        Some(Typed {
            text,
            base,
            arrays: usize::from(is_many),
            embedded: None,
        })
    }

    /// Returns the type of what stands at a place and is not null.
    fn typed(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        if let Some(texts) = enums::words(node) {
            let one = ident::type_of_many(stored);
            let name = self.names.take([format!("{of}{one}")]);
            self.enums.push(EnumPlan::new(name.clone(), &texts));
            return Typed::plain(name);
        }
        match node.survey.only_type() {
            Some("object") => self.embedded(of, stored, node, place),
            Some("array") => self.array(of, stored, node, place),
            _ => Typed::plain(of_value(node).unwrap_or("Bson")),
        }
    }

    fn array(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        let Some(each) = &node.each else {
            return Typed {
                arrays: 1,
                ..Typed::plain("Vec<Bson>")
            };
        };
        let inner = self.typed(of, stored, each, place);
        let is_nullable = each.survey.nulls > 0 && inner.text != "Bson";
        let text = if is_nullable {
            format!("Vec<Option<{}>>", inner.text)
        } else {
            format!("Vec<{}>", inner.text)
        };
        Typed {
            text,
            arrays: inner.arrays + 1,
            ..inner
        }
    }

    fn embedded(&mut self, of: &str, stored: &str, node: &Node<'_>, place: Place) -> Typed {
        let below = Place {
            depth: place.depth + 1,
            ..place
        };
        if below.depth > DEPTH {
            return Typed::plain("Document");
        }
        if let Some(any) = &node.any {
            let in_map = Place {
                in_map: true,
                ..below
            };
            let inner = self.typed(of, stored, any, in_map);
            let is_nullable = any.survey.nulls > 0 && inner.text != "Bson";
            let inner = if is_nullable {
                format!("Option<{}>", inner.text)
            } else {
                inner.text
            };
            return Typed::plain(format!("BTreeMap<String, {inner}>"));
        }
        if !node.fields.iter().any(|(stored, _)| is_storable(stored)) {
            return Typed::plain("Document");
        }
        let one = ident::type_of_many(stored);
        let name = self.names.take([one.clone(), format!("{of}{one}")]);
        let documents = node.survey.types.iter().find(|it| it.name == "object");
        let documents = documents.map_or(0, |it| it.count);
        let mut plan = self.plan(name.clone(), &node.fields, documents, below);
        plan.docs = vec![format!(
            "What `{}` holds in `{}`.",
            node.survey.path, self.stub.collection
        )];
        self.structs.push(plan);
        Typed {
            embedded: Some(self.structs.len() - 1),
            ..Typed::plain(name)
        }
    }
}

/// Lists the positions of the fields that a struct has: the most frequent ones with names that can be stored.
fn declared(all: &[(&str, Node<'_>)]) -> HashSet<usize> {
    let storable = all
        .iter()
        .enumerate()
        .filter(|(_, (stored, _))| is_storable(stored));
    let mut often: Vec<(usize, u64)> = storable
        .map(|(at, (_, node))| (at, node.survey.present))
        .collect();
    often.sort_by_key(|(_, present)| std::cmp::Reverse(*present));
    let id = all.iter().position(|(stored, _)| *stored == "_id");
    let often = often.into_iter().map(|(at, _)| at).take(FIELDS);
    often.chain(id).collect()
}

/// Writes a text into one line.
fn in_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Whether a field of a struct can be stored under a name.
fn is_storable(stored: &str) -> bool {
    !stored.is_empty() && !stored.starts_with('$') && !stored.contains('.')
}

/// Says why a struct needs a field for all others, if it does.
fn rest(left_out: &[&str], rare: &[&str], of: u64) -> Option<String> {
    const SHOWN: usize = 5;
    let shown = |names: &[&str]| {
        let first = names
            .iter()
            .take(SHOWN)
            .map(|name| format!("`{}`", name.escape_debug()));
        let more = if names.len() > SHOWN { " .." } else { "" };
        format!("{}{more}", first.collect::<Vec<_>>().join(", "))
    };
    if !left_out.is_empty() {
        let names = shown(left_out);
        return Some(format!(
            "Fields that are rare, or have names that no field of a struct has: {names}."
        ));
    }
    // One of a few documents is not rare.
    (!rare.is_empty() && of >= 100).then(|| {
        let names = shown(rare);
        format!("Some fields are in fewer than 2 of 100 documents ({names}): there may be others, which are kept here.")
    })
}

fn mixed(node: &Node<'_>) -> String {
    let types = node.survey.types.iter().map(|it| {
        let example = in_line(&shell::value(&it.example));
        format!("{} {} (`_id` {example})", it.count, it.name)
    });
    format!(
        "Values of several types: {}.",
        types.collect::<Vec<_>>().join(", ")
    )
}

/// Returns the bound of an array, and says where it comes from.
fn bound(comments: &mut Vec<String>, node: &Node<'_>) -> Option<u64> {
    let lengths = node.survey.lengths.as_ref()?;
    if lengths.min == lengths.max {
        return None;
    }
    let (longest, id) = (lengths.max, in_line(&shell::value(&lengths.longest)));
    let longest = format!("The longest seen has {longest} (`_id` {id})");
    if lengths.max > BOUNDED {
        comments.push(format!(
            "{longest}: better a reference at the other side, if it grows."
        ));
        return None;
    }
    comments.push(format!(
        "{longest}; `max` leaves room, and writes refuse more."
    ));
    Some(roomy(lengths.max))
}

/// Returns a round number of at least four times as many.
fn roomy(longest: u64) -> u64 {
    let mut power = 10;
    loop {
        for step in [1, 2, 5] {
            if power * step >= longest * 4 {
                return power * step;
            }
        }
        power *= 10;
    }
}
