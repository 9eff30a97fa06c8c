//! Converts the paths of a survey to a tree.

use crate::survey::{PathStep, PathSurvey};

/// The survey of one path, and the nodes of the paths below it.
#[derive(Debug)]
pub(super) struct Node<'s> {
    pub(super) survey: &'s PathSurvey,
    /// The fields of embedded documents, by their stored names.
    pub(super) fields: Vec<(&'s str, Node<'s>)>,
    pub(super) each: Option<Box<Node<'s>>>,
    pub(super) any: Option<Box<Node<'s>>>,
}

/// Returns the top-level fields of the documents, each with the tree below it.
pub(super) fn tree(paths: &[PathSurvey]) -> Vec<(&str, Node<'_>)> {
    let mut fields: Vec<(&str, Node<'_>)> = Vec::new();
    for survey in paths {
        let Some((PathStep::Field(name), rest)) = survey.steps.split_first() else {
            continue;
        };
        if rest.is_empty() {
            fields.push((name, Node::new(survey)));
        } else if let Some((_, field)) = fields.iter_mut().find(|(known, _)| known == name) {
            field.put(survey, rest);
        }
    }
    fields
}

impl<'s> Node<'s> {
    fn new(survey: &'s PathSurvey) -> Self {
        Self {
            survey,
            fields: Vec::new(),
            each: None,
            any: None,
        }
    }

    /// Inserts a path. The paths above it must already be in the tree.
    fn put(&mut self, survey: &'s PathSurvey, steps: &'s [PathStep]) {
        let Some((first, rest)) = steps.split_first() else {
            return;
        };
        let below = match first {
            PathStep::Field(name) => {
                let known = self.fields.iter_mut().find(|(known, _)| known == name);
                known.map(|(_, field)| field)
            }
            PathStep::Each => self.each.as_deref_mut(),
            PathStep::AnyField => self.any.as_deref_mut(),
        };
        match (below, first) {
            (Some(below), _) => below.put(survey, rest),
            (None, PathStep::Field(name)) => self.fields.push((name, Self::new(survey))),
            (None, PathStep::Each) => self.each = Some(Box::new(Self::new(survey))),
            (None, PathStep::AnyField) => self.any = Some(Box::new(Self::new(survey))),
        }
    }

    /// Returns the number of values at this path that are not null.
    pub(super) const fn values(&self) -> u64 {
        self.survey.present.saturating_sub(self.survey.nulls)
    }
}
