use crate::check;
use um_pii::Kind;

/// The values were drawn by chance for this test.
#[test]
fn forms() {
    for (detector, texts) in [
        ("secret.aws-id", &["id «AKIAUJZDEGXDNCF32EPF» here", "AKIA and ASIANFOOD"][..]),
        (
            "secret.aws-key",
            &["aws_secret_access_key = «JBd0Kh8oOOL8dKLzdocJ2isAjIhKtJ0RlgLKOmxg»", "aws key: none"][..],
        ),
        ("secret.google-key", &["«AIzaJTeKdNnFRIBXuDL7DxtpYlSXpfKtHF4vUCs»", "AIza"][..]),
        ("secret.google-oauth", &["«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»", "GOCSPX-x"][..]),
        (
            "secret.azure-storage",
            &[
                "AccountKey=«LZDe1f8rESQedUStPKR0CsTy4Qwb8DwkNhFdnXsiVpzz63FfkCzJr4i0B3JrTAwR4y9ojfljoQoaF1LlqsajAI==»;",
                "AccountKey=",
            ][..],
        ),
        (
            "secret.github",
            &[
                "«ghp_xNKu8iS2G8NPRVdD53X83RZJzzzzgEOzdmen» «github_pat_CkhvMdgaKjIg8xNbe3nNyjOq9wMxEhh2FDEEtfjg»",
                "ghp_short",
            ][..],
        ),
        ("secret.gitlab", &["«glpat-VvVqE1SkHbn88HxjSI6b»", "glpat-"][..]),
        ("secret.slack", &["«xoxb-841485253888-vOoNZYW2mZp0zVZomHFwUbbY»", "xox games"][..]),
        (
            "secret.slack-hook",
            &[
                "«https://hooks.slack.com/services/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»",
                "https://hooks.slack.com/",
            ][..],
        ),
        ("secret.telegram", &["«376278723:AAkibjL5DZPjN0MEQ7wjJJibaZUPgHV7iB3»", "12:AA"][..]),
        ("secret.stripe", &["«sk_live_m03nbqnsGpWLuqIA1id6Vw5D»", "sk_live_"][..]),
        (
            "secret.openai",
            &[
                "«sk-proj-QL05HA064GiIjHGb3CXlMaXZjljENUhJduRHHJEYXg4Jdpmr»",
                "use token «sk-proj-abcdEFGH1234ijklMNOP5678qrstUVWX9012»",
                "sk-sausage, sk-proj-abcdefghijklmnopqrstuvwxyz0123456789",
            ][..],
        ),
        ("secret.npm", &["«npm_cXgGCJbW56eCuNGMGmSrCGIZEG8pSH4487q7»", "npm_config_cache"][..]),
        ("secret.pypi", &["«pypi-J58m1CiAhzCueQpBenQtYh5Xj8TPQxjq4i9DoV8gz4FkQ1okTBGzvAmwufUx»", "pypi-server"][..]),
        ("secret.huggingface", &["«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»", "hf_hub_download"][..]),
        ("secret.sendgrid", &["«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»", "SG.1"][..]),
        ("secret.mailgun", &["«key-81006f7e3dfc967a64cb14028d512c97»", "key-value"][..]),
        (
            "secret.digitalocean",
            &["«dop_v1_91e558e08baa7196b50ac2f86702824c1c099724caf4941d4072014b3ce107f8»", "dop_v1_"][..],
        ),
        ("secret.shopify", &["«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»", "shpat_"][..]),
        ("secret.vault", &["«hvs.SnRFsTHsDDDXh5Jmtf7EbsDe»", "hvs."][..]),
        (
            "secret.age",
            &["«AGE-SECRET-KEY-162RYNNEFJ7QXI6RHXO55ZBKA52ZTJ0WYUHVAUVZHMASQXEZYEX1RDRGDSJ»", "AGE-SECRET-KEY-1"][..],
        ),
        (
            "secret.jwt",
            &[
                "«eyJprBGumXxY9B4bZWOz648.eyJJJnUfd7UACNWiP3sFd67JikEAvstqVVPqzPptEJQ.zhkPkenG5ZFJoC6vWCBiJmpflvJfupxqZKm4bV3AyAV»",
                "eyJ.eyJ.",
            ][..],
        ),
        (
            "secret.bearer",
            &["Authorization: Bearer «HnyrvWdFrK9xiRGHOY32nfr5pyzPCB9t2039bicB»", "bearer of bad news"][..],
        ),
        (
            "secret.url",
            &["postgres://app:«TW5ZE9LFaez7»@db.halden.example/main", "postgres://localhost/main, https://a.b/c:d@e"][..],
        ),
    ] {
        check(Kind::Secret, detector, 0.5, texts);
    }
}

#[test]
fn private_keys() {
    check(
        Kind::Secret,
        "secret.private-key",
        0.5,
        &[
            "«-----BEGIN RSA PRIVATE KEY-----\nMIIEow770H2DCpYgojjHRg80USP2W5DfJXcaYioK6cPTt9iOqHOBSWhgetH8Lmyq\noYMaaItDr9uP14pEHpJpb9ATPtdbmF4RPAfqoQB7xoFcSvTAxRzmaZsV2GenFmtX\n-----END RSA PRIVATE KEY-----»\n",
            "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        ],
    );
}

#[test]
fn assigned() {
    check(
        Kind::Secret,
        "secret.assigned",
        0.5,
        &[
            "client_secret = \"«0moDoqW4sg8NFNl5oFA6Qd8Mj7zdnbMj»\"",
            "{\"api_key\": \"«AdTdlzC5T4uUhf7kvmlP7HVDctQUy1xv»\"}",
            "API_TOKEN=«CkgafrfwA94hJ9WnywX0t0ZBfdTEmxI6CmuxV5Eb»",
            "api_key = your-api-key-here, token = get_token(), secret: ${SECRET}, TOKEN=xxxxxxxxxxxx",
            "token: TokenKind::Word, secret = config.client.secret, the secret is out",
        ],
    );
    check(
        Kind::Secret,
        "secret.password",
        0.5,
        &[
            "password: «hunter2!x», pwd=«Tr0ub4dor&3»",
            "the password is «k7#mQ2vv» now",
            "password: required, the password is wrong, password = ********, password=$PASSWORD",
            "Das Passwort lautet «Sommer2025!»",
            "Das Kennwort lautet: «Sommer2025»",
            "Das Passwort lautet anders. Passwort vergessen?",
            "The password policy: at least twelve signs",
            "password: see the vault",
        ],
    );
    check(
        Kind::Secret,
        "secret.passphrase",
        0.5,
        &[
            "password: «correct-horse-battery»",
            "Passwort = \"«stapel-klammer-pferd-bunt»\".",
            "password: see-the-vault, password: login-form-field, password: stored-with-admin",
            "passwordSource: kitchen-window-frame, password: correct-horse, password: correct-horse-battery9x_",
        ],
    );
    check(
        Kind::Secret,
        "secret.password-beside",
        0.5,
        &[
            "server has password «Hunter2!xyz»",
            "The password policy says twelve; the password Argon2id-hashed is kept, the password Sommer2025!",
            "A password https://Vault1.halden.example/!x leads to; password SHA-256/Base64-encoded",
        ],
    );
}
