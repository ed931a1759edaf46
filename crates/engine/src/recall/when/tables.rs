//! How German, French and Spanish name events: `vor dem Umzug`, `après le mariage`, `durante el viaje`.

use super::Side;

/// How a language names events.
pub(in crate::recall) struct Events {
    /// What leads to one.
    pub(super) leads: &'static [(&'static str, Side)],
    /// Those of them that lead to places as well: behind these stands one of `kinds`.
    pub(super) of_places: &'static [&'static str],
    /// Those of them that have the article of the event in them.
    pub(super) with_article: &'static [&'static str],
    /// What one certain thing begins with.
    pub(super) determiners: &'static [&'static str],
    /// What joins more to it: `die Reise nach Porto`.
    pub(super) joins: &'static [&'static str],
    /// With these the question itself goes on.
    pub(super) goes_on: &'static [&'static str],
    /// Before a lead, these tell how long before or behind the event, beside units of time.
    pub(super) counted: &'static [&'static str],
    /// What comes again and again or lasts for years is no event.
    pub(super) no_events: &'static [&'static str],
    /// How words for events end.
    pub(super) kinds: &'static [&'static str],
}

#[rustfmt::skip]
pub(in crate::recall) static GERMAN: Events = Events {
    leads: &[
        ("vor", Side::Before),
        ("vorm", Side::Before),
        ("bis zum", Side::Before),
        ("bis zur", Side::Before),
        ("nach", Side::After),
        ("seit", Side::After),
        ("während", Side::During),
    ],
    of_places: &["vor", "vorm", "bis zum", "bis zur", "nach"],
    with_article: &["vorm", "bis zum", "bis zur"],
    determiners: &[
        "das", "deinem", "deiner", "dem", "den", "der", "des", "die", "diesem", "dieser", "dieses", "ihrem", "ihrer", "ihres",
        "meinem", "meiner", "meines", "seinem", "seiner", "seines", "unserem", "unserer", "unseres",
    ],
    joins: &["an", "auf", "bei", "der", "des", "durch", "im", "in", "mit", "nach", "von", "zu", "zum", "zur"],
    goes_on: &["wann", "warum", "was", "wer", "wie", "wo", "woher", "wohin"],
    counted: &["direkt", "gleich", "kurz", "lange", "unmittelbar"],
    no_events: &[
        "abend", "abendessen", "anfang", "arbeit", "augenblick", "ende", "essen", "feierabend", "frist", "frühling",
        "frühstück", "herbst", "jahr", "jahres", "jugend", "karriere", "kindheit", "leben", "mahlzeit", "mittag",
        "mittagessen", "moment", "monat", "monats", "morgen", "nachmittag", "nacht", "pause", "schlafen", "schule", "sommer",
        "sommers", "stunde", "tag", "tages", "unterricht", "winter", "winters", "woche", "wochenende", "zeit",
    ],
    kinds: &[
        "abitur", "abschluss", "auszug", "beerdigung", "besuch", "einzug", "feier", "fest", "geburt", "geburtstag",
        "hochzeit", "konzert", "krieg", "kündigung", "lockdown", "operation", "pandemie", "party", "prüfung", "reise",
        "scheidung", "streit", "studium", "sturm", "tod", "treffen", "trennung", "umzug", "unfall", "urlaub", "verlobung",
        "wahl", "überschwemmung",
    ],
};

#[rustfmt::skip]
pub(in crate::recall) static FRENCH: Events = Events {
    leads: &[
        ("avant", Side::Before),
        ("jusqu'au", Side::Before),
        ("jusqu'à", Side::Before),
        ("après", Side::After),
        ("depuis", Side::After),
        ("pendant", Side::During),
        ("durant", Side::During),
        ("lors de", Side::During),
        ("lors du", Side::During),
    ],
    of_places: &["jusqu'au", "jusqu'à", "après", "avant", "depuis"],
    with_article: &["jusqu'au", "lors du"],
    determiners: &[
        "ce", "cet", "cette", "la", "le", "les", "leur", "ma", "mes", "mon", "nos", "notre", "sa", "ses", "son", "ta", "ton",
        "votre",
    ],
    joins: &[],
    goes_on: &["comment", "où", "pourquoi", "quand", "que", "quel", "quelle", "qui"],
    counted: &["juste", "longtemps", "peu"],
    no_events: &[
        "année", "automne", "carrière", "cours", "début", "déjeuner", "dîner", "enfance", "enfant", "fin", "hiver", "jeunesse",
        "jour", "journée", "matin", "matinée", "midi", "mois", "moment", "nuit", "printemps", "repas", "semaine", "soir",
        "soirée", "tabac", "temps", "travail", "vie", "week", "école", "été",
    ],
    kinds: &[
        "accident", "anniversaire", "arrivée", "bac", "concert", "confinement", "divorce", "décès", "démission", "départ",
        "déménagement", "emménagement", "enterrement", "examen", "fiançailles", "fête", "guerre", "inondation",
        "licenciement", "mariage", "mort", "naissance", "opération", "pandémie", "rupture", "réunion", "tempête",
        "vacances", "visite", "voyage", "élection", "élections",
    ],
};

#[rustfmt::skip]
pub(in crate::recall) static SPANISH: Events = Events {
    leads: &[
        ("antes de", Side::Before),
        ("antes del", Side::Before),
        ("hasta", Side::Before),
        ("después de", Side::After),
        ("después del", Side::After),
        ("tras", Side::After),
        ("desde", Side::After),
        ("durante", Side::During),
    ],
    of_places: &["antes de", "antes del", "desde", "después de", "después del", "hasta", "tras"],
    with_article: &["antes del", "después del"],
    determiners: &[
        "el", "esa", "ese", "esta", "este", "la", "las", "los", "mi", "mis", "nuestra", "nuestras", "nuestro", "nuestros",
        "su", "sus", "tu", "tus",
    ],
    joins: &[],
    goes_on: &["cuándo", "cómo", "dónde", "qué", "quién"],
    counted: &["justo", "mucho", "poco"],
    no_events: &[
        "almuerzo", "año", "carrera", "cena", "comida", "comienzo", "desayuno", "día", "escuela", "fin", "final", "infancia",
        "invierno", "juventud", "mañana", "mediodía", "mes", "momento", "noche", "otoño", "primavera", "principio", "semana",
        "tarde", "tiempo", "trabajo", "verano", "vida",
    ],
    kinds: &[
        "accidente", "boda", "compromiso", "concierto", "confinamiento", "cumpleaños", "despido", "divorcio", "elecciones",
        "entierro", "examen", "fiesta", "funeral", "graduación", "guerra", "inundación", "mudanza", "muerte", "nacimiento",
        "operación", "pandemia", "reunión", "ruptura", "separación", "tormenta", "vacaciones", "viaje", "visita",
    ],
};
