mod aliased;
mod flattened;
mod null_elements;
mod recursive;
mod whole;

use std::collections::VecDeque;

use mongo_odm::prelude::*;
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    text: String,
    amount: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "invoices")]
struct Invoice {
    #[serde(rename = "_id")]
    id: Id<Invoice>,
    lines: Vec<Line>,
    #[embed(max = 2)]
    tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Line")]
struct LineText {
    text: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Invoice")]
struct InvoiceTexts {
    #[embed]
    lines: Vec<LineText>,
}

fn invoice() -> Invoice {
    let line = |text: &str| Line {
        text: text.to_owned(),
        amount: 1,
    };
    Invoice {
        id: Id::new(),
        lines: vec![line("a"), line("b")],
        tags: vec![],
    }
}

#[tokio::test]
async fn a_view_of_an_embedded_struct_asks_for_its_fields_alone() {
    let t = Harness::new("nested_view").await;
    t.given(&[invoice()]).await;
    t.forget();
    let texts = Invoice::find(&t.odm)
        .select::<InvoiceTexts>()
        .await
        .unwrap();
    let text = |text: &str| LineText {
        text: text.to_owned(),
    };
    assert_eq!(
        texts,
        [InvoiceTexts {
            lines: vec![text("a"), text("b")]
        }]
    );
    let sent = &t.recorder().commands()[0].command;
    assert_eq!(
        sent.get_document("projection").unwrap(),
        &doc! { "lines.text": 1, "_id": 0 }
    );
}

#[tokio::test]
async fn a_model_is_a_projection_of_itself() {
    let t = Harness::new("whole_view").await;
    let invoice = invoice();
    t.given(std::slice::from_ref(&invoice)).await;
    assert_eq!(
        Invoice::find(&t.odm).select::<Invoice>().await.unwrap(),
        [invoice]
    );
}

#[tokio::test]
async fn a_plain_projection_document_decodes_into_any_type() {
    let t = Harness::new("plain_projection").await;
    t.given(&[invoice()]).await;
    let found: Vec<bson::Document> = Invoice::find(&t.odm)
        .project(doc! { "lines.amount": 1, "_id": 0 })
        .await
        .unwrap();
    assert_eq!(
        found,
        [doc! { "lines": [{ "amount": 1_i64 }, { "amount": 1_i64 }] }]
    );
}

#[tokio::test]
async fn an_array_of_plain_values_keeps_its_bound() {
    let t = Harness::new("plain_bound").await;
    let full = Invoice {
        tags: vec!["a".into(), "b".into()],
        ..invoice()
    };
    t.given(std::slice::from_ref(&full)).await;
    let error = Invoice::update(&t.odm, full.id)
        .push(Invoice::fields().tags, "c")
        .await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("`Invoice.tags` may have 2 elements")
    );
    assert_eq!(Invoice::get(&t.odm, full.id).await.unwrap(), full);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "boxed_invoices")]
struct BoxedInvoice {
    #[serde(rename = "_id")]
    id: Id<BoxedInvoice>,
    first: Box<Line>,
    last: Option<Box<Line>>,
    lines: VecDeque<Box<Line>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "BoxedInvoice")]
struct BoxedTexts {
    #[embed]
    first: Box<LineText>,
    #[embed]
    last: Option<Box<LineText>>,
    #[embed]
    lines: VecDeque<LineText>,
}

#[tokio::test]
async fn a_view_of_a_struct_in_a_box_asks_for_its_fields_alone() {
    let t = Harness::new("boxed_view").await;
    let line = |text: &str| {
        let text = text.to_owned();
        Box::new(Line { text, amount: 1 })
    };
    let invoice = BoxedInvoice {
        id: Id::new(),
        first: line("a"),
        last: None,
        lines: VecDeque::from([line("b")]),
    };
    t.given(&[invoice]).await;
    t.forget();
    let texts = BoxedInvoice::find(&t.odm).select::<BoxedTexts>();
    let texts = texts.await.unwrap();
    let text = |text: &str| LineText {
        text: text.to_owned(),
    };
    let expected = BoxedTexts {
        first: Box::new(text("a")),
        last: None,
        lines: VecDeque::from([text("b")]),
    };
    assert_eq!(texts, [expected]);
    let projection = odm_tests::sent::only(&t, "find");
    let projection = projection.get_document("projection").unwrap();
    let asked = doc! { "first.text": 1, "last.text": 1, "lines.text": 1, "_id": 0 };
    assert_eq!(*projection, asked);
}
