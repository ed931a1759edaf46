use crate::check;
use um_pii::Kind;

#[test]
fn email() {
    check(
        Kind::Email,
        "net.email",
        0.5,
        &[
            "Write to «ana.ruiz+news@mail.halden.example», or call.",
            "<«zoë@bücher.example»>; «o'neil@halden.example».",
            "«ANA@HALDEN.EXAMPLE» and «a@b.co»",
            "icon@2x.png, user@localhost, @ana, a@b, a@.com, @scope/name, 5@6.7",
            "git@git.halden.example:tools/parser.git",
            "«mila@cafe.example».txt, letter to «ruth.adler@post.example».md",
        ],
    );
}

#[test]
fn ip_addresses() {
    check(
        Kind::IpAddress,
        "net.ipv4",
        0.5,
        &[
            "from «41.173.96.26» port 22, and «10.1.2.3»:8080, «192.168.0.0»/16",
            "version 1.2.3.4, 1.2.3.4.5, 256.1.1.1, 127.0.0.1, 255.255.255.0, 1.2.3, 01.02.03.04",
        ],
    );
    check(
        Kind::IpAddress,
        "net.ipv6",
        0.5,
        &[
            "host «2001:db8:85a3::8a2e:370:7334» is «fe80::1ff:fe23:4567:890a»",
            "12:34:56, ::1, std::fs::File, a::b, 00:11:22:33:44:55, dead::beef",
        ],
    );
}

#[test]
fn mac() {
    check(
        Kind::MacAddress,
        "net.mac",
        0.5,
        &[
            "eth0 «3c:22:fb:0a:1b:2c» and «3C-22-FB-0A-1B-2D»",
            "00:00:00:00:00:00, ff:ff:ff:ff:ff:ff, 12:34:56, 3c:22:fb:0a:1b:2c:3d",
        ],
    );
}

#[test]
fn urls() {
    check(
        Kind::Url,
        "net.url",
        0.5,
        &["See «https://www.halden.example/a?b=c#d». («http://x.io/»)", "https:// and http"],
    );
    check(
        Kind::Url,
        "net.host",
        0.5,
        &["Go to «www.halden.co.uk» or «blog.halden.org/ana».", "main.rs, a.b.c(), e.g. this, 3.5, node.js"],
    );
}
