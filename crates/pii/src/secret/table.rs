//! The forms of keys and tokens, as data.

/// Whether a value only looks like a secret.
pub(crate) type Allow = fn(&str) -> bool;

/// The form of one kind of secret.
pub(crate) struct Form {
    pub(crate) detector: &'static str,
    /// One of these must stand in the text, in any case; they are what a text is searched for first.
    pub(crate) keywords: &'static [&'static str],
    /// What is found is group 1, where there is one. Long values are repeated without a bound: a counter of thousands
    /// would make the automaton as large.
    pub(crate) pattern: &'static str,
    /// The least entropy of what is found, in bits for each byte.
    pub(crate) entropy: f64,
    /// What is found and is none.
    pub(crate) allowed: &'static [Allow],
    pub(crate) confidence: f64,
}

const fn token(detector: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Form {
    Form { detector, keywords, pattern, entropy: 3.0, allowed: &[is_placeholder], confidence: 0.95 }
}

pub(crate) static TABLE: &[Form] = &[
    Form {
        entropy: 0.0,
        confidence: 0.99,
        ..token(
            "secret.private-key",
            &["-----begin"],
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=:,.\\-]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        )
    },
    token("secret.aws-id", &["akia", "asia", "aroa", "aida"], r"(?-u:\b)(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}(?-u:\b)"),
    token(
        "secret.aws-key",
        &["aws"],
        r#"(?i:aws)(?i:[a-z_ .-]{0,24}(?:secret|key))(?i:[a-z_ .-]{0,16})["']?\s{0,3}[:=]\s{0,3}["']?([A-Za-z0-9/+]{40})(?-u:\b)"#,
    ),
    token("secret.google-key", &["aiza"], r"(?-u:\b)AIza[A-Za-z0-9_-]{35}"),
    token(
        "secret.google-oauth",
        &["gocspx-", "ya29."],
        r"(?-u:\b)(?:GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,200})",
    ),
    token("secret.azure-storage", &["accountkey="], r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    token(
        "secret.github",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"(?-u:\b)(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})",
    ),
    token("secret.gitlab", &["glpat-", "gldt-", "glrt-"], r"(?-u:\b)gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,64}"),
    token(
        "secret.slack",
        &["xox", "xapp-"],
        r"(?-u:\b)(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[0-9]-[A-Za-z0-9-]{20,250})",
    ),
    token(
        "secret.slack-hook",
        &["hooks.slack"],
        r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,120}",
    ),
    token(
        "secret.discord-hook",
        &["api/webhooks"],
        r"https://(?:\w{1,10}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{15,22}/[A-Za-z0-9_-]{50,100}",
    ),
    token("secret.telegram", &[":aa"], r"(?-u:\b)[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    token("secret.stripe", &["_live_", "_test_"], r"(?-u:\b)[rsp]k_(?:live|test)_[A-Za-z0-9]{16,120}"),
    token("secret.openai", &["sk-"], r"(?-u:\b)sk-(?:proj-|ant-|svcacct-|admin-|or-)?[A-Za-z0-9_-]{32,220}"),
    token("secret.npm", &["npm_"], r"(?-u:\b)npm_[A-Za-z0-9]{36}"),
    token("secret.pypi", &["pypi-"], r"(?-u:\b)pypi-[A-Za-z0-9_-]{50,250}"),
    token("secret.crates", &["cio"], r"(?-u:\b)cio[A-Za-z0-9]{32}(?-u:\b)"),
    token("secret.huggingface", &["hf_"], r"(?-u:\b)hf_[A-Za-z0-9]{34,40}(?-u:\b)"),
    token("secret.sendgrid", &["sg."], r"(?-u:\b)SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    token("secret.mailgun", &["key-"], r"(?-u:\b)key-[0-9a-f]{32}(?-u:\b)"),
    token("secret.twilio", &["twilio"], r"(?i:twilio)[^\n]{0,60}(?-u:\b)((?:SK|AC)[0-9a-f]{32}|[0-9a-f]{32})(?-u:\b)"),
    token("secret.digitalocean", &["dop_v1_"], r"(?-u:\b)dop_v1_[0-9a-f]{64}"),
    token("secret.shopify", &["shpat_", "shpss_", "shpca_"], r"(?-u:\b)shp(?:at|ss|ca)_[0-9a-fA-F]{32}"),
    token("secret.vault", &["hvs."], r"(?-u:\b)hvs\.[A-Za-z0-9_-]{24,200}"),
    token("secret.age", &["age-secret-"], r"(?-u:\b)AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    token("secret.jwt", &["eyj"], r"(?-u:\b)eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    token(
        "secret.bearer",
        &["bearer ", "authorization"],
        r"(?i:bearer|authorization: ?(?:basic|token|bearer)) ([A-Za-z0-9._~+/-]{20,}={0,2})",
    ),
    Form {
        entropy: 1.5,
        ..token(
            "secret.url",
            &["://"],
            r"(?-u:\b)[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@<>\x22']{0,80}:([^\s/@<>\x22']{3,120})@[^\s@<>\x22']{1,200}",
        )
    },
    Form {
        entropy: 3.0,
        allowed: &[is_placeholder, is_program],
        confidence: 0.75,
        ..token(
            "secret.assigned",
            &[
                "secret",
                "token",
                "api_key",
                "apikey",
                "api-key",
                "api key",
                "access_key",
                "accesskey",
                "access-key",
                "auth_key",
                "private_key",
                "credential",
                "client_key",
                "encryption_key",
                "license_key",
            ],
            r#"(?i:secret|token|api[_ -]?key|access[_-]?key|auth_key|private_key|credentials?|client_key|encryption_key|license_key)(?i:[a-z0-9_-]{0,20})["'\]]{0,2}[ \t]{0,4}(?::=|=>|=|:)[ \t]{0,4}["'`]?([A-Za-z0-9_+/.~$!@#%^&*=-]{10,200})"#,
        )
    },
    Form {
        entropy: 2.0,
        allowed: &[is_placeholder, is_program, is_word],
        confidence: 0.7,
        ..token(
            "secret.password",
            &["passw", "passphrase", "pwd", "passcode", "kennwort", "contraseña", "mot de passe"],
            r#"(?i:password|passwd|passphrase|pwd|passwort|passcode|kennwort|contraseña|mot de passe)(?i:[a-z0-9_]{0,12})["'\]]{0,2}(?:[ \t]{0,4}(?::=|=>|=|:)[ \t]{0,4}|(?i: is:? | ist | lautet:? | es | est ))["'`]?([^\s"'`<>,;]{6,120})"#,
        )
    },
    // Words that are joined: only right behind the name, where names of programs do not stand.
    Form {
        entropy: 2.0,
        allowed: &[is_placeholder, is_of_passwords],
        confidence: 0.7,
        ..token(
            "secret.passphrase",
            &["passw", "passphrase", "passcode", "kennwort"],
            r#"(?i:password|passwd|passphrase|passwort|passcode|kennwort)["']?[ \t]{0,4}[:=][ \t]{0,4}["'`]?([a-z]{4,12}(?:-[a-z]{4,12}){2,7})(?:["'`\s.,;!?)]|$)"#,
        )
    },
    // Nothing between both: only what can hardly be a word.
    Form {
        entropy: 2.5,
        allowed: &[is_placeholder, is_program, is_plain],
        confidence: 0.6,
        ..token(
            "secret.password-beside",
            &["passw", "passphrase", "passcode", "kennwort"],
            r#"(?i:password|passwd|passphrase|passwort|passcode|kennwort)["']?[ \t]{1,3}["'`]?([^\s"'`<>,;]{8,120})"#,
        )
    },
];

/// `${TOKEN}`, `<token>`, `your-token-here`, `xxxxxxxx`, `****`.
fn is_placeholder(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let first = small.chars().next();
    let marks = [
        "example",
        "your",
        "xxxx",
        "placeholder",
        "changeme",
        "change_me",
        "redacted",
        "dummy",
        "sample",
        "0000000",
        "1234567890",
        "insert",
        "....",
        "****",
        "$(",
        "${",
        "{{",
        "%(",
    ];
    let is_alphabet = ["abcdef", "ABCDEF"].iter().any(|run| value.contains(run));
    is_alphabet
        || marks.iter().any(|mark| small.contains(mark))
        || small.chars().all(|c| Some(c) == first)
        || small.starts_with(['$', '<', '%', '*', '{'])
}

/// A name, a call or a path in a program rather than a value: `config.token`, `get_token()`, `TokenKind::Word`.
fn is_program(value: &str) -> bool {
    let letters = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic());
    let named = value.split(['_', '.', '-', ':', '/', '#']).all(letters);
    named
        || value.contains("()")
        || value.ends_with('(')
        || value.contains("::")
        || value.starts_with("self.")
        || value.starts_with('&')
}

/// One plain word: `password: required`, `the password is wrong`.
fn is_word(value: &str) -> bool {
    let value = value.trim_end_matches(|c: char| !c.is_alphanumeric());
    value.chars().all(char::is_alphabetic)
}

/// Words that say where a password is or what becomes of it, and are none: `see-vault-entry`, `reset-after-login`.
fn is_of_passwords(value: &str) -> bool {
    let words = [
        "after",
        "before",
        "change",
        "changed",
        "config",
        "database",
        "default",
        "empty",
        "entry",
        "environment",
        "field",
        "file",
        "form",
        "from",
        "generated",
        "hash",
        "hashed",
        "hidden",
        "input",
        "kept",
        "login",
        "manager",
        "must",
        "name",
        "none",
        "only",
        "passphrase",
        "passwd",
        "password",
        "passwort",
        "provider",
        "reference",
        "required",
        "reset",
        "rotated",
        "secret",
        "secrets",
        "service",
        "siehe",
        "storage",
        "store",
        "stored",
        "text",
        "token",
        "tresor",
        "unknown",
        "unset",
        "user",
        "value",
        "variable",
        "vault",
        "with",
        "without",
    ];
    value.split('-').any(|word| words.contains(&word))
}

/// Not made of small and capital letters, digits and signs that no word has.
fn is_plain(value: &str) -> bool {
    let core = value.trim_matches(|c: char| !c.is_alphanumeric());
    let has = |of: fn(char) -> bool| core.chars().any(of);
    let is_mixed = has(char::is_lowercase)
        && has(char::is_uppercase)
        && has(|c| c.is_ascii_digit())
        && has(|c| "!#$%^*+~".contains(c));
    !is_mixed || value.contains("://")
}
