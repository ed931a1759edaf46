//! tauri-driver and the native driver behind it: one pair for each test, on ports of their own.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a driver may take to listen.
const READY: Duration = Duration::from_secs(20);

/// A running tauri-driver. It ends with this value.
pub struct Driver {
    /// Where it listens.
    pub port: u16,
    process: Child,
}

impl Driver {
    /// Starts one and waits until it listens. The app that it starts has this program's environment, and keeps what
    /// the web view remembers below `home`, apart from every other test's.
    pub fn start(home: &Path) -> Self {
        let (port, native) = free_ports();
        let program = std::env::var_os("UM_TAURI_DRIVER").unwrap_or_else(|| "tauri-driver".into());
        let mut command = Command::new(program);
        command.args(["--port", &port.to_string(), "--native-port", &native.to_string()]);
        command.envs(crate::app::own_home(home));
        command.env_remove("WAYLAND_DISPLAY").stdin(Stdio::null()).stdout(Stdio::null());
        let process = command.spawn().expect("tauri-driver starts: `cargo xtask setup --all` provides it");
        let driver = Self { port, process };
        for port in [port, native] {
            assert!(listens(port), "no driver listens on port {port}");
        }
        driver
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Asked to end, it ends the native driver as well; killed, it would leave that behind.
        let asked = Command::new("kill").arg(self.process.id().to_string()).status().is_ok_and(|s| s.success());
        if !asked {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Two ports that were free a moment ago.
fn free_ports() -> (u16, u16) {
    let bind = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = |listener: &TcpListener| listener.local_addr().expect("a bound port").port();
    let (one, other) = (bind(), bind());
    (port(&one), port(&other))
}

fn listens(port: u16) -> bool {
    let started = Instant::now();
    while started.elapsed() < READY {
        if TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), Duration::from_millis(200)).is_ok() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}
