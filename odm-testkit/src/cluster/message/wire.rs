//! Reads and writes messages of the wire protocol. Only `OP_MSG` is supported, which all drivers for version 4.0 and
//! later of the server send. Compression is never negotiated.

use std::io;

use mongodb::bson::{Bson, Document};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::text;

const OP_MSG: i32 = 2013;
const HEADER: usize = 16;
/// Largest message that the server accepts.
const MAX_MESSAGE: usize = 48_000_000;
/// Flag: a checksum of four bytes follows the sections.
const CHECKSUM: u32 = 1;
/// Flag: the sender does not expect a reply.
const MORE_TO_COME: u32 = 1 << 1;

/// Names of the arrays that are sent as sections of their own, because they can exceed the maximum size of a document.
const SEQUENCES: [&str; 3] = ["documents", "updates", "deletes"];

/// A message with one document, into which the sections have been inserted as arrays.
pub(crate) struct Message {
    pub(crate) id: i32,
    pub(crate) body: Document,
    pub(crate) wants_reply: bool,
}

/// Reads the next message. Returns `None` if the other side has closed the connection.
pub(crate) async fn read(stream: &mut TcpStream) -> io::Result<Option<Message>> {
    let mut header = [0; HEADER];
    match stream.read_exact(&mut header).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    };
    let mut header = Bytes(&header);
    let (length, id, _, code) = (header.i32()?, header.i32()?, header.i32()?, header.i32()?);
    let length = usize::try_from(length).map_err(invalid)?;
    if code != OP_MSG || !(HEADER..=MAX_MESSAGE).contains(&length) {
        return Err(invalid(format!("message of {length} bytes, opcode {code}")));
    }
    let mut content = vec![0; length - HEADER];
    stream.read_exact(&mut content).await?;
    let (body, flags) = decode(&content)?;
    let wants_reply = flags & MORE_TO_COME == 0;
    Ok(Some(Message {
        id,
        body,
        wants_reply,
    }))
}

/// Writes a message. `answers` is the id of the message to which this one is the reply, or 0.
pub(crate) async fn write(
    stream: &mut TcpStream,
    id: i32,
    answers: i32,
    body: Document,
) -> io::Result<()> {
    let content = encode(body)?;
    let length = i32::try_from(HEADER + content.len()).map_err(invalid)?;
    let mut message = Vec::with_capacity(HEADER + content.len());
    for number in [length, id, answers, OP_MSG] {
        message.extend(number.to_le_bytes());
    }
    message.extend(content);
    stream.write_all(&message).await
}

fn decode(content: &[u8]) -> io::Result<(Document, u32)> {
    let mut rest = Bytes(content);
    let flags = u32::from_le_bytes(rest.array()?);
    if flags & CHECKSUM != 0 {
        rest.0 = rest.0.get(..rest.0.len() - 4).unwrap_or_default();
    }
    let mut body = Document::new();
    let mut sequences = Vec::new();
    while let Some(kind) = rest.byte() {
        match kind {
            0 => body = rest.document()?,
            1 => sequences.push(rest.sequence()?),
            other => return Err(invalid(format!("section of kind {other}"))),
        }
    }
    for (name, documents) in sequences {
        body.insert(name, documents);
    }
    Ok((body, flags))
}

fn encode(mut body: Document) -> io::Result<Vec<u8>> {
    let mut content = 0_u32.to_le_bytes().to_vec();
    for name in SEQUENCES {
        // If an element is not a document, the command is invalid, and the server reports this.
        let is_sequence = |array: &Bson| match array {
            Bson::Array(items) => items.iter().all(|item| item.as_document().is_some()),
            _ => false,
        };
        if !body.get(name).is_some_and(is_sequence) {
            continue;
        }
        let Some(Bson::Array(items)) = body.remove(name) else {
            continue;
        };
        let mut section = name.as_bytes().to_vec();
        section.push(0);
        for item in items.iter().filter_map(Bson::as_document) {
            text::write(item, &mut section)?;
        }
        let size = i32::try_from(section.len() + 4).map_err(invalid)?;
        content.push(1);
        content.extend(size.to_le_bytes());
        content.extend(section);
    }
    content.push(0);
    text::write(&body, &mut content)?;
    Ok(content)
}

/// The part of a message that has not been read yet.
struct Bytes<'m>(&'m [u8]);

impl<'m> Bytes<'m> {
    fn take(&mut self, count: usize) -> io::Result<&'m [u8]> {
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(end)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array(&mut self) -> io::Result<[u8; 4]> {
        self.take(4)?.try_into().map_err(invalid)
    }

    fn i32(&mut self) -> io::Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn document(&mut self) -> io::Result<Document> {
        let length = Bytes(self.0).i32()?;
        let document = self.take(usize::try_from(length).map_err(invalid)?)?;
        text::read(document)
    }

    /// Reads a section of kind 1: a name and documents.
    fn sequence(&mut self) -> io::Result<(String, Vec<Document>)> {
        let size = usize::try_from(self.i32()?).map_err(invalid)?;
        let mut section = Bytes(self.take(size.saturating_sub(4))?);
        let end = section.0.iter().position(|byte| *byte == 0);
        let name = section.take(end.unwrap_or_default())?;
        let name = String::from_utf8(name.to_vec()).map_err(invalid)?;
        section.take(1)?;
        let mut documents = Vec::new();
        while !section.0.is_empty() {
            documents.push(section.document()?);
        }
        Ok((name, documents))
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let body = doc! { "insert": "c", "$db": "d", "documents": [{ "_id": 1 }, { "_id": "x" }] };
        let (read, flags) = decode(&encode(body.clone()).unwrap()).unwrap();
        assert_eq!((read, flags), (body, 0));
    }

    #[test]
    fn a_message_that_ends_too_early_is_an_error() {
        let content = encode(doc! { "insert": "c", "documents": [{ "_id": 1 }] }).unwrap();
        for end in 4..content.len() {
            assert!(
                decode(&content[..end]).is_err() || end == 4 || content[end] == 0,
                "{end}"
            );
        }
    }
}
