//! Unpacks gzip, bzip2, zstd, and zip with one file, while reading.

mod zip;
mod zstd;

use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::GzDecoder;

use self::zip::Archive;
use self::zstd::{frames, is_zstd};
use crate::TextError;

/// First bytes of gzip and bzip2.
const GZIP: &[u8] = b"\x1f\x8b";
const BZIP2: &[u8] = b"BZh";

/// First bytes of other packed files, their formats, and the programs that unpack them.
const UNSUPPORTED: [(&[u8], &str, &str); 6] = [
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"7z\xbc\xaf\x27\x1c", "7z", "7z x"),
    (b"Rar!\x1a\x07", "RAR", "unrar x"),
    (b"\x04\x22\x4d\x18", "lz4", "unlz4"),
    (b"LZIP", "lzip", "lzip -d"),
    (b"\x5d\0\0", "lzma", "unlzma"),
];

/// The place of the check sum in the head of a tar archive.
const TAR_SUM: std::ops::Range<usize> = 148..156;

/// Number of bytes that identify a packed file.
const MARK: usize = 512;

/// Largest number of formats around one text: `games.pgn.gz` in a zip has two.
const LAYERS: usize = 3;

/// The reasons for refusing a packed file.
const EARLY: &str = "the file ends early: it is incomplete";
const DAMAGED: &str = "the file is damaged";
const TRAILING: &str =
    "other bytes follow the packed text: remove them, or unpack the file and pass that";

/// The contents of a file, unpacked if its first bytes are those of gzip, bzip2, zstd or zip.
///
/// # Errors
/// The file cannot be read, or is packed in another way; the message calls it `name`.
pub fn unpacked<'r>(file: impl Read + 'r, name: &str) -> Result<Box<dyn BufRead + 'r>, TextError> {
    let mut text: Box<dyn BufRead + 'r> = Box::new(BufReader::with_capacity(1 << 17, file));
    for _ in 0..=LAYERS {
        let (start, whole) = peek(text, MARK).map_err(|error| TextError::read(name, error))?;
        let layer: Box<dyn Read + 'r> = if start.starts_with(GZIP) {
            let decoder = Some(GzDecoder::new(whole));
            Box::new(Members { decoder })
        } else if start.starts_with(BZIP2) {
            let decoder = MultiBzDecoder::new(whole);
            Box::new(ReadableErrors(decoder))
        } else if is_zstd(&start) {
            Box::new(frames(whole))
        } else if start.starts_with(zip::START) {
            Box::new(Archive::new(whole))
        } else {
            refuse(&start, name)?;
            return Ok(whole);
        };
        text = Box::new(BufReader::with_capacity(1 << 17, layer));
    }
    let problem = format!("it is packed more than {LAYERS} times");
    Err(TextError::file(name, problem, "unpack it"))
}

/// The first bytes of a stream, at most `most`, and the whole stream.
pub(crate) fn peek<'r>(
    mut stream: Box<dyn BufRead + 'r>,
    most: usize,
) -> io::Result<(Vec<u8>, Box<dyn BufRead + 'r>)> {
    let start = stream.fill_buf()?;
    if start.len() >= most {
        return Ok((start[..most].to_vec(), stream));
    }
    let mut start = Vec::with_capacity(most);
    stream.by_ref().take(most as u64).read_to_end(&mut start)?;
    let whole = io::Cursor::new(start.clone()).chain(stream);
    Ok((start, Box::new(whole)))
}

/// Refuses a file that is packed in a way that is not unpacked.
fn refuse(start: &[u8], name: &str) -> Result<(), TextError> {
    let mut others = UNSUPPORTED.iter();
    let other = others.find(|(mark, ..)| start.starts_with(mark));
    let other = other.map(|(_, kind, unpack)| (*kind, *unpack));
    let tar = || is_tar(start).then_some(("tar", "tar xf"));
    let Some((kind, unpack)) = other.or_else(tar) else {
        return Ok(());
    };
    let problem = format!("it is packed as {kind}, which leitai cannot unpack");
    let help = format!("unpack it (`{unpack} {name}`) and pass the unpacked file");
    Err(TextError::file(name, problem, help))
}

/// Returns whether these are the first bytes of a tar archive: the sum of its head, with blanks in
/// place of the sum itself, is there in octal digits.
fn is_tar(start: &[u8]) -> bool {
    let Some(sum) = start.get(TAR_SUM).filter(|_| start.len() == MARK) else {
        return false;
    };
    let digits = sum.iter().map(|byte| char::from(*byte));
    let digits = digits
        .skip_while(|it| *it == ' ')
        .take_while(char::is_ascii_digit);
    let written = u32::from_str_radix(&digits.collect::<String>(), 8);
    let all = start.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let own = sum.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    written == Ok(all - own + 8 * u32::from(b' '))
}

/// A packed text with errors in words for users.
struct ReadableErrors<R>(R);

impl<R: Read> Read for ReadableErrors<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(readable_error)
    }
}

/// The error of an unpacker in words for users.
fn readable_error(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => invalid(EARLY),
        ErrorKind::InvalidInput | ErrorKind::InvalidData => invalid(DAMAGED),
        _ => error,
    }
}

/// The members of gzip one after the other.
struct Members<R> {
    /// `None` at the end of the file.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(bytes).map_err(readable_error)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            let Some(mut file) = self.decoder.take().map(GzDecoder::into_inner) else {
                break;
            };
            // Tapes and some tools pad with zeros, which `gunzip` ignores as well.
            skip_zeros(&mut file)?;
            match file.fill_buf()?.first() {
                None => break,
                Some(first) if *first == GZIP[0] => self.decoder = Some(GzDecoder::new(file)),
                Some(_) => return Err(invalid(TRAILING)),
            }
        }
        Ok(0)
    }
}

fn skip_zeros(file: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = file.fill_buf()?;
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            return Ok(());
        }
        file.consume(zeros);
    }
}

fn invalid(reason: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(bytes: &[u8]) -> Result<String, String> {
        let mut text = String::new();
        let unpacked = unpacked(bytes, "a").map_err(|error| match error {
            TextError::Read { source, .. } => source.to_string(),
            file @ TextError::File { .. } => file.to_string(),
        });
        let mut unpacked = unpacked?;
        let read = unpacked.read_to_string(&mut text);
        read.map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn zstandard(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn plain_and_packed_files_are_read() {
        let long = "8/8 w - - [1.0]\n".repeat(20_000);
        for text in ["", "a\n", &long] {
            assert_eq!(read(text.as_bytes()), Ok(text.to_owned()));
            assert_eq!(read(&gzip(text)), Ok(text.to_owned()));
            assert_eq!(read(&zstandard(text)), Ok(text.to_owned()));
        }
        let parts = [gzip("one\n"), gzip("two\n")].concat();
        assert_eq!(read(&parts), Ok("one\ntwo\n".to_owned()));
        let skipped = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        for first in [zstandard("one\n"), skipped.to_vec()] {
            let parts = [&first[..], &skipped, &zstandard(&long)].concat();
            let one = read(&first).unwrap();
            assert_eq!(read(&parts), Ok(format!("{one}{long}")));
        }
        let padded = [gzip("one\n"), vec![0; 300_000], gzip("two\n"), vec![0; 5]].concat();
        assert_eq!(read(&padded), Ok("one\ntwo\n".to_owned()));
        assert!(read(b"7z\xbc\xaf\x27\x1c").unwrap_err().contains("7z x"));
    }

    #[test]
    fn damaged_files_are_errors() {
        let long = "a line\n".repeat(20_000);
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 30, 0, 0, 0, 1, 2, 3];
        for packed in [gzip(&long), zstandard(&long), skipped.to_vec()] {
            for end in [packed.len() - 1, packed.len() / 2, 10] {
                assert_eq!(read(&packed[..end]), Err(EARLY.to_owned()), "{end}");
            }
        }
        for (mut packed, place) in [(gzip(&long), 8), (zstandard(&long), 4)] {
            let other = [&packed[..], b"other bytes"].concat();
            assert_eq!(read(&other), Err(TRAILING.to_owned()));
            let place = packed.len() - place;
            packed[place] ^= 1;
            assert_eq!(read(&packed), Err(DAMAGED.to_owned()));
        }
        // A window of 2 GiB.
        let wide = [zstd::ZSTD, &[0, 21 << 3, 1, 0, 0]].concat();
        let refused = read(&wide).unwrap_err();
        assert!(refused.contains("2048 MiB"), "{refused}");
    }

    #[test]
    fn at_most_three_formats_are_unpacked() {
        let mut packed = "a line\n".as_bytes().to_vec();
        for layers in 1..=4 {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&packed).unwrap();
            packed = encoder.finish().unwrap();
            let text = read(&packed);
            assert_eq!(text.is_ok(), layers <= 3, "{text:?}");
            assert!(
                text.unwrap_or_else(|error| error)
                    .contains(["a line", "more than 3"][usize::from(layers > 3)])
            );
        }
    }

    /// A tar archive with a file, whose head ends with this mark.
    fn tar(mark: &[u8]) -> Vec<u8> {
        let mut head = vec![0; 512];
        for (place, bytes) in [
            (0, &b"a.pgn"[..]),
            (100, b"0000644"),
            (124, b"00000000007"),
            (148, b"        "),
            (257, mark),
        ] {
            head[place..place + bytes.len()].copy_from_slice(bytes);
        }
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        [&head[..], b"a line\n", &[0; 505]].concat()
    }

    #[test]
    fn tar_archives_of_every_age_are_named() {
        for mark in [&b""[..], b"ustar\x0000", b"ustar  \0"] {
            let error = read(&tar(mark)).unwrap_err();
            assert!(
                error.contains("it is packed as tar, which leitai cannot unpack"),
                "{error}"
            );
        }
        assert!(read(&[b'0'; 1024]).is_ok() && read(&[b' '; 1024]).is_ok());
    }

    /// A zip archive of files that are not compressed.
    fn zip(files: &[(&str, &str)]) -> Vec<u8> {
        let (mut all, mut table) = (Vec::new(), Vec::new());
        for (name, text) in files {
            let mut crc = flate2::Crc::new();
            crc.update(text.as_bytes());
            let length = u32::try_from(text.len()).unwrap();
            let words = [0, crc.sum(), length, length]
                .map(u32::to_le_bytes)
                .concat();
            let names = [u8::try_from(name.len()).unwrap(), 0, 0, 0];
            let head = [&[10, 0, 0, 0, 0, 0], &words[..], &names].concat();
            table.extend([b"PK\x01\x02\x0a\0", &head[..], &[0; 14], name.as_bytes()].concat());
            all.extend([b"PK\x03\x04", &head[..], name.as_bytes(), text.as_bytes()].concat());
        }
        [&all[..], &table, b"PK\x05\x06", &[0; 16], &[2, 0], b"by"].concat()
    }

    #[test]
    fn archives_have_one_file() {
        let one = zip(&[("a.pgn", "a line\n")]);
        assert_eq!(read(&one), Ok("a line\n".to_owned()));
        let several = [
            [&one[..], &zip(&[("b.pgn", "other\n")])].concat(),
            [&one[..], &one].concat(),
            zip(&[("a.pgn", "a"), ("b.pgn", "b")]),
        ];
        for archives in several {
            assert!(read(&archives).unwrap_err().contains("several files"));
        }
        for end in [&b""[..], &[0; 9], b"\n"] {
            assert_eq!(read(&[&one[..], end].concat()), Ok("a line\n".to_owned()));
        }
        for first in [
            "[Content_Types].xml",
            "_rels/.rels",
            "docProps/app.xml",
            "xl/workbook.xml",
            "mimetype",
        ] {
            let document = zip(&[(first, "x"), ("other.xml", "y")]);
            assert!(
                read(&document)
                    .unwrap_err()
                    .contains("a document of Office"),
                "{first}"
            );
        }
    }
}
