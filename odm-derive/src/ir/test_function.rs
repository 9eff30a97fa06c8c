//! A test function and the options of `#[mongo_odm_testkit::test]`.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Path, Signature, Visibility};

/// A test function. The macro does not parse the body, so mistakes in the body are reported by the compiler.
pub(crate) struct TestFunction {
    /// The attributes of the function, without attributes such as `#[tokio::test]`.
    pub(crate) attrs: Vec<Attribute>,
    /// Attributes such as `#[tokio::test]`, which are errors.
    pub(crate) other_tests: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    /// The block of the function. If the user wrote a semicolon instead, the compiler reports this mistake.
    pub(crate) body: TokenStream,
}

/// The options of a test.
pub(crate) struct TestOptions {
    /// The path of the testkit. The path is `::mongo_odm_testkit` unless the attribute contains `crate = ".."`.
    pub(crate) library: Path,
    pub(crate) runtime: TestRuntime,
    pub(crate) indexes: TestIndexes,
    /// The variant of `Settle` for the option `settle`.
    pub(crate) settle: Ident,
}

/// The Tokio runtime of a test.
pub(crate) enum TestRuntime {
    CurrentThread,
    /// Tokio's multi-threaded runtime. The value is the number of threads, or `None` for Tokio's default.
    MultiThread(Option<u32>),
}

/// The collections in which indexes are created before a test.
pub(crate) enum TestIndexes {
    All,
    None,
    /// The indexes in the collections of these models.
    Of(Vec<Path>),
}

impl TestFunction {
    /// Returns the attribute `#[should_panic]`.
    pub(crate) fn should_panic(&self) -> Option<&Attribute> {
        let mut attrs = self.attrs.iter();
        attrs.find(|attribute| attribute.path().is_ident("should_panic"))
    }
}
