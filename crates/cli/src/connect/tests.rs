//! What settings read with our entry in them, and without.

use super::entry::{Entry, Format, NAME, Problem, edited};

const MCP: Format = Format::Json { key: "mcpServers", typed: false };
const TYPED: Format = Format::Json { key: "servers", typed: true };

fn entry(args: &[&str]) -> Entry {
    Entry { command: "/opt/umem".to_owned(), args: args.iter().map(|&arg| arg.to_owned()).collect() }
}

/// What a text becomes with our entry; a second time it stays so, and without it again is what `left` says.
#[track_caller]
fn check(format: Format, text: &str, with: &str, left: &str) {
    let ours = entry(&["mcp"]);
    let written = edited(text, format, Some(&ours)).unwrap();
    assert_eq!(written, with, "of {text:?}");
    assert_eq!(edited(&written, format, Some(&ours)).unwrap(), written, "a second time");
    assert_eq!(edited(&written, format, None).unwrap(), left, "taken out again");
    assert_eq!(written.matches(NAME).count(), 1);
    assert_eq!(edited(left, format, None).unwrap(), left, "nothing is left to take out");
}

#[test]
fn an_entry_is_written_into_json_and_taken_out_again() {
    let new = "{\n  \"mcpServers\": {\n    \"ultimate-memory\": {\n      \"command\": \"/opt/umem\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
    for empty in ["", "  \n", "{}"] {
        let new = if empty == "{}" { new.trim_end() } else { new };
        let left = if empty == "{}" { "{\n  \"mcpServers\": {}\n}" } else { "{\n  \"mcpServers\": {}\n}\n" };
        let taken = edited(new, MCP, None).unwrap();
        assert_eq!(taken.replace(char::is_whitespace, ""), left.replace(char::is_whitespace, ""));
        check(MCP, empty, new, &taken);
    }
    check(
        TYPED,
        "// mine\n{\n\t// first\n\t\"servers\": {\n\t\t\"b\": { \"url\": \"http://localhost\" }, // b\n\t\t/* a */ \"a\": {},\n\t},\n\t\"inputs\": [1, 2]\n}\n",
        "// mine\n{\n\t// first\n\t\"servers\": {\n\t\t\"b\": { \"url\": \"http://localhost\" }, // b\n\t\t/* a */ \"a\": {},\n\t\t\"ultimate-memory\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/umem\",\n\t\t\t\"args\": [\"mcp\"],\n\t\t},\n\t},\n\t\"inputs\": [1, 2]\n}\n",
        "// mine\n{\n\t// first\n\t\"servers\": {\n\t\t\"b\": { \"url\": \"http://localhost\" }, // b\n\t\t/* a */ \"a\": {},\n\t},\n\t\"inputs\": [1, 2]\n}\n",
    );
    check(
        MCP,
        "\u{feff}{\r\n  \"z\": 1.50,\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  },\r\n  \"y\": \"\\u00e9\"\r\n}\r\n",
        "\u{feff}{\r\n  \"z\": 1.50,\r\n  \"mcpServers\": {\r\n    \"a\": {},\r\n    \"ultimate-memory\": {\r\n      \"command\": \"/opt/umem\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  },\r\n  \"y\": \"\\u00e9\"\r\n}\r\n",
        "\u{feff}{\r\n  \"z\": 1.50,\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  },\r\n  \"y\": \"\\u00e9\"\r\n}\r\n",
    );
}

#[test]
fn an_entry_in_json_is_replaced_and_keeps_what_was_added_to_it() {
    for (text, with) in [
        (
            "{\"mcpServers\": {\"ultimate-memory\": {\"command\": \"umem\", \"args\": [\"mcp\"], \"env\": {\"A\": \"1\"}}}}",
            "{\"mcpServers\": {\"ultimate-memory\": {\"command\": \"/opt/umem\", \"args\": [\"mcp\", \"--profile\", \"all\"], \"env\": {\"A\": \"1\"}}}}",
        ),
        (
            "{\"mcpServers\": {\"ultimate-memory\": {\"url\": \"http://localhost\"}, \"b\": {}}}",
            "{\"mcpServers\": {\"ultimate-memory\": {\n      \"command\": \"/opt/umem\",\n      \"args\": [\"mcp\", \"--profile\", \"all\"]\n    }, \"b\": {}}}",
        ),
        (
            "{\"mcpServers\": {\"ultimate-memory\": 1, \"ultimate-memory\": 2}}",
            "{\"mcpServers\": {\"ultimate-memory\": {\n      \"command\": \"/opt/umem\",\n      \"args\": [\"mcp\", \"--profile\", \"all\"]\n    }}}",
        ),
    ] {
        assert_eq!(edited(text, MCP, Some(&entry(&["mcp", "--profile", "all"]))).unwrap(), with);
    }
}

#[test]
fn an_entry_is_written_into_toml_and_taken_out_again() {
    let ours = "[mcp_servers.ultimate-memory]\ncommand = \"/opt/umem\"\nargs = [\"mcp\"]\n";
    check(Format::Toml, "", ours, "");
    let others = "# mine\nmodel = \"m\" # why\n\n[mcp_servers.b]\ncommand = 'b'\n\n# the first\n[mcp_servers.a]\nargs = [ \"x\",\n  \"y\" ]\n";
    check(Format::Toml, others, &format!("{others}\n{ours}"), others);
    check(Format::Toml, others.trim_end(), &format!("{others}\n{ours}"), others);
    let windows = others.replace('\n', "\r\n");
    check(Format::Toml, &windows, &format!("{windows}\r\n{}", ours.replace('\n', "\r\n")), &windows);
    check(
        Format::Toml,
        "mcp_servers.a.command = 'a'\n",
        &format!("mcp_servers.a.command = 'a'\n\n{ours}"),
        "mcp_servers.a.command = 'a'\n",
    );
    check(
        Format::Toml,
        "mcp_servers = { a = { command = 'a' } }\n",
        "mcp_servers = { a = { command = 'a' } , ultimate-memory = { command = \"/opt/umem\", args = [\"mcp\"] } }\n",
        "mcp_servers = { a = { command = 'a' } }\n",
    );
}

#[test]
fn an_entry_in_toml_goes_with_its_tables_and_leaves_the_comments_of_others() {
    let before = "[mcp_servers.a]\ncommand = 'a'\n# of a\n\n# of ours\n[mcp_servers.ultimate-memory]\ncommand = 'umem' # ours\nargs = ['mcp']\nenabled = false\n\n[mcp_servers.ultimate-memory.env]\nA = '1'\n\n# of b\n[mcp_servers.b]\ncommand = 'b'\n";
    let updated = before.replace("'umem'", "\"/opt/umem\"");
    assert_eq!(edited(before, Format::Toml, Some(&entry(&["mcp"]))).unwrap(), updated);
    let windows = before.replace('\n', "\r\n");
    assert_eq!(
        edited(&windows, Format::Toml, Some(&entry(&["mcp"]))).unwrap(),
        updated.replace('\n', "\r\n"),
        "line ends stay"
    );
    let left = "[mcp_servers.a]\ncommand = 'a'\n# of a\n\n# of ours\n\n# of b\n[mcp_servers.b]\ncommand = 'b'\n";
    assert_eq!(edited(before, Format::Toml, None).unwrap(), left);
    let by_address = "[mcp_servers.ultimate-memory]\nurl = 'http://localhost'\n";
    let ours = "[mcp_servers.ultimate-memory]\ncommand = \"/opt/umem\"\nargs = [\"mcp\"]\n";
    assert_eq!(edited(by_address, Format::Toml, Some(&entry(&["mcp"]))).unwrap(), ours);
}

#[test]
fn a_text_that_is_no_such_settings_is_refused_with_the_place() {
    let broken = |line, column| Some((line, column));
    for (format, text, place, what) in [
        (MCP, "{\n  \"mcpServers\": {\n    \"a\": {}\n    \"b\": {}\n  }\n}", broken(3, 12), "comma"),
        (MCP, "{\"a\": 1", broken(1, 1), "Unterminated"),
        (MCP, "{'a': 1}", broken(1, 2), "ingle"),
        (MCP, "é é", broken(1, 1), ""),
        (MCP, "[]", None, ""),
        (MCP, "{\"mcpServers\": []}", None, "mcpServers"),
        (MCP, "{\"mcpServers\": {}, \"mcpServers\": {}}", None, "mcpServers"),
        (Format::Toml, "a = 1\nb = \n", broken(2, 5), "string"),
        (Format::Toml, "mcp_servers = 1\n", None, "mcp_servers"),
        (Format::Toml, "[[mcp_servers]]\na = 1\n", None, "mcp_servers"),
        (Format::Toml, "[mcp_servers]\nultimate-memory = 1\n", None, "ultimate-memory"),
    ] {
        for ours in [Some(entry(&["mcp"])), None] {
            if ours.is_none() && text.ends_with("memory = 1\n") {
                continue;
            }
            match (edited(text, format, ours.as_ref()), place) {
                (Err(Problem::Broken { line, column, what: told }), Some(at)) => {
                    assert_eq!((line, column), at, "{text:?}: {told}");
                    assert!(told.contains(what), "{text:?}: {told}");
                }
                (Err(Problem::Misplaced { name }), None) => assert_eq!(name, what, "{text:?}"),
                (other, _) => panic!("{text:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn what_is_written_is_read_back_as_it_was_meant() {
    for command in ["C:\\Program Files\\umem.exe", "/o'p\"t/um\u{e9}m", "a\tb"] {
        let ours = Entry { command: command.to_owned(), args: vec!["--data".to_owned(), "C:\\d \"x\"".to_owned()] };
        let json = edited("", TYPED, Some(&ours)).unwrap();
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["servers"][NAME], serde_json::json!({"type": "stdio", "command": command, "args": ours.args}));
        let toml = edited("", Format::Toml, Some(&ours)).unwrap();
        let read: toml_edit::DocumentMut = toml.parse().unwrap();
        assert_eq!(read["mcp_servers"][NAME]["command"].as_str(), Some(command), "{toml}");
        assert_eq!(read["mcp_servers"][NAME]["args"][1].as_str(), Some("C:\\d \"x\""), "{toml}");
    }
}
