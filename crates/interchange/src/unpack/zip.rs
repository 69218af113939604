//! Zip archives with one file, read as a stream (APPNOTE.TXT 6.3.10, section 4.3).

use std::io::{self, BufRead, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::{DAMAGED, EARLY, invalid, readable_error};

/// The first bytes of a file in an archive.
pub(super) const START: &[u8] = b"PK\x03\x04";
/// Number of bytes before the name of a file.
const HEADER: usize = 30;
/// Flags: an encrypted file; sizes that follow the file.
const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;
/// The mark of sizes that follow a file.
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// The first files in documents of Office and of other programs, and in books (EPUB).
const DOCUMENTS: [&str; 6] = [
    "[Content_Types].xml",
    "_rels/",
    "docProps/",
    "word/",
    "xl/",
    "mimetype",
];
/// The records behind the files: their marks, the bytes of a head, and the places of the lengths (of
/// two bytes) that follow it. A record of ZIP64 has 56 bytes, or 20.
const RECORDS: [(&[u8], usize, &[usize]); 5] = [
    (b"PK\x01\x02", 46, &[28, 30, 32]),
    (b"PK\x05\x05", 6, &[4]),
    (b"PK\x06\x06", 56, &[]),
    (b"PK\x06\x07", 20, &[]),
    (END, 22, &[20]),
];
/// The mark of the last record.
const END: &[u8] = b"PK\x05\x06";

const DOCUMENT: &str = "it is a document of Office, or of an e-book: save it as plain text";
const SEVERAL: &str = "the archive has several files: unpack it and pass one of them";
const NONE: &str = "the archive has no file";
const SECRET: &str = "the file in the archive is encrypted: unpack it";
const METHOD: &str = "the archive uses an unsupported compression: unpack it with `unzip`";

/// The contents of the only file of an archive. Folders and the notes that macOS adds are skipped.
pub(super) struct Archive<R> {
    state: State<R>,
}

enum State<R> {
    /// Before a file, or before the table of contents.
    Between { archive: R, is_read: bool },
    /// In a file.
    Within {
        content: Content<R>,
        crc: Crc,
        header: Header,
    },
    /// Behind the last file, or after an error.
    End,
}

/// A file in the archive, from its first byte on.
enum Content<R> {
    Stored(io::Take<R>),
    Deflated(DeflateDecoder<R>),
}

/// The properties of a file.
#[derive(Clone, Copy)]
struct Header {
    flags: u16,
    crc: u32,
    is_shown: bool,
    /// True if the shown file comes before this one.
    is_read: bool,
}

impl<R: BufRead> Archive<R> {
    pub(super) fn new(archive: R) -> Self {
        let is_read = false;
        Self {
            state: State::Between { archive, is_read },
        }
    }
}

impl<R: BufRead> Read for Archive<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, State::End) {
                State::End => return Ok(0),
                State::Between { archive, is_read } => self.state = begin(archive, is_read)?,
                State::Within {
                    mut content,
                    mut crc,
                    header,
                } => {
                    let read = match &mut content {
                        Content::Stored(stored) => stored.read(bytes),
                        Content::Deflated(deflated) => deflated.read(bytes),
                    };
                    let read = read.map_err(readable_error)?;
                    crc.update(&bytes[..read]);
                    if read == 0 && !bytes.is_empty() {
                        self.state = end(content, &crc, header)?;
                        continue;
                    }
                    self.state = State::Within {
                        content,
                        crc,
                        header,
                    };
                    if header.is_shown {
                        return Ok(read);
                    }
                }
            }
        }
    }
}

/// Reads the header of the next file.
fn begin<R: BufRead>(mut archive: R, is_read: bool) -> io::Result<State<R>> {
    let mut start = [0; HEADER];
    archive
        .read_exact(&mut start[..4])
        .map_err(readable_error)?;
    if !start.starts_with(START) {
        // The table of contents.
        return match (is_read, start.starts_with(b"PK")) {
            (true, true) => skip_records(archive, &start[..4]),
            (false, true) => Err(invalid(NONE)),
            (_, false) => Err(invalid(DAMAGED)),
        };
    }
    archive
        .read_exact(&mut start[4..])
        .map_err(readable_error)?;
    let short = |at: usize| u16::from_le_bytes([start[at], start[at + 1]]);
    let long = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
    let (flags, method) = (short(6), short(8));
    let mut name = vec![0; short(26).into()];
    archive.read_exact(&mut name).map_err(readable_error)?;
    let extra = u64::from(short(28));
    if io::copy(&mut archive.by_ref().take(extra), &mut io::sink())? < extra {
        return Err(invalid(EARLY));
    }
    if DOCUMENTS
        .iter()
        .any(|first| name.starts_with(first.as_bytes()))
    {
        return Err(invalid(DOCUMENT));
    }
    let is_shown = !name.ends_with(b"/") && !name.starts_with(b"__MACOSX/");
    if is_shown && is_read {
        return Err(invalid(SEVERAL));
    }
    if flags & ENCRYPTED != 0 {
        return Err(invalid(SECRET));
    }
    let content = match method {
        0 if flags & SIZES_FOLLOW == 0 => Content::Stored(archive.take(long(18).into())),
        8 => Content::Deflated(DeflateDecoder::new(archive)),
        _ => return Err(invalid(METHOD)),
    };
    Ok(State::Within {
        content,
        crc: Crc::new(),
        header: Header {
            flags,
            crc: long(14),
            is_shown,
            is_read,
        },
    })
}

/// Checks a whole file and skips the sizes after it.
fn end<R: BufRead>(content: Content<R>, crc: &Crc, header: Header) -> io::Result<State<R>> {
    let mut archive = match content {
        Content::Stored(stored) if stored.limit() > 0 => return Err(invalid(EARLY)),
        Content::Stored(stored) => stored.into_inner(),
        Content::Deflated(deflated) => deflated.into_inner(),
    };
    let mut expected = header.crc;
    if header.flags & SIZES_FOLLOW != 0 {
        let mut word = [0; 4];
        archive.read_exact(&mut word).map_err(readable_error)?;
        if word == DESCRIPTOR {
            archive.read_exact(&mut word).map_err(readable_error)?;
        }
        expected = u32::from_le_bytes(word);
        skip_sizes(&mut archive)?;
    }
    if crc.sum() != expected {
        return Err(invalid(DAMAGED));
    }
    Ok(State::Between {
        archive,
        is_read: header.is_shown || header.is_read,
    })
}

/// Reads the records behind the files, from one whose mark was read; an error if another archive
/// follows. Damage there loses no text.
fn skip_records<R: BufRead>(mut archive: R, mark: &[u8]) -> io::Result<State<R>> {
    let mut record = mark.to_vec();
    while let Some((mark, length, places)) = RECORDS.iter().find(|(it, ..)| record == *it) {
        record.resize(*length, 0);
        if archive.read_exact(&mut record[4..]).is_err() {
            break;
        }
        let sizes = places
            .iter()
            .map(|at| u16::from_le_bytes([record[*at], record[*at + 1]]));
        let more: u64 = sizes.map(u64::from).sum();
        io::copy(&mut archive.by_ref().take(more), &mut io::sink())?;
        record.truncate(4);
        if archive.read_exact(&mut record).is_err() {
            break;
        }
        if *mark == END && record == START {
            return Err(invalid(SEVERAL));
        }
    }
    Ok(State::End)
}

/// Skips two sizes of four bytes each, or of eight in an archive of more than 4 GiB.
fn skip_sizes(archive: &mut impl BufRead) -> io::Result<()> {
    let mut sizes = [0; 8];
    archive.read_exact(&mut sizes).map_err(readable_error)?;
    let next = archive.fill_buf()?;
    if !next.starts_with(b"P") {
        archive.read_exact(&mut sizes).map_err(readable_error)?;
    }
    Ok(())
}
