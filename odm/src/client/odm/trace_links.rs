//! Links the spans of jobs to the writes that stored these jobs, also across processes.

use std::{fmt, sync::Arc};

/// Functions of the application that read and link trace contexts. [`Settings::trace_links`](crate::Settings::trace_links)
/// sets them.
///
/// # Examples
///
/// ```
/// use mongo_odm::{Settings, TraceLinks};
///
/// let settings = Settings::default();
/// let none: &TraceLinks = &settings.trace_links;
/// ```
#[derive(Clone, Default)]
pub struct TraceLinks(Option<Arc<Functions>>);

struct Functions {
    current: Box<dyn Fn() -> Option<String> + Send + Sync>,
    link: Box<dyn Fn(&str) + Send + Sync>,
}

impl TraceLinks {
    pub(super) fn new(
        current: impl Fn() -> Option<String> + Send + Sync + 'static,
        link: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let (current, link) = (Box::new(current), Box::new(link));
        Self(Some(Arc::new(Functions { current, link })))
    }

    /// Whether the application has set the functions.
    pub(crate) const fn are_set(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the trace context of the current span, which a write stores in its jobs.
    pub(crate) fn current(&self) -> Option<String> {
        self.0.as_ref().and_then(|functions| (functions.current)())
    }

    /// Links the current span to a stored trace context.
    pub(crate) fn link(&self, context: &str) {
        if let Some(functions) = &self.0 {
            (functions.link)(context);
        }
    }
}

impl fmt::Debug for TraceLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "TraceLinks(set)"
        } else {
            "TraceLinks(none)"
        })
    }
}
