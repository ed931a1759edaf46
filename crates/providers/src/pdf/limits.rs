//! What the process that reads a PDF may use. Set before the library is loaded; nothing raises it again.

/// Bytes of address space. The library, one page of 40 megapixels in two forms and a large file fit well.
#[cfg(unix)]
const MEMORY: u64 = 2 << 30;
/// Seconds of processor time for a whole document; the parent's limit a question is far shorter.
#[cfg(unix)]
const PROCESSOR: u64 = 1800;
/// Open files: the streams, the library, the document, fonts one at a time.
#[cfg(unix)]
const FILES: u64 = 32;

/// Bounds this process for good. What the system refuses is left as it was: the parent's clock still holds.
#[cfg(unix)]
pub fn set() {
    let bounds = [
        (libc::RLIMIT_AS, MEMORY),
        (libc::RLIMIT_CPU, PROCESSOR),
        (libc::RLIMIT_NOFILE, FILES),
        // No core dumps, which would hold what the document says; and no file is ever written.
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_FSIZE, 0),
    ];
    for (resource, most) in bounds {
        let limit = libc::rlimit { rlim_cur: most as libc::rlim_t, rlim_max: most as libc::rlim_t };
        // SAFETY: `setrlimit` only reads the struct behind the pointer, which is a live, initialised local of the
        // type that the call wants, and keeps no pointer to it.
        let _ = unsafe { libc::setrlimit(resource, &limit) };
    }
}

/// Other systems have no such limits; the parent's clock holds there alone.
#[cfg(not(unix))]
pub fn set() {}
