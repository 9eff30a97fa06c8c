//! Reads the appearance of a picture from its XML.

use mongo_odm::schema;
use mongo_odm_tools::Pictures;
use roxmltree::{Document, Node};

struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn of(node: Node<'_, '_>) -> Self {
        let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let (left, top) = (number("x"), number("y"));
        Self {
            left,
            top,
            right: left + number("width"),
            bottom: top + number("height"),
        }
    }

    fn holds(&self, x: f64, y: f64) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

fn of_class<'a, 'input>(
    picture: &'a Document<'input>,
    class: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    picture.descendants().filter(move |node| {
        let classes = node.attribute("class").unwrap_or_default();
        classes.split(' ').any(|of| of == class)
    })
}

fn frames(picture: &Document<'_>, class: &'static str) -> Vec<Frame> {
    of_class(picture, class).map(Frame::of).collect()
}

/// Lists the points in the data of a path. The curves between the points stay within their bounds.
fn points(path: Node<'_, '_>) -> Vec<(f64, f64)> {
    let data = path.attribute("d").unwrap();
    let numbers: Vec<f64> = data
        .split(|letter: char| letter == ' ' || letter.is_ascii_alphabetic())
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().unwrap())
        .collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn each_collection_is_a_box_on_the_canvas_that_overlaps_no_other() {
    let svg = schema().svg();
    let picture = Document::parse(&svg).unwrap();
    let canvas = &frames(&picture, "canvas")[0];
    let boxes = frames(&picture, "box");
    assert_eq!(boxes.len(), schema().collections.len());
    for (number, one) in boxes.iter().enumerate() {
        assert!(canvas.holds(one.left, one.top) && canvas.holds(one.right, one.bottom));
        for other in &boxes[number + 1..] {
            let beside = one.right < other.left || other.right < one.left;
            let above = one.bottom < other.top || other.bottom < one.top;
            assert!(beside || above);
        }
    }
}

#[test]
fn no_line_leaves_the_canvas_and_each_begins_and_ends_at_a_box() {
    let svg = schema().svg();
    let picture = Document::parse(&svg).unwrap();
    let canvas = &frames(&picture, "canvas")[0];
    let boxes = frames(&picture, "box");
    let lines = picture.descendants().filter(|node| node.has_tag_name("g"));
    let lines = lines.flat_map(|group| {
        group.children().filter(|node| {
            node.attribute("class")
                .is_some_and(|class| class.ends_with(" line"))
        })
    });
    let mut count = 0;
    for line in lines {
        let points = points(line);
        for (x, y) in &points {
            assert!(canvas.holds(*x, *y), "{points:?}");
            let inside = |of: &&Frame| of.left < *x && *x < of.right && of.holds(*x, *y);
            assert!(
                boxes.iter().find(inside).is_none(),
                "{points:?} crosses a box"
            );
        }
        for (x, y) in [points[0], points[points.len() - 1]] {
            let at_edge = |of: &Frame| of.holds(x, y) && (x == of.left || x == of.right);
            assert!(boxes.iter().any(at_edge), "{points:?} ends nowhere");
        }
        count += 1;
    }
    assert_eq!(
        count,
        schema().mermaid().matches(" : ").count(),
        "as many lines as relations"
    );
}

#[test]
fn every_text_stays_in_its_box() {
    let svg = schema().svg();
    let picture = Document::parse(&svg).unwrap();
    for of_box in of_class(&picture, "box") {
        let frame = Frame::of(of_box);
        let group = of_box.parent().unwrap();
        for text in group.children().filter(|node| node.has_tag_name("text")) {
            let number = |name| text.attribute(name).unwrap().parse::<f64>().unwrap();
            let (x, length) = (number("x"), number("textLength"));
            let from_right = text.attribute("text-anchor").is_some();
            let (left, right) = if from_right {
                (x - length, x)
            } else {
                (x, x + length)
            };
            assert!(
                frame.holds(left, number("y")) && frame.holds(right, number("y")),
                "{text:?}"
            );
        }
    }
}

/// Names are shown as plain text, whatever characters they contain.
#[test]
fn hostile_names_are_shown_as_they_are() {
    let svg = schema().svg();
    let picture = Document::parse(&svg).unwrap();
    let texts: Vec<_> = picture
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    for name in [
        "größe \"<b>&amp;</b>\" {|} ;#quot; ]]> -->",
        "</text><script>alert('1')</script>",
        "a\"b\\n{c}|<d>~e~#35;%%",
        "價格 цена 💶",
        "line\u{fffd}break\u{fffd}and\u{fffd}turned",
    ] {
        assert!(texts.contains(&name), "{name}");
    }
    let mut names = picture.descendants().map(|node| node.tag_name().name());
    assert!(names.all(|name| {
        [
            "", "svg", "title", "style", "g", "rect", "path", "circle", "text",
        ]
        .contains(&name)
    }));
}

#[test]
fn a_picture_needs_nothing_from_elsewhere() {
    let svg = schema().svg();
    for word in [
        "href",
        "url(",
        "@import",
        "<script",
        "<image",
        "<foreignObject",
    ] {
        let shown = svg.replace("&lt;script", "");
        assert!(!shown.contains(word), "{word}");
    }
}

#[test]
fn a_long_name_is_cut_and_whole_in_a_tooltip() {
    let svg = schema().svg();
    let picture = Document::parse(&svg).unwrap();
    let titles: Vec<_> = picture
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    let whole = "a very long name of a field that nobody would ever write down by hand, and somebody does all the same";
    assert!(titles.contains(&whole));
    assert!(titles.contains(&"BTreeMap<String, Vec<Option<(i64, String)>>>"));
}
