//! Parses a test function and the options of `#[mongo_odm_testkit::test]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{
    Attribute, LitBool, Path, Signature, Token, Visibility,
    parse::{Parse, ParseStream, Parser},
    parse_quote,
    punctuated::Punctuated,
};

use super::{
    item::{Item, Value},
    options::Options,
};
use crate::{
    did_you_mean::{did_you_mean, listing},
    error::Errors,
    ir::{TestFunction, TestIndexes, TestOptions, TestRuntime},
};

/// The permitted values of the option `settle`, each with the matching variant of `Settle`.
const SETTLE: [(&str, &str); 3] = [
    ("immediate", "Immediate"),
    ("manual", "Manual"),
    ("background", "Background"),
];

/// The permitted values of the option `flavor`.
const FLAVORS: [(&str, Flavor); 2] = [
    ("current_thread", Flavor::CurrentThread),
    ("multi_thread", Flavor::MultiThread),
];

/// The kind of runtime, without its number of threads.
#[derive(Clone, Copy)]
enum Flavor {
    CurrentThread,
    MultiThread,
}

impl Parse for TestFunction {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse::<Visibility>()?;
        let start = input.cursor().span();
        if !starts_function(input) {
            let message = "only a function is a test; write `async fn name(odm: Odm) { .. }`";
            return Err(syn::Error::new(start, message));
        }
        let signature = input.parse::<Signature>()?;
        let body = input.parse()?;
        let (other_tests, attrs) = attrs.into_iter().partition(is_test);
        Ok(Self {
            attrs,
            other_tests,
            vis,
            signature,
            body,
        })
    }
}

/// Whether the next tokens are `fn`, or words such as `async` followed by `fn`.
fn starts_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while let Ok(token) = ahead.parse::<TokenTree>() {
        match token {
            TokenTree::Ident(word) if word == "fn" => return true,
            TokenTree::Ident(word)
                if ["const", "async", "unsafe", "extern"]
                    .iter()
                    .any(|it| word == it) => {}
            TokenTree::Literal(_) => {}
            _ => return false,
        }
    }
    false
}

/// Whether the attribute is `#[test]` or another attribute of this name, such as `#[tokio::test]`.
fn is_test(attribute: &Attribute) -> bool {
    let segments = &attribute.path().segments;
    segments.last().is_some_and(|last| last.ident == "test")
}

/// Reads the options of the attribute.
pub(crate) fn test_options(tokens: TokenStream, errors: &mut Errors) -> TestOptions {
    let attribute = Ident::new("test", Span::call_site());
    let mut options = Options::of(attribute, tokens, errors);
    let runtime = runtime(&mut options);
    let indexes = options.take("indexes");
    let indexes = indexes.map_or(TestIndexes::All, |item| indexes_of(item, options.errors));
    let settle = one_of(&mut options, "settle", &SETTLE);
    let library = options.path("crate", "\"mongo_odm_testkit\"");
    options.finish();
    TestOptions {
        library: library.unwrap_or_else(|| parse_quote!(::mongo_odm_testkit)),
        runtime,
        indexes,
        settle: Ident::new(settle.unwrap_or("Immediate"), Span::call_site()),
    }
}

/// Reads `flavor` and `worker_threads`, which have the same meaning as in `#[tokio::test]`.
fn runtime(options: &mut Options<'_>) -> TestRuntime {
    let flavor = one_of(options, "flavor", &FLAVORS).unwrap_or(Flavor::CurrentThread);
    let threads = options.number("worker_threads");
    if let Some(threads) = threads.as_ref().filter(|threads| threads.value == 0) {
        options.errors.at(
            &threads.written,
            "a runtime has at least one worker thread; write `worker_threads = 1`",
        );
    }
    match (flavor, threads) {
        (Flavor::MultiThread, threads) => {
            TestRuntime::MultiThread(threads.map(|threads| threads.value))
        }
        (Flavor::CurrentThread, Some(threads)) if !options.is_refused("flavor") => {
            let message =
                "a `current_thread` runtime has no worker threads; add `flavor = \"multi_thread\"`";
            options.errors.at(&threads.written, message);
            TestRuntime::CurrentThread
        }
        (Flavor::CurrentThread, _) => TestRuntime::CurrentThread,
    }
}

/// Reads an option whose value must be one of several strings. Returns the value that belongs to the string in `known`.
fn one_of<T: Copy>(
    options: &mut Options<'_>,
    name: &'static str,
    known: &[(&str, T)],
) -> Option<T> {
    let written = options.text(name)?;
    let value = written.value();
    if let Some((_, meaning)) = known.iter().find(|(known, _)| *known == value) {
        return Some(*meaning);
    }
    let known = known.iter().map(|(known, _)| format!("\"{known}\""));
    let known: Vec<String> = known.collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let remedy = did_you_mean(&format!("\"{value}\""), &known)
        .unwrap_or_else(|| format!("write {}", listing(&known, "or")));
    options.errors.at(
        &written,
        format!("`{name}` has no value `\"{value}\"`; {remedy}"),
    );
    options.refuse(name);
    None
}

/// Reads `indexes = false` or `indexes(Order, Customer)`.
fn indexes_of(item: Item, errors: &mut Errors) -> TestIndexes {
    const FORM: &str = "write `indexes = false`, or `indexes(Order, Customer)` with the models whose collections get indexes";
    let place = match item.value {
        Value::Absent => item.key,
        Value::Is(value) => match syn::parse2::<LitBool>(value.clone()) {
            Ok(value) if value.value => return TestIndexes::All,
            Ok(_) => return TestIndexes::None,
            Err(_) => value,
        },
        Value::List(list) => {
            let models = Punctuated::<Path, Token![,]>::parse_terminated.parse2(list.clone());
            match models {
                Ok(models) if !models.is_empty() => {
                    return TestIndexes::Of(models.into_iter().collect());
                }
                _ if list.is_empty() => item.key,
                _ => list,
            }
        }
    };
    errors.at(
        place,
        format!("the value of `indexes` is a list of models or `false`; {FORM}"),
    );
    TestIndexes::All
}
