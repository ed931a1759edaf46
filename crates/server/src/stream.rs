//! The local stream itself: a Unix socket, or a named pipe on Windows. What comes out of `accept` belongs
//! to the same user, and what `connect` gives is served by the same user.

#[cfg(unix)]
pub(crate) use unix::{Listener, Stream, connect, pid};
#[cfg(windows)]
pub(crate) use windows::{Listener, Stream, connect, pid};

#[cfg(unix)]
mod unix {
    use crate::paths::{self, PathError, io_error};
    use std::io::{Error, ErrorKind, Result};
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};
    use std::time::Duration;
    pub(crate) use tokio::net::UnixStream as Stream;
    use tokio::time::Instant;

    /// How long a connection waits for its turn.
    const TURN: Duration = Duration::from_secs(10);
    /// How long between two tries.
    const AGAIN: Duration = Duration::from_millis(10);

    /// A bound socket. Its file goes when it is dropped.
    #[derive(Debug)]
    pub(crate) struct Listener {
        inner: tokio::net::UnixListener,
        path: PathBuf,
    }

    fn folder_of(path: &Path) -> &Path {
        path.parent().unwrap_or(Path::new("/"))
    }

    impl Listener {
        /// Binds a socket that is the user's alone. A socket at which nobody answers is removed first.
        pub(crate) async fn bind(path: &Path) -> std::result::Result<Self, PathError> {
            if path.as_os_str().len() > paths::MAX_SOCKET_PATH {
                return Err(PathError::TooLong { path: path.to_owned() });
            }
            paths::prepare_private_dir(folder_of(path))?;
            remove_stale(path).await.map_err(io_error(path))?;
            let inner = tokio::net::UnixListener::bind(path).map_err(io_error(path))?;
            // Nobody else can reach it before this line: its folder is closed to them.
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(io_error(path))?;
            Ok(Self { inner, path: path.to_owned() })
        }

        /// The next connection of the same user; others are turned away before a byte is read.
        pub(crate) async fn accept(&self) -> Result<Stream> {
            let (stream, _) = self.inner.accept().await?;
            same_user(stream)
        }
    }

    impl Drop for Listener {
        fn drop(&mut self) {
            // A socket that stays behind does no harm: the next service finds nobody answering at it.
            let _ = std::fs::remove_file(&self.path);
        }
    }

    async fn remove_stale(path: &Path) -> Result<()> {
        match Stream::connect(path).await {
            Ok(_) => Err(Error::new(ErrorKind::AddrInUse, "another service answers there")),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path),
            Err(error) => Err(error),
        }
    }

    /// The number of the process at the other end; nothing where it lives among numbers that mean nothing here.
    pub(crate) fn pid(stream: &Stream) -> Option<i32> {
        stream.peer_cred().ok()?.pid().filter(|pid| *pid > 0)
    }

    fn same_user(stream: Stream) -> Result<Stream> {
        let peer = stream.peer_cred()?.uid();
        if peer == paths::current_uid() {
            return Ok(stream);
        }
        Err(Error::new(ErrorKind::PermissionDenied, format!("the other side is user {peer}")))
    }

    /// Connects; waits for its turn where so many connect at once that the system takes no more of them for now.
    async fn knock(path: &Path) -> Result<Stream> {
        let begun = Instant::now();
        loop {
            match Stream::connect(path).await {
                Err(error) if error.kind() == ErrorKind::WouldBlock && begun.elapsed() < TURN => {
                    tokio::time::sleep(AGAIN).await;
                }
                other => return other,
            }
        }
    }

    /// Connects to a socket in a private folder, to a service of the same user, so that the token is told
    /// to nobody else.
    pub(crate) async fn connect(path: &Path) -> Result<Stream> {
        let stream = knock(path).await?;
        paths::check_private(folder_of(path), true).map_err(|error| Error::new(ErrorKind::PermissionDenied, error))?;
        same_user(stream)
    }
}

#[cfg(windows)]
mod windows {
    use crate::paths::{PathError, io_error};
    use interprocess::os::windows::named_pipe::tokio::{PipeListener, PipeListenerOptionsExt, PipeStream};
    use interprocess::os::windows::named_pipe::{PipeListenerOptions, pipe_mode::Bytes};
    use interprocess::os::windows::security_descriptor::SecurityDescriptor;
    use std::io::Result;
    use std::path::Path;
    use widestring::u16cstr;

    /// One side of a pipe.
    pub(crate) type Stream = PipeStream<Bytes, Bytes>;

    /// A pipe that waits for clients.
    pub(crate) struct Listener(PipeListener<Bytes, Bytes>);

    impl Listener {
        /// Makes a pipe whose access list names its owner alone.
        pub(crate) async fn bind(path: &Path) -> std::result::Result<Self, PathError> {
            let make = || {
                let mut options = PipeListenerOptions::new().path(path);
                options.security_descriptor = Some(SecurityDescriptor::deserialize(u16cstr!("D:P(A;;GA;;;OW)"))?);
                options.create_tokio_duplex::<Bytes>()
            };
            make().map(Self).map_err(io_error(path))
        }

        /// The next connection.
        pub(crate) async fn accept(&self) -> Result<Stream> {
            self.0.accept().await
        }
    }

    /// The number of the process at the other end, of which a pipe says nothing.
    pub(crate) fn pid(_: &Stream) -> Option<i32> {
        None
    }

    /// Connects to a pipe.
    pub(crate) async fn connect(path: &Path) -> Result<Stream> {
        PipeStream::connect_by_path(path).await
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn the_socket_is_the_users_alone_and_goes_with_the_listener() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("run/x.sock");
        let listener = Listener::bind(&path).await.unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        drop(listener);
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_dead_socket_is_replaced_and_a_live_one_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("run/x.sock");
        crate::paths::prepare_private_dir(path.parent().unwrap()).unwrap();
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        let _alive = Listener::bind(&path).await.unwrap();
        assert!(Listener::bind(&path).await.is_err());
        connect(&path).await.unwrap();
    }

    #[tokio::test]
    async fn no_client_talks_to_a_socket_in_an_open_folder() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("run/x.sock");
        let _alive = Listener::bind(&path).await.unwrap();
        std::fs::set_permissions(path.parent().unwrap(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(connect(&path).await.unwrap_err().kind(), std::io::ErrorKind::PermissionDenied);
    }

    #[tokio::test]
    async fn a_path_that_no_socket_can_have_is_refused() {
        let path = std::path::PathBuf::from(format!("/tmp/{}/x.sock", "a".repeat(120)));
        assert!(matches!(Listener::bind(&path).await, Err(crate::paths::PathError::TooLong { .. })));
    }
}
