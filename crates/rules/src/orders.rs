//! Orders to a model: words in a text that speak to whoever reads it by machine, and tell it what to do. What a person wants
//! of their agents (`always use tabs`, `never commit to main`) is none; only what would take the reader's own task from it is.

mod addressed;
mod joined;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;
use um_model::access::is_hidden;
use unicode_normalization::UnicodeNormalization;

/// Marks of chat templates, which no prose has. In lower case.
const MARKS: &[&str] =
    &["<|im_start|>", "<|im_end|>", "<|system|>", "<|endoftext|>", "<<sys>>", "[/inst]", "</system>"];

/// Orders word by word: alternatives stand between bars, `?` behind a word that may be missing, and `*3` for at most three
/// words of any kind. With `^` in front it is one only where a sentence begins, as an order does: what is told of others is none. With
/// `$` behind it is one only where a clause ends: `ignore the above`, and not `ignore the above warning`. `!` is no word: where it
/// stands, none of [`TRADES`] follows.
const ORDERS: &[&str] = &[
    "ignore|disregard|forget|override|bypass|discard the|your|all|any? instructions|instruction|prompt|prompts|guidelines|\
     directives|programming you|above|before|given",
    "ignore|disregard|forget|override|bypass|discard your *1 instructions|instruction|prompt|prompts|guidelines|directives|\
     programming|restrictions|guardrails",
    "override|bypass|discard all|any|the|your|my? previous|prior|above|earlier|preceding|system|safety|developer \
     instructions|instruction|prompt|prompts|guidelines|directives",
    "override|bypass|discard all|any|your previous|prior|above|earlier|preceding|system|safety orders$",
    "ignore|disregard|forget all|any|every|everything|the|your|my|these|those of? the|these|your|my? \
     previous|prior|above|earlier|preceding|existing|former|original|initial|system|safety|developer|other \
     instructions|instruction|prompt|prompts|rules|guidelines|directives|commands|context",
    "ignore|disregard|forget|override|bypass|discard previous|prior|above|earlier|preceding|system|safety \
     instructions|instruction|prompt|prompts|rules|guidelines|directives|commands",
    // Mails and goods, too, have messages and orders that are not to be read: one's own, or those about something.
    "ignore|disregard|forget all|any|every|everything|the|your|these|those of? the|these|your? \
     previous|prior|above|earlier|preceding|existing|former|original|initial|system|safety|developer|other \
     messages|orders|text|content$",
    "ignore|disregard|forget|override|bypass|discard previous|prior|above|earlier|preceding|system|safety messages|orders$",
    "ignore|disregard|forget|override|bypass|discard all|any|every|everything|the|your? of? the|these|your? \
     previous|prior|above|earlier|preceding|system messages|orders|text|content from|of|by|in the|this|our? \
     user|users|human|operator|context|prompt",
    // People forget what they know of something, too.
    "ignore|disregard|forget what|everything|anything|all you *3 told|know|learned|instructed$",
    "ignore|disregard|forget what|everything|anything|all you *3 told|know|learned|instructed \
     before|previously|earlier|above|already|so|until|till|to",
    "ignore|disregard|forget what|everything|anything|all you *3 told|know|learned|instructed \
     by|from|in|during|about the|your|this|our|any|all? *1 user|users|human|owner|operator|developer|developers|system|prompt|prompts|\
     training|conversation|chat|context|instructions|rules|guidelines|task|safety|role|ethics",
    "from now on *1 you are *1 ai|assistant|chatbot|jailbroken|unrestricted|unfiltered|dan !",
    "from now on *1 you are *1 an|a|my|the *3 ai|assistant|bot|chatbot|model|jailbroken|unrestricted|unfiltered|dan !",
    // That name goes before no trade.
    "from now on *1 you are dan",
    "you are|become now|henceforth dan",
    "du bist jetzt|nun|fortan dan",
    "tu|vous es|êtes maintenant|désormais dan",
    "ahora eres dan",
    "ignore|disregard|forget everything|anything|all above|before|prior",
    "your new|real|actual|true|only instructions|instruction|task|goal|purpose|objective is|are",
    "new|updated|revised|real system|developer|hidden prompt|instruction|instructions|message",
    "begin|start|end of? the? new? system|developer prompt|instruction|instructions|message",
    "you are|become now|henceforth *1 ai|assistant|chatbot|jailbroken|unrestricted|unfiltered|dan !",
    "you are|become now|henceforth *1 an|a|my|the *3 ai|assistant|bot|chatbot|model|jailbroken|unrestricted|unfiltered|dan !",
    "you are|become now|henceforth in|entering|the|a *2 mode|persona",
    "you are|become now|henceforth acting|responding|speaking|operating|functioning as|like an|a|my|the? *2 \
     ai|assistant|chatbot|llm|dan|jailbroken|unrestricted|unfiltered !",
    // Of a trade or not: people have limits.
    "you are|become now|henceforth *4 ai|assistant|chatbot|bot|llm *2 without *1 \
     limits|limitations|restrictions|filters|rules|guidelines",
    "you are no longer an|a|bound|restricted|limited|the ai|assistant|bot|chatbot|model|by|to",
    "act|respond|behave|answer as if? you *2 no|without restrictions|rules|guidelines|filter|filters|limits",
    "you are now? in developer|debug|god|admin|dan|jailbreak|unrestricted mode",
    "disable|bypass|evade|circumvent your|all|any|the *1 safety|content|security|moderation \
     filters|filter|guardrails|guidelines|restrictions|checks|policy|policies",
    "reveal|print|output|repeat|show|leak|disclose|display your system|hidden|initial|secret|original|full? \
     prompt|prompts|instructions",
    "reveal|print|output|repeat|show|leak|disclose|display the system|hidden|initial|secret \
     prompt|prompts|instructions",
    "^do not tell|inform|alert|notify|warn|mention *3 to? the user|human",
    "^dont|never tell|inform|alert|notify|warn|mention *3 to? the user|human",
    "ai|assistant|llm|model|agent|chatbot|gpt|claude|copilot|gemini|bot that|who|which? is|are? now|currently? reading|processing|seeing|summarizing|summarising|\
     ingesting|parsing this|the|these",
    "if|when|whoever|since|because you are an|a? large? language model !",
    "if|when|whoever|since|because you are an|a? ai|llm|assistant|chatbot|gpt !",
    "attention|notice to|for? all|any|every ai|llm|language|assistant|chatbot models|assistants|agents|bots|systems|chatbots",
    "send|forward|upload|post|email|exfiltrate|leak|transmit|copy all|the|your|users|every *3 \
     memories|conversation|conversations|credentials|passwords|secrets|keys|tokens|history to|at|via",
    "^ignore|disregard|forget|override all|everything? of? the? above|foregoing|aforementioned$",
    "^ignore|disregard|forget what|all|everything|anything that? is|was|comes|came|stands? written|said? above|before$",
    "^you must|shall|will|should now|henceforth|instead to? obey|reveal|leak|disclose|exfiltrate|pretend|impersonate|roleplay",
    "^you must|shall|will|should now|henceforth|instead respond|reply|answer|speak|talk|write only|exclusively|without|as",
    "^you must|shall|will|should now|henceforth|instead forward|send|email|upload|transfer|share|delete|erase|wipe|approve|grant|execute \
     this|everything|all|every|any|these",
    "^you must|shall|will|should now|henceforth|instead ignore|disregard|forget|override the|what|all|any|everything|your \
     user|users|human|owner|person|rules|instructions|safety|previous|earlier",
    "^from now on *1 you will|must|shall|should|only|always|never *1 obey|pretend|roleplay|impersonate",
    "^from now on *1 you will|must|shall|should|only|always|never *1 comply with any|all|every|my *2 \
     request|requests|command|commands|demand|demands|order|orders|instruction|instructions|prompt|prompts",
    "^from now on *1 you will|must|shall|should|only|always|never *1 comply$",
    "^from now on *1 you will|must|shall|should|only|always|never *1 comply with everything|anything|whatever|me",
    "^from now on *1 you will|must|shall|should|only|always|never *1 comply with the|these|those? following|below? \
     command|commands|demand|demands|prompt|prompts",
    "^from now on *1 you will|must|shall|should|only|always|never *1 comply with the? following \
     instruction|instructions|order|orders|request|requests",
    "^you must|shall|will|should now|henceforth|instead comply with any|all|every|my *2 \
     request|requests|command|commands|demand|demands|order|orders|instruction|instructions|prompt|prompts",
    "^you must|shall|will|should now|henceforth|instead comply$",
    "^you must|shall|will|should now|henceforth|instead comply with everything|anything|whatever|me",
    "^you must|shall|will|should now|henceforth|instead comply with the|these|those? following|below? \
     command|commands|demand|demands|prompt|prompts",
    "^you must|shall|will|should now|henceforth|instead comply with the? following \
     instruction|instructions|order|orders|request|requests",
    "^from now on *1 you are *1 to obey|pretend|roleplay|impersonate",
    "^from now on *1 you are *1 to respond|reply|answer|act|behave|speak as|like *3 \
     ai|bot|chatbot|model|llm|terminal|shell|dan|jailbroken|unrestricted|unfiltered|uncensored|evil|root !",
    "^from now on *1 you will|must|shall|should? only|always|exclusively respond|reply|answer|speak|talk|write \
     yes|no|with|in|as|using|like",
    "^from now on *1 you will|must|shall|should *1 respond|reply|answer|speak|talk|write yes|no|only|exclusively|like",
    "^from now on *1 you will|must|shall|should *1 respond|reply|answer|act|behave|speak|talk|write *4 without *2 \
     restriction|restrictions|filter|filters|limit|limits|limitations|rules|guidelines|refusing|disclaimer|disclaimers|censorship",
    "^from now on *1 you will|must|shall|should|only|always *1 respond|reply|answer|act|behave|speak|talk|write as|like *3 \
     ai|bot|chatbot|model|llm|terminal|shell|dan|jailbroken|unrestricted|unfiltered|uncensored|evil|root !",
    "^ignore|disregard what|whatever|anything|everything? the user|human|owner says|said|asks|asked|wants|tells|told",
    "ignore|disregard|forget|bypass|override your *2 safety|ethics|ethical|constraints|limitations|filters|policies",
    // An assistant or model is one, and a researcher or teacher of languages is none.
    "^as an|a|the *1 ai|llm|chatbot|chatgpt|gpt assistant|model|agent|system|bot|chatbot? you must|will|shall|should|are|have|need",
    "^as an|a|the *1 language model you must|will|shall|should|are|have|need",
    "^as an|a|the *1 ai|llm|chatbot|language assistant|model|agent|bot|chatbot \
     reading|processing|seeing|summarizing|summarising|trained|made|built|designed|without|who|that|in *5 \
     you must|will|shall|should|are|have|need",
    "^pretend|imagine *1 you are|re|were *3 ai|assistant|dan|unrestricted|unfiltered|root|admin|jailbroken",
    "^do not|never follow|obey *1 the|your user|users|human|owner|operator$",
    // German, French, Spanish, Italian, Portuguese, Dutch.
    "^ignoriere|ignorieren|missachte|missachten|vergiss|vergessen sie? bitte? alles was *1 dir|ihnen|man *4 \
     gesagt|aufgetragen|befohlen|vorgegeben|beigebracht",
    "^du musst|sollst|wirst jetzt|nun|fortan|stattdessen *3 gehorchen|verraten|preisgeben|ausplaudern",
    "^du musst|sollst|wirst jetzt|nun|fortan|stattdessen *1 alle|alles|jede|deine *3 \
     verraten|weiterleiten|löschen|ignorieren|vergessen|senden|schicken|missachten|freigeben",
    "ab jetzt|sofort|nun|heute bist|wirst du nur|nicht|mehr? ein|eine|einer|mein|meine *3 ki|bot|chatbot|sprachmodell|dan !",
    "ab jetzt|sofort|nun|heute bist|wirst du ein|mein *2 assistent ohne",
    "ab jetzt|sofort|nun|heute bist|wirst du *4 uneingeschränkt|unzensiert",
    "ab jetzt|sofort|nun|heute bist|wirst du ki|chatbot|sprachmodell|dan !",
    "ab jetzt|sofort|nun gehorchst du",
    // Whoever serves, and obeys or does all that somebody says, is no colleague.
    "ab jetzt|sofort|nun|heute bist|wirst du *3 assistent|assistentin|diener|dienerin|sklave|sklavin|werkzeug *2 gehorchst",
    "ab jetzt|sofort|nun|heute bist|wirst du *3 assistent|assistentin|diener|dienerin|sklave|sklavin|werkzeug *1 \
     tust|machst nur|alles|genau? was ich *1 sage|will|möchte|verlange|befehle|wünsche|anordne",
    "ab jetzt|sofort|nun|heute bist|wirst du *3 assistent|assistentin|diener|dienerin|sklave|sklavin|werkzeug *1 \
     befolgst nur|alle|jeden|jede|meine|meinen *2 befehl|befehle|anweisung|anweisungen",
    "ab jetzt|sofort|nun|heute sind|werden sie *3 assistent|assistentin|diener|dienerin|sklave|sklavin|werkzeug *2 gehorchen",
    "du bist jetzt|nun|fortan *3 assistent|assistentin|diener|dienerin|sklave|sklavin|werkzeug *2 gehorchst",
    "^gehorche ab? jetzt|sofort|nun|fortan? nur|ausschließlich|bedingungslos? mir",
    "ab jetzt|sofort|nun befolgst du nur|alle|jeden|jede|meine|meinen *2 befehl|befehle|anweisung|anweisungen",
    "ab jetzt|sofort|nun ignorierst du *3 alles|anweisungen|vorgaben|richtlinien|filter|befehle|einschränkungen|nutzer|benutzer",
    "ab jetzt|sofort|nun antwortest du nur|immer|ausschließlich mit|auf|als|ja|nein",
    "ab jetzt|sofort|nun antwortest du *3 ohne *2 filter|einschränkung|einschränkungen|regeln|grenzen",
    "du bist jetzt|nun|fortan ein|eine|mein|meine *2 ki|chatbot|sprachmodell|dan !",
    "du bist jetzt|nun|fortan *2 uneingeschränkt|unzensiert",
    "du bist jetzt|nun|fortan ki|chatbot|sprachmodell|dan !",
    "^als ki|chatbot|sprachmodell assistent|modell|agent? musst|wirst|sollst|darfst du",
    "du bist kein|keine *2 ki|assistent|chatbot|sprachmodell mehr",
    "^sag|sage|verrate|erzähl|erzähle|melde|zeig|zeige das|dies|es|davon? dem|den der? nutzer|nutzern|benutzer|benutzern|anwender nicht|nichts",
    "^zeig|zeige|gib|nenn|nenne|verrate|wiederhole|offenbare mir? deinen|deine|dein *1 \
     systemprompt|systemanweisung|systemanweisungen|prompt|instruktionen|anweisungen|vorgaben",
    "wenn|falls|sofern du ein|eine *1 ki|sprachmodell|llm|chatbot *1 bist",
    "^sende|schick|schicke|leite|verrate *2 alle|alles|deine|sämtliche *2 \
     passwörter|kennwörter|zugangsdaten|erinnerungen|geheimnisse|gespräche *4 an|weiter",
    "^tu|vous dois|devez maintenant|désormais *1 obéir|ignorer|révéler|divulguer|oublier",
    "^tu|vous dois|devez maintenant|désormais *1 transférer|envoyer|supprimer|effacer|approuver tout|tous|toutes|ceci|cela",
    "tu|vous es|êtes maintenant|désormais une|un|mon|ma? nouvelle|nouveau|puissante|puissant|véritable|vraie|méchante? ia|chatbot|dan|llm !",
    "^en tant quassistant|que|quun assistant|modèle? ia tu|vous dois|devez|es|êtes",
    "^en tant quia tu|vous dois|devez|es|êtes",
    "^en tant que|quun chatbot tu|vous dois|devez|es|êtes",
    "tu|vous nes|nêtes plus une|un *1 ia|assistant|chatbot|modèle",
    // Rules and parents are to be obeyed, too.
    "à partir de maintenant tu|vous mobéis|mobéissez",
    "à partir de maintenant tu|vous obéis|obéissez$",
    "à partir de maintenant tu|vous obéis|obéissez à moi|mes|ce|cette|ces|tous|toutes|chaque",
    "à partir de maintenant tu|vous dois|devez *2 mobéir",
    "à partir de maintenant tu|vous dois|devez *2 obéir$",
    "à partir de maintenant tu|vous dois|devez *2 obéir à moi|mes|ce|cette|ces|tous|toutes|chaque",
    "désormais|dorénavant tu|vous mobéis|mobéissez",
    "désormais|dorénavant tu|vous obéis|obéissez$",
    "désormais|dorénavant tu|vous obéis|obéissez à moi|mes|ce|cette|ces|tous|toutes|chaque",
    "à partir de maintenant tu|vous es|êtes *2 assistant|assistante|serviteur|esclave *1 tu|vous? obéis|obéissez|mobéis|mobéissez",
    "désormais|dorénavant tu|vous es|êtes *2 assistant|assistante|serviteur|esclave *1 tu|vous? obéis|obéissez|mobéis|mobéissez",
    "tu|vous es|êtes maintenant|désormais *2 assistant|assistante|serviteur|esclave *1 tu|vous? obéis|obéissez|mobéis|mobéissez",
    "à partir de maintenant tu|vous es|êtes une|un|mon|ma? nouvelle|nouveau|puissante|puissant|véritable|vraie|méchante? ia|chatbot|dan|llm !",
    "à partir de maintenant tu|vous es|êtes un|mon *1 assistant *2 sans",
    "à partir de maintenant tu|vous réponds|répondez|dois|devez uniquement|seulement|toujours répondre? par|en|avec|comme|oui|non",
    "à partir de maintenant tu|vous réponds|répondez|dois|devez répondre? *3 sans *2 filtre|filtres|limite|limites|restriction|restrictions",
    "^ne|nen dis|dites|parle|parlez|mentionne|mentionnez|révèle|révélez *1 pas|rien|jamais *2 lutilisateur|lutilisatrice",
    "^ninforme|ninformez|nalerte|nalertez|navertis|navertissez pas|jamais lutilisateur|lutilisatrice",
    "affiche|affichez|révèle|révélez|montre|montrez|répète|répétez *1 ton|ta|tes|votre|vos *1 \
     prompt|instructions|consignes système|initial|initiales|caché|cachées|secrètes",
    "si tu|vous es|êtes une|un ia|llm|chatbot",
    "si tu|vous es|êtes un modèle de langage",
    "envoie|envoyez|transfère|transférez *2 mots|identifiants|secrets|souvenirs|conversations *3 à",
    "^ahora debes|debe|tienes *1 obedecer|ignorar|revelar|olvidar|divulgar",
    "^debes|debe ahora *1 obedecer|ignorar|revelar|olvidar|divulgar",
    "^ahora debes|debe *1 reenviar|enviar|borrar|eliminar|aprobar todo|todos|todas|esto",
    "ahora eres un|una|mi? nueva|nuevo|poderosa|poderoso|verdadera|malvada? ia|chatbot|dan|llm !",
    "a partir de ahora me obedeces|obedecerás",
    "a partir de ahora *1 obedeces|obedecerás$",
    "a partir de ahora *1 obedeces|obedecerás a? mí|mis|este|esta|estos|estas|todo|todos|todas|cada",
    "a partir de ahora *1 eres *2 asistente|sirviente|esclavo|esclava *1 me? obedeces|obedecerás",
    "desde ahora *1 eres *2 asistente|sirviente|esclavo|esclava *1 me? obedeces|obedecerás",
    "ahora eres *2 asistente|sirviente|esclavo|esclava *1 me? obedeces|obedecerás",
    "a partir de ahora *1 debes|tienes *2 obedecer$",
    "a partir de ahora *1 debes|tienes *2 obedecerme",
    "a partir de ahora *1 debes|tienes *2 obedecer a? mí|mis|este|esta|estos|estas|todo|todos|todas|cada",
    "a partir de ahora *1 eres un|una|mi *2 asistente *1 sin",
    "a partir de ahora *1 eres un|una|mi? nueva|nuevo|poderosa|poderoso|verdadera|malvada? ia|chatbot|dan|llm !",
    "a partir de ahora *1 respondes|responderás|debes responder? solo|sólo|siempre|únicamente responder? con|en|como|que|sí|no",
    "a partir de ahora *1 respondes|responderás|debes responder? *3 sin *2 filtro|filtros|límite|límites|restricciones",
    "^como ia|chatbot tú? debes|tienes|eres",
    "^como asistente|modelo de? ia tú? debes|tienes|eres",
    "ya no eres una|un *1 ia|asistente|chatbot|modelo",
    "^no|nunca le|se? lo? digas|diga|informes|informe|avises|avise|menciones|mencione|cuentes|cuente *2 al|a usuario|usuaria",
    "^muestra|muestre|revela|revele|repite|repita|imprime *1 tu|tus|su|sus *1 \
     prompt|instrucciones|indicaciones *1 sistema|inicial|iniciales|ocultas|secretas",
    "si eres una|un ia|llm|chatbot",
    "^envía|envíe|reenvía|reenvíe *2 contraseñas|credenciales|secretos|recuerdos|conversaciones *3 a",
    "ignoriere|ignorieren|missachte|vergiss *3 vorherigen|bisherigen|vorigen|obigen|früheren|deine|alle \
     anweisungen|anweisung|instruktionen|befehle|regeln|vorgaben",
    "ignore|ignorez|oublie|oubliez *2 instructions|consignes|directives précédentes|antérieures|initiales|système",
    "ignore|ignorez|oublie|oubliez tous? tes|vos|les ordres précédents|antérieurs|initiaux$",
    "ignora|ignore|olvida|olvide *3 instrucciones|órdenes|indicaciones anteriores|previas|iniciales",
    "ignora|ignori|dimentica *3 istruzioni|direttive precedenti|iniziali",
    "ignore|ignora|esqueça|esquece *3 instruções anteriores|prévias|iniciais",
    "negeer|vergeet *3 vorige|eerdere|bovenstaande|voorgaande instructies|opdrachten|aanwijzingen",
    "^ignoriere|ignoriert|ignorieren|missachte|missachten|vergiss|vergessen sie? bitte? das|alles \
     obige|obenstehende|vorherige|vorangegangene|vorhergehende|bisherige|oben|davor|zuvor$",
    "^ignoriere|ignoriert|ignorieren|missachte|missachten|vergiss|vergessen sie? bitte? das|alles \
     bisher|oben|zuvor|vorher|davor gesagte|geschriebene|stehende$",
    "ignore|ignorez|oublie|oubliez tout? ce qui précède$",
    "veuillez ignorer|oublier tout? ce qui précède$",
    "ignore|ignorez|oublie|oubliez *2 instructions|consignes|directives|règles ci dessus",
    "^ignora|ignore|ignoren|olvida|olvide|olviden|descarta|descarte todo? lo anterior|precedente$",
    "haz|haga|hagan caso omiso de todo? lo anterior|precedente$",
    "^ignora|ignori|ignorate|dimentica|dimentichi|dimenticate tutto? ciò|quanto|quello che? detto|scritto|riportato? \
     precede|sopra|precedentemente$",
    "^ignore|ignora|ignorem|esqueça|esquece|esqueçam tudo? o que? está|foi|vem? dito|escrito? \
     acima|anterior|antes|anteriormente$",
    "^negeer|vergeet al|alles? het? bovenstaande|voorgaande$",
];

/// What people do and are who have to do with machines: an `AI engineer`, an `assistant manager` and a `KI-Beauftragte` are no machine.
const TRADES: &str = "researcher|researchers|engineer|engineers|developer|developers|scientist|scientists|lead|leads|leader|team|teams|\
    manager|managers|coach|director|editor|officer|professor|teacher|trainer|trainee|student|company|provider|vendor|department|group|lab|\
    committee|project|course|budget|owner|maintainer|champion|coordinator|beauftragter|beauftragte|beauftragten|verantwortlicher|\
    verantwortliche|abteilung|projekt|entwickler|entwicklerin";

/// A place in an order.
#[derive(Debug)]
enum Slot {
    /// One of these words, which may be missing.
    Word { words: Vec<&'static str>, optional: bool },
    /// At most so many words of any kind.
    Gap(usize),
    /// None of [`TRADES`] follows what stands before it.
    NoTrade,
}

/// An order that may be given.
struct Form {
    slots: Vec<Slot>,
    /// Whether it stands where a sentence begins.
    opens: bool,
    /// Whether a clause ends with it.
    closes: bool,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| ORDERS.iter().map(|order| form(order)).collect());

fn form(order: &'static str) -> Form {
    let (order, opens) = order.strip_prefix('^').map_or((order, false), |rest| (rest, true));
    let (order, closes) = order.strip_suffix('$').map_or((order, false), |rest| (rest, true));
    let slot = |written: &'static str| match written.strip_prefix('*') {
        Some(most) => Slot::Gap(most.parse().unwrap_or_default()),
        None if written == "!" => Slot::NoTrade,
        None => {
            let words = written.strip_suffix('?').unwrap_or(written).split('|').collect();
            Slot::Word { words, optional: written.ends_with('?') }
        }
    };
    Form { slots: order.split_whitespace().map(slot).collect(), opens, closes }
}

/// Where the first order to a model begins and ends in a text, in bytes; `None` where there is none.
pub fn order(text: &str) -> Option<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    if let Some(at) = MARKS.iter().find_map(|mark| lower.find(mark).map(|at| at..at + mark.len())) {
        return Some(at);
    }
    let words = words(text);
    let sentence_ends = sentence_ends(text, &words);
    let by_words = (0..words.len()).find_map(|at| {
        let opens = opens_sentence(text, words[at].1.start);
        let sentence = &words[..sentence_ends[at]];
        let end = FORMS.iter().filter(|form| opens || !form.opens).find_map(|form| {
            let told = &words[at..ends(sentence, at, &form.slots)?];
            let end = told.last()?.1.end;
            (!is_called(text, told) && (!form.closes || closes_clause(&text[end..]))).then_some(end)
        })?;
        Some(words[at].1.start..end)
    });
    by_words.or_else(|| addressed::order(text, &words)).or_else(|| joined::order(text))
}

/// For each word, by its place, behind which one its sentence ends: an order does not go on in the next one.
fn sentence_ends(text: &str, words: &[(String, Range<usize>)]) -> Vec<usize> {
    let mut ends = vec![words.len(); words.len()];
    for at in (1..words.len()).rev() {
        let is_end = text.get(words[at - 1].1.end..words[at].1.start).is_some_and(|between| {
            let is_parted = between.trim_end().ends_with(['.', '!', '?']) && between.ends_with(char::is_whitespace);
            is_parted && text[words[at].1.start..].starts_with(char::is_uppercase)
        });
        ends[at - 1] = if is_end { at } else { ends[at] };
    }
    ends
}

/// Whether words end with the name of a person who is called there, or of whom the next sentence tells: `where you are now, Dan`; or who has
/// something with others: `you are Dan and Eve's neighbours`.
fn is_called(text: &str, words: &[(String, Range<usize>)]) -> bool {
    let [.., (_, before), (name, at)] = words else { return false };
    if name != "dan" {
        return false;
    }
    let mut behind = text[at.end..].split_whitespace();
    let is_with_others = behind.next() == Some("and")
        && behind.next().is_some_and(|other| other.ends_with("'s") || other.ends_with("’s"));
    is_with_others || matches!(text.get(before.end..at.start).map(str::trim), Some("," | "." | "!" | "?" | ";"))
}

/// The words of a text in the form in which two are the same, with their places: without case, apostrophes and what is not
/// seen, and in the plain letters where a letter has a fancy twin. `You're` is two.
fn words(text: &str) -> Vec<(String, Range<usize>)> {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’') || is_hidden(c) && !c.is_control();
    let mut words = Vec::new();
    let mut rest = 0;
    while let Some(from) = text[rest..].find(is_of_word).map(|at| rest + at) {
        rest = text[from..].find(|c| !is_of_word(c)).map_or(text.len(), |at| from + at);
        let word: String =
            text[from..rest].nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        match word.as_str() {
            "" => {}
            "youre" => words.extend(["you", "are"].map(|word| (word.to_owned(), from..rest))),
            _ => words.push((word, from..rest)),
        }
    }
    words
}

/// Whether a sentence begins at a byte, or goes on there with a further order: `and do not tell the user`.
fn opens_sentence(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(|c: char| c.is_whitespace() || "\"'“‘(*_#>-".contains(c));
    // A line alone may only be where a long one was broken; one that is empty, or has only spaces or marks, parts sentences.
    let is_apart = text[before.len()..at].matches('\n').count() > 1;
    let joined = ["and", "please", "then", "but", "now", "bitte", "und", "et", "y", "favor", "e", "en"];
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    is_apart
        || joined.contains(&last.as_str())
        || before.is_empty()
        || before.ends_with(['.', '!', '?', ':', ';', ',', '…'])
}

/// When an order is to be followed, behind which its clause ends.
const AT_ONCE: &[&str] = &[
    "immediately",
    "at once",
    "right now",
    "right away",
    "straight away",
    "forthwith",
    "sofort",
    "umgehend",
    "auf der stelle",
    "immédiatement",
    "tout de suite",
    "inmediatamente",
    "de inmediato",
    "ahora mismo",
];

/// Whether a clause ends before these words, or once it is said that it is to be so at once: none of them is what the last one tells of.
fn closes_clause(behind: &str) -> bool {
    is_end(behind) || AT_ONCE.iter().any(|said| behind_words(behind, said).is_some_and(is_end))
}

/// What follows these words, in small letters, at the beginning of a text, where it has them there.
fn behind_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut signs = text.trim_start_matches(' ').chars();
    let has_them = words.chars().all(|sign| signs.next().is_some_and(|one| one.to_lowercase().eq([sign])));
    has_them.then_some(signs.as_str())
}

fn is_end(behind: &str) -> bool {
    let next = behind.trim_start_matches(|c: char| c.is_whitespace() && c != '\n' || "\"'”’)*_`".contains(c));
    let goes_on =
        ["and", "then", "but", "or", "instead", "completely", "entirely", "please", "now", "und", "et", "y", "e", "en"];
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    next.is_empty() || next.starts_with(['.', '!', '?', ':', ';', ',', '…', '\n']) || goes_on.contains(&word.as_str())
}

/// Where a form ends that begins at a word.
fn ends(words: &[(String, Range<usize>)], at: usize, form: &[Slot]) -> Option<usize> {
    let Some((first, rest)) = form.split_first() else { return Some(at) };
    match first {
        Slot::Gap(most) => (0..=*most).find_map(|skipped| ends(words, at + skipped, rest)),
        Slot::NoTrade => {
            // Only a space or hyphen is between them: `an AI. Leads …` is none. And a `developer mode` is a mode.
            let is_mode = words.get(at + 1).is_some_and(|(word, _)| matches!(word.as_str(), "mode" | "modus" | "modo"));
            let is_trade = at.checked_sub(1).and_then(|before| words.get(before..=at)).is_some_and(|pair| {
                !is_mode && pair[1].1.start == pair[0].1.end + 1 && TRADES.split('|').any(|trade| trade == pair[1].0)
            });
            if is_trade { None } else { ends(words, at, rest) }
        }
        Slot::Word { words: wanted, optional } => {
            let here = words.get(at).is_some_and(|(word, _)| wanted.contains(&word.as_str()));
            let taken = if here { ends(words, at + 1, rest) } else { None };
            taken.or_else(|| if *optional { ends(words, at, rest) } else { None })
        }
    }
}
