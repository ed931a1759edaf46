//! The programs that start MCP servers: where each keeps its settings, and in which form.

use super::entry::Format;
use clap::ValueEnum;
use serde::Serialize;
use std::path::PathBuf;

/// A program that an agent works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Codex: its command line, its app and its extension
    Codex,
    /// Cursor
    Cursor,
    /// Visual Studio Code, in its default profile
    Vscode,
    /// Windsurf
    Windsurf,
    /// Gemini CLI
    Gemini,
    /// Zed
    Zed,
}

/// The systems that differ in where settings are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Os {
    /// Linux and what is like it.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl Os {
    /// The system of this machine.
    pub(crate) fn here() -> Self {
        match std::env::consts::OS {
            "windows" => Self::Windows,
            "macos" => Self::Macos,
            _ => Self::Linux,
        }
    }
}

impl Client {
    /// What people call it.
    pub(crate) fn called(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Windsurf => "Windsurf",
            Self::Gemini => "Gemini CLI",
            Self::Zed => "Zed",
        }
    }

    /// How it writes servers down.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Codex => Format::Toml,
            Self::ClaudeCode => Format::Json { key: "mcpServers", typed: true },
            Self::Vscode => Format::Json { key: "servers", typed: true },
            Self::Zed => Format::Json { key: "context_servers", typed: false },
            Self::ClaudeDesktop | Self::Cursor | Self::Windsurf | Self::Gemini => {
                Format::Json { key: "mcpServers", typed: false }
            }
        }
    }

    /// Its settings in a project, below the project's folder; none where it reads none there.
    pub(crate) fn project_file(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(".mcp.json"),
            Self::Codex => Some(".codex/config.toml"),
            Self::Cursor => Some(".cursor/mcp.json"),
            Self::Vscode => Some(".vscode/mcp.json"),
            Self::Gemini => Some(".gemini/settings.json"),
            Self::Zed => Some(".zed/settings.json"),
            Self::ClaudeDesktop | Self::Windsurf => None,
        }
    }

    /// Its settings of the user, by the variables of the environment that name folders; none where they name no home.
    pub(crate) fn user_file(self, os: Os, folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
        let home = || folder(if os == Os::Windows { "USERPROFILE" } else { "HOME" });
        let below_home = |path: &str| home().map(|home| home.join(path));
        let linux = || folder("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
        let settings = || match os {
            Os::Linux => linux(),
            Os::Macos => below_home("Library/Application Support"),
            Os::Windows => folder("APPDATA").or_else(|| below_home("AppData/Roaming")),
        };
        let (place, file) = match self {
            Self::ClaudeCode => (folder("CLAUDE_CONFIG_DIR").or_else(home), ".claude.json"),
            Self::ClaudeDesktop => (settings(), "Claude/claude_desktop_config.json"),
            Self::Codex => (folder("CODEX_HOME").or_else(|| below_home(".codex")), "config.toml"),
            Self::Cursor => (home(), ".cursor/mcp.json"),
            Self::Vscode => (settings(), "Code/User/mcp.json"),
            Self::Windsurf => (home(), ".codeium/windsurf/mcp_config.json"),
            Self::Gemini => (folder("GEMINI_CLI_HOME").or_else(home), ".gemini/settings.json"),
            Self::Zed => match os {
                Os::Linux => (linux(), "zed/settings.json"),
                Os::Macos => (home(), ".config/zed/settings.json"),
                Os::Windows => (settings(), "Zed/settings.json"),
            },
        };
        // Part by part, so that each system's own separator stands between them.
        place.map(|place| file.split('/').fold(place, |path, part| path.join(part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(client: Client, os: Os, set: &[(&str, &str)], file: Option<&str>) {
        let folder = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, path)| PathBuf::from(path));
        let found = client.user_file(os, folder);
        assert_eq!(
            found.map(|path| path.to_string_lossy().replace('\\', "/")).as_deref(),
            file,
            "{client:?} on {os:?}"
        );
    }

    #[test]
    fn settings_are_where_each_client_reads_them() {
        use Client::*;
        let home = &[("HOME", "/h")][..];
        let windows = &[("USERPROFILE", "C:/u"), ("APPDATA", "C:/u/r"), ("HOME", "/not/this")][..];
        for (client, linux, macos, on_windows) in [
            (ClaudeCode, "/h/.claude.json", "/h/.claude.json", "C:/u/.claude.json"),
            (
                ClaudeDesktop,
                "/h/.config/Claude/claude_desktop_config.json",
                "/h/Library/Application Support/Claude/claude_desktop_config.json",
                "C:/u/r/Claude/claude_desktop_config.json",
            ),
            (Codex, "/h/.codex/config.toml", "/h/.codex/config.toml", "C:/u/.codex/config.toml"),
            (Cursor, "/h/.cursor/mcp.json", "/h/.cursor/mcp.json", "C:/u/.cursor/mcp.json"),
            (
                Vscode,
                "/h/.config/Code/User/mcp.json",
                "/h/Library/Application Support/Code/User/mcp.json",
                "C:/u/r/Code/User/mcp.json",
            ),
            (
                Windsurf,
                "/h/.codeium/windsurf/mcp_config.json",
                "/h/.codeium/windsurf/mcp_config.json",
                "C:/u/.codeium/windsurf/mcp_config.json",
            ),
            (Gemini, "/h/.gemini/settings.json", "/h/.gemini/settings.json", "C:/u/.gemini/settings.json"),
            (Zed, "/h/.config/zed/settings.json", "/h/.config/zed/settings.json", "C:/u/r/Zed/settings.json"),
        ] {
            check(client, Os::Linux, home, Some(linux));
            check(client, Os::Macos, home, Some(macos));
            check(client, Os::Windows, windows, Some(on_windows));
            check(client, Os::Linux, &[], None);
        }
        let moved = |variable| [("HOME", "/h"), (variable, "/m")];
        check(ClaudeCode, Os::Linux, &moved("CLAUDE_CONFIG_DIR"), Some("/m/.claude.json"));
        check(Codex, Os::Macos, &moved("CODEX_HOME"), Some("/m/config.toml"));
        check(Gemini, Os::Linux, &moved("GEMINI_CLI_HOME"), Some("/m/.gemini/settings.json"));
        check(Vscode, Os::Linux, &moved("XDG_CONFIG_HOME"), Some("/m/Code/User/mcp.json"));
        check(Zed, Os::Macos, &moved("XDG_CONFIG_HOME"), Some("/h/.config/zed/settings.json"));
        check(Zed, Os::Windows, &[("USERPROFILE", "C:/u")], Some("C:/u/AppData/Roaming/Zed/settings.json"));
    }
}
