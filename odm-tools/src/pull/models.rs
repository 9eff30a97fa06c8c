//! Decides which models `pull` writes for a database, and which declarations each model contains.

use std::borrow::Cow;

use mongo_odm::{__tools::Sharding, IndexSpec};

use super::{
    enums::EnumPlan,
    ident::{Names, quoted, raw, type_of_many},
    indexes::{Declared, Structs, declare, declare_shard_key},
    kinds::kinds,
    left_out::{is_modelled, kinds_of},
    structs::{Planner, StructPlan},
    targets::{Stub, Targets, ids},
    tree::tree,
};
use crate::survey::{CollectionSurvey, Survey, fields, is_mere_key};

/// A model to be written, with its embedded structs and its enums.
#[derive(Debug)]
pub(super) struct ModelPlan {
    pub(super) root: StructPlan,
    /// The options of the attribute `#[model(..)]`.
    pub(super) options: Vec<String>,
    pub(super) comments: Vec<String>,
    pub(super) structs: Vec<StructPlan>,
    pub(super) enums: Vec<EnumPlan>,
    collection: String,
    kind: bool,
}

/// Returns the models to be written for all collections of a survey.
pub(super) fn models(survey: &Survey) -> Vec<ModelPlan> {
    let mut names = Names::of_types();
    let stubs = stubs(survey, &mut names);
    let targets = Targets::of(survey);
    let mut models = Vec::new();
    for stub in &stubs {
        let Some(collection) = survey.collection(stub.collection) else {
            continue;
        };
        let mut planner = Planner {
            stub,
            stubs: &stubs,
            targets: &targets,
            names: &mut names,
            structs: Vec::new(),
            enums: Vec::new(),
        };
        let root = planner.root(&tree(&stub.paths));
        let (structs, enums) = (planner.structs, planner.enums);
        let mut model = ModelPlan {
            root,
            options: vec![format!("collection = {}", quoted(stub.collection))],
            comments: Vec::new(),
            structs,
            enums,
            collection: stub.collection.to_owned(),
            kind: stub.kind.is_some(),
        };
        model.root.docs.splice(0..0, docs(stub, collection));
        if let Some((field, value)) = stub.kind {
            model
                .options
                .push(format!("kind({} = {})", quoted(field), quoted(value)));
        }
        model.shard_key(collection);
        model.index(collection, stub, &stubs);
        models.push(model);
    }
    reverse(&mut models);
    models
}

/// Creates a stub with a name for each model. A collection has one model, or one for each kind.
fn stubs<'s>(survey: &'s Survey, names: &mut Names) -> Vec<Stub<'s>> {
    let mut stubs = Vec::new();
    for collection in survey.collections.iter().filter(|it| is_modelled(it)) {
        let one = type_of_many(&collection.name);
        let Some(kinds) = kinds(collection) else {
            stubs.push(Stub {
                name: names.take([one.clone(), format!("{one}Doc")]),
                collection: &collection.name,
                kind: None,
                paths: Cow::Borrowed(&collection.paths),
                sampled: collection.sampled,
                documents: collection.sample.iter().collect(),
                ids: ids(std::iter::empty()),
            });
            continue;
        };
        for (kind, documents) in kinds.documents {
            let name = type_of_many(kind);
            stubs.push(Stub {
                name: names.take([name.clone(), format!("{name}{one}")]),
                collection: &collection.name,
                kind: Some((kinds.field, kind)),
                sampled: documents.len() as u64,
                ids: ids(documents.iter().copied()),
                paths: Cow::Owned(fields(documents.iter().copied())),
                documents,
            });
        }
    }
    stubs
}

fn docs(stub: &Stub<'_>, collection: &CollectionSurvey) -> Vec<String> {
    let (name, sampled) = (&collection.name, stub.sampled);
    let mut docs = vec![match stub.kind {
        Some((field, kind)) => format!(
            "Documents of `{name}` whose `{field}` is `{}`; {sampled} were looked at.",
            kind.escape_debug()
        ),
        None if collection.is_complete && sampled == 1 => format!("The only document of `{name}`."),
        None if collection.is_complete => {
            format!("The {sampled} documents of `{name}`, all of which were looked at.")
        }
        None => match collection.documents {
            Some(all) => {
                format!("The {all} documents of `{name}`, of which {sampled} were looked at.")
            }
            None => format!("Documents of `{name}`, of which {sampled} were looked at."),
        },
    }];
    docs.extend(kinds_of(collection).into_iter().map(str::to_owned));
    docs
}

/// Whether the model of `stub` declares an index of its collection. If the index is filtered by a kind, the model of
/// that kind declares it. An index without such a filter is declared by the first model that has all fields of the
/// index.
fn is_declared_at(index: &IndexSpec, stub: &Stub<'_>, stubs: &[Stub<'_>]) -> bool {
    let Some((field, kind)) = stub.kind else {
        return true;
    };
    let filter = index.options.get_document("partialFilterExpression").ok();
    if let Some(of) = filter.and_then(|filter| filter.get_str(field).ok()) {
        return of == kind;
    }
    let has_keys = |stub: &&Stub<'_>| {
        index.keys.keys().all(|key| {
            let first = key.split('.').next().unwrap_or_default();
            stub.paths.iter().any(|path| path.path == first)
        })
    };
    let mut of_collection = stubs.iter().filter(|it| it.collection == stub.collection);
    let first = of_collection.find(has_keys);
    first.is_none_or(|first| first.name == stub.name)
}

impl ModelPlan {
    /// Adds the shard key. If a collection has several kinds, the model of each kind declares the key.
    fn shard_key(&mut self, collection: &CollectionSurvey) {
        if let Some(key) = &collection.shard_key {
            self.declare(declare_shard_key(key, self.all_structs()));
        }
    }

    /// Adds the declarations of the indexes that belong to this model. The declaration of a shard key includes its
    /// index.
    fn index(&mut self, collection: &CollectionSurvey, stub: &Stub<'_>, stubs: &[Stub<'_>]) {
        let is_shard_key = |index: &IndexSpec| {
            let key = collection.shard_key.as_ref();
            key.is_some_and(|key| Sharding::is_same_key(key, &index.keys))
                && index.options.is_empty()
        };
        let own = collection
            .indexes
            .iter()
            .filter(|index| is_declared_at(index, stub, stubs) && !is_shard_key(index));
        for index in own {
            self.declare(declare(index, self.all_structs(), stub.kind));
        }
    }

    fn all_structs(&self) -> Structs<'_> {
        Structs {
            root: &self.root,
            embedded: &self.structs,
        }
    }

    fn declare(&mut self, declared: Declared) {
        match declared {
            Declared::AtField(at, text) => self.index_field(at, text),
            Declared::AtStruct(text) => self.options.push(text),
            Declared::Comment(why) => self.comments.push(why),
        }
    }

    fn index_field(&mut self, at: usize, text: String) {
        let Some(field) = self.root.fields.get_mut(at) else {
            return;
        };
        if field.attributes.iter().any(|it| it.starts_with("index")) {
            let comment = format!("Another index of `{}`: `{text}`.", field.name);
            self.comments.push(comment);
        } else {
            field.attributes.push(text);
        }
    }

    /// Lists the references of the model. Each entry contains the reference's Rust path, its target, and whether its
    /// values are unique.
    fn references(&self) -> Vec<(String, String, bool)> {
        let mut found = Vec::new();
        self.references_in(&self.root, "", &mut found);
        found
    }

    fn references_in(
        &self,
        plan: &StructPlan,
        above: &str,
        found: &mut Vec<(String, String, bool)>,
    ) {
        for field in &plan.fields {
            let path = format!("{above}{}", field.name);
            if let Some(target) = &field.target {
                let is_unique = field
                    .attributes
                    .iter()
                    .any(|it| it.starts_with("index(unique"));
                found.push((
                    path.clone(),
                    target.clone(),
                    is_unique && above.is_empty() && !field.is_array,
                ));
            }
            if let Some(inner) = field.embedded.and_then(|at| self.structs.get(at)) {
                self.references_in(inner, &format!("{path}."), found);
            }
        }
    }
}

/// Adds `has_many` or `has_one` to the target model of each reference.
fn reverse(models: &mut [ModelPlan]) {
    let mut all = Vec::new();
    for model in models.iter() {
        let many = if model.kind {
            format!("{}s", super::ident::field(&model.root.name))
        } else {
            super::ident::field(&model.collection)
        };
        for (path, target, is_single) in model.references() {
            let one = super::ident::field(&model.root.name);
            let name = if is_single { one } else { many.clone() };
            all.push((
                target,
                name,
                format!("{}.{path}", model.root.name),
                is_single,
            ));
        }
    }
    for model in models {
        let mut names = Names::default();
        let own = model
            .root
            .fields
            .iter()
            .filter(|field| field.target.is_some());
        for field in own {
            names.take([field.name.clone()]);
        }
        let to_this = all.iter().filter(|(target, ..)| *target == model.root.name);
        for (_, name, path, is_single) in to_this {
            let by = path.rsplit('.').find(|name| !is_mere_key(name));
            let by = by.unwrap_or(path);
            let name = names.take([name.clone(), format!("{name}_by_{by}")]);
            let word = if *is_single { "has_one" } else { "has_many" };
            model
                .options
                .push(format!("{word}({} = {})", raw(&name), quoted(path)));
        }
    }
}
