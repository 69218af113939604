//! Frames of zstd.

use std::error::Error;
use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{DAMAGED, EARLY, TRAILING, invalid};

/// The first bytes of a frame.
pub(super) const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The last three of the first four bytes of a skippable frame, which `pzstd` writes first; the
/// first byte is 0x50 to 0x5f.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";
const DICTIONARY: &str = "it needs a dictionary: unpack it with `unzstd -D`";

/// Returns whether these are the first bytes of a file of zstd.
pub(super) fn is_zstd(start: &[u8]) -> bool {
    let is_skippable = start.first().is_some_and(|byte| byte >> 4 == 5);
    start.starts_with(ZSTD) || is_skippable && start[1..].starts_with(SKIPPABLE)
}

/// The text of a file of zstd.
pub(super) fn frames(file: impl BufRead) -> impl Read {
    Frames {
        file,
        decoder: FrameDecoder::new(),
    }
}

/// The error of a file of zstd in words for users.
fn readable_error(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        match inner.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => return invalid(EARLY),
            Some(error) => return io::Error::new(error.kind(), error.to_string()),
            None => cause = inner.source(),
        }
    }
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => invalid(format!(
            "unpacking needs {} MiB of memory, more than {} MiB: unpack it (`unzstd --long=31`) and \
             pack it again without `--long` (`zstd -19 FILE`)",
            requested.div_ceil(1 << 20),
            max >> 20,
        )),
        FrameDecoderError::DictNotProvided { .. } => invalid(DICTIONARY),
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_)) => {
            invalid(TRAILING)
        }
        _ => invalid(DAMAGED),
    }
}

/// The frames of zstd one after the other.
struct Frames<R> {
    file: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.file, one);
                decoded.map_err(|error| readable_error(&error))?;
            } else if !self.begin_frame()? {
                return Ok(0);
            }
        }
        self.decoder.read(bytes)
    }
}

impl<R: BufRead> Frames<R> {
    /// Begins the next frame behind a whole one; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        let found = self.decoder.get_checksum_from_data();
        if found.is_some() && found != self.decoder.get_calculated_checksum() {
            return Err(invalid(DAMAGED));
        }
        while !self.file.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.file) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = self.file.by_ref().take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(invalid(EARLY));
                    }
                }
                Err(error) => return Err(readable_error(&error)),
            }
        }
        Ok(false)
    }
}
