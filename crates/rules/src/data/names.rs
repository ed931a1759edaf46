//! Small gazetteers. They guess the type of a name; nothing is claimed because of them alone.

use super::words::{contains_name, contains_word};
use um_model::belief::EntityType;

/// First names that are mostly women's.
const WOMEN: &str = " abigail ada adriana agnes aisha alba alexandra alexis alice alicia alina alison allison alma amanda amelia amina amira \
    amy ana anastasia andrea angela angelica anika anita anja ann anna anne annette annie antonia anya april ariana astrid audrey aurora ava \
    aya ayesha barbara beatrice beatriz bella bernadette beth bethany bianca bonnie brenda bridget brooke camila camille carla carmen carol \
    caroline carolina catherine cathy cecilia celia charlotte chelsea chiara chloe christina christine cindy claire clara claudia colleen \
    connie constance cora courtney cristina crystal daisy dana daniela danielle daphne deborah debra deepa delia denise diana diane dolores \
    donna dora doris dorothy edith eileen elaine eleanor elena eliza elizabeth ella ellen elsa emilia emily emma erica erika erin esme \
    esther eva eve evelyn fatima fiona florence frances francesca frida gabriela gabriella gabrielle gemma georgia gina gloria grace greta \
    gwen hana hannah harriet heather heidi helen helena hilary holly ida imani ines ingrid irene iris irma isabel isabella isla ivy jackie \
    jacqueline jane janet janice jasmine jean jenna jennifer jenny jessica jill jo joan joanna jocelyn johanna josephine joy joyce juana judith judy \
    julia juliana julie juliet june kaitlyn kamala karen karin kate katherine kathleen kathryn kathy katie katrina kavya kayla kelly kendra \
    keiko kim kimberly kirsten kristen kristin laila lara larissa laura lauren layla lea leah leila lena leslie leticia lila lillian lily \
    linda linh lisa liv liza lois lola lorraine louise lucia lucy luisa luna lydia mabel madeline madison maeve magda maggie mai maja mandy \
    mara margaret margarita maria mariam mariana marie marina marion marisol marjorie marlene marta martha martina mary maryam matilda \
    maura maureen maya megan mei melanie melissa mercedes mia michelle mila mina mira miranda miriam moira molly mona monica monique myra nadia nadine \
    nancy naomi natalia natalie natasha nell nia nicole nina nora noor norma octavia olga olive olivia paige paloma pamela patricia paula \
    paulina pauline penelope penny petra philippa phoebe phyllis pilar polly priya priscilla rachel ramona rebecca regina renata renee \
    rhea rita roberta robin rosa rosalind rose rosemary rosie roxanne ruby ruth sabina sabrina sadie sally samantha sandra sandy sara sarah saskia \
    selma serena shannon sharon sheila shirley shreya sigrid silvia simone siobhan sita sofia sonia sophia sophie stacy stella stephanie \
    sue susan susanna suzanne svetlana sylvia tabitha tamara tania tanya tara tatiana teresa tess tessa thea theresa tiffany tina tracy trisha ulrike \
    uma ursula valentina valeria valerie vanessa vera verena veronica victoria viola violet virginia vivian wanda wendy whitney wilma \
    xenia yara yasmin yolanda yoko yuki yuna yvette yvonne zara zoe zoey zuzana \
    adele agata agneta aino akua aleksandra aline amara amelie anabel anaïs anezka anneke annika antje asta \
    astra ayumi beata beate birgit bojana bozena brigitte carola catarina celeste chiamaka chidera clementine \
    constanza dalia danuta dina dorota edda edyta ekaterina elif elin elina elisa elisabeth elke emine \
    emmanuelle ester eszter eugenia ewa fatou federica fernanda filipa franziska freya frieda gerda gisela \
    giulia greetje grazia gudrun guadalupe hanne hatice hedda hedwig heike helga henrietta hilde hilma ilse \
    imogen ingeborg inga inge iwona jadwiga jana janina jarmila jelena jitka joana jolanta jutta kaja kamila \
    karina karolina katarina katharina katja katrin klara kinga kristina lenka leonie leonor liesel lieve \
    ljubica lotte louisa lucie lucille lucinda ludmila luise maartje magdalena mairead malgorzata \
    margarethe margit margot margrethe marieke marit mathilde maud mette mieke milena mireille mirela mirjam \
    monika nadja natalya neha nele noemi odile oksana olena ottavia paola pauliina petronella pia piroska polina \
    radka rahel renate rhona ria rivka romy rosalia rowena sana sanna saoirse sasha signe sigrun silke silja \
    simona sinead solveig sonja sunita susanne svenja tamsin tereza thandi tilda tomoko tove ulla urszula \
    veronika vibeke viktoria vilma wilhelmina yael zeynep zofia zora ";

/// First names that are mostly men's.
const MEN: &str = " aaron abdul abel abraham adam adrian ahmed aidan akira alan albert alberto alejandro alessandro alex alexander alexei alfred ali \
    allan alvin amir amit anders andre andreas andrei andrew andy angelo anthony anton antonio arjun armando arnold arthur arturo arun ashok axel barry bart \
    bartholomew ben benedict benjamin bernard bert bill billy björn bob boris brad bradley brandon brendan brent brett brian bruce bruno \
    bryan byron caleb cameron carl carlos carlo casey cedric cesar charles charlie chen chester chris christian christoph christopher \
    clarence clark claude clifford clive colin connor conrad craig curtis cyrus dale damian damien dan daniel dario darren dave david dean \
    dennis derek dev diego dieter dimitri dirk dominic don donald douglas duncan dustin dylan earl eddie edgar eduardo edward edwin eli elias elijah \
    elliot emil emilio emmanuel enrique enzo eric erik ernest ethan eugene evan fabian faisal felipe felix fernando finn florian francesco francis \
    francisco frank franz fred frederick gabriel gareth gary gavin geoff geoffrey george gerald gerard gilbert giovanni giulio glen glenn gordon \
    graham grant greg gregory guillermo gunnar gus gustavo guy hamza hans harold harry harvey hassan hector heinrich henrik henry herbert \
    herman hiroshi howard hugh hugo ian ibrahim igor ilya isaac ivan jack jackson jacob jaime jake jakob jamal james jamie jan jared jason \
    javier jay jeff jeffrey jens jeremy jerome jerry jesse jesus jim jimmy joachim joao joe joel johan johannes john johnny jon jonas \
    jonathan jordan jorge jose josef joseph joshua josh juan julian julio jun jürgen justin kai karim karl keith ken kenji kenneth kevin khalid \
    kieran kofi kristof kurt kwame kyle lance larry lars laurent lawrence lee leif len leo leon leonard leonardo leroy levi lewis liam lionel lloyd logan \
    lorenzo lou louis luca lucas luis luka lukas luke luther magnus mahmoud malcolm manuel marc marcel marco marcus mario mark markus martin \
    mason mateo matt matteo matthew matthias maurice mauro max maxim michael miguel mihai mike mikhail milan miles mitchell mohamed \
    mohammed moritz moses murray nabil nate nathan nathaniel neil nelson nicholas nick nico nicolas niels nigel nikhil niklas nikolai noah noel norman oleg \
    oliver olivier omar oscar oskar otto owen pablo paolo patrick paul pavel pedro pete peter philip philippe pierre piotr quentin rafael \
    rahul raj ralph ramon randall randy raphael rashid raul ravi ray raymond reginald rene ricardo richard rick rob robert roberto rocco rod rodney \
    roger rohan roland ron ronald ross roy ruben rudolf rui rupert russell ryan salvador sam samir samuel sandro sanjay santiago scott sean \
    sebastian sergei sergio seth shane shaun sidney silas simon spencer stan stanley stefan stefano stephen steve steven stuart sven \
    takeshi tariq ted terrence terry theo theodore thiago thomas tiago tim timothy toby todd tom tomas tomás tommy tony travis trevor tristan tyler \
    ulrich umberto vadim viktor victor vijay vikram vincent vincenzo vladimir walter warren wayne wei wesley will william wolfgang xavier yann \
    yannick yosef yuri yusuf zach zachary zane \
    aapo abdullah adamu agustin alain aleksander alfonso alois amadou andrej anselm antti arne arno asger bálint \
    bashir bastian bela benoit benoît bernd bilal bjorn bogdan branko casper chidi claus clemens cristian cyril \
    dag danilo dariusz declan demetrio desmond detlef dietmar dmitri dominik eero einar emeka emre enrico ernst \
    esteban eugen fabio farid ferdinand filip franco frederik fritz gabor georg gerhard gianni giorgio giuseppe \
    goran gregor guido gunther gustav håkan hannes harald hartmut heinz helmut hermann hideo holger horst hubert \
    idris imran ingmar isak ismail ivo jakub janek janos jari jaroslav jasper jerzy jiri joão joaquin josé \
    juergen jurgen kamal karel karsten kaspar khaled klaus knut konrad konstantin ladislav laszlo lauri leopold \
    lorenz lothar luigi maciej malte manfred marcin marek marian marius martijn massimo mateus mats matthijs \
    maurizio maximilian mehmet michal mikael mikkel mikko milos miroslav mustafa nikola nils olaf ola ole osman \
    pascal pawel pekka petar petr petri philipp pradeep radek rajesh ralf reinhard renato rodrigo rolf \
    ronan rune sami sandor selim silvio simo slavko soren søren stanislav steffen tadeusz takashi teemu thabo \
    theodor thierry thorsten tibor timo tobias tomasz tomáš torsten uwe vaclav valentin vojtech volker werner \
    wilhelm wim witold zbigniew zdenek zoltan ";

const COUNTRIES: &str = "afghanistan;albania;algeria;argentina;armenia;australia;austria;azerbaijan;bangladesh;belarus;belgium;bolivia;bosnia;\
    brazil;bulgaria;cambodia;cameroon;canada;chile;china;colombia;costa rica;croatia;cuba;cyprus;czech republic;czechia;denmark;ecuador;\
    egypt;england;estonia;ethiopia;finland;france;georgia;germany;ghana;greece;guatemala;haiti;honduras;hungary;iceland;india;\
    indonesia;iran;iraq;ireland;israel;italy;jamaica;japan;jordan;kazakhstan;kenya;kosovo;kuwait;laos;latvia;lebanon;libya;lithuania;\
    luxembourg;madagascar;malaysia;mali;malta;mexico;moldova;monaco;mongolia;montenegro;morocco;mozambique;myanmar;namibia;nepal;\
    netherlands;new zealand;nicaragua;nigeria;north macedonia;norway;oman;pakistan;panama;paraguay;peru;philippines;poland;portugal;\
    qatar;romania;russia;rwanda;saudi arabia;scotland;senegal;serbia;singapore;slovakia;slovenia;somalia;south africa;south korea;\
    spain;sri lanka;sudan;sweden;switzerland;syria;taiwan;tanzania;thailand;tunisia;turkey;uganda;ukraine;united kingdom;uk;\
    united states;usa;us;uruguay;uzbekistan;venezuela;vietnam;wales;yemen;zambia;zimbabwe;europe;asia;africa;north america;\
    south america;antarctica;scandinavia;california;texas;florida;ohio;oregon;michigan;massachusetts;connecticut;colorado;bavaria;\
    catalonia;tuscany;sicily;hawaii;alaska;bali;crete;patagonia;quebec;ontario;minnesota;arizona;nevada;montana;vermont;illinois";

const CITIES: &str = "abu dhabi;accra;adelaide;aarhus;amsterdam;ankara;antwerp;athens;atlanta;auckland;austin;baghdad;baltimore;bangalore;\
    bangkok;barcelona;basel;beijing;belfast;belgrade;bergen;berlin;bern;bilbao;birmingham;bogota;bologna;bordeaux;boston;bratislava;\
    brisbane;bristol;brussels;bucharest;budapest;buenos aires;cairo;calgary;cambridge;cape town;caracas;cardiff;casablanca;chennai;\
    chicago;cologne;copenhagen;cork;dallas;damascus;delhi;denver;detroit;dhaka;dresden;dubai;dublin;dusseldorf;düsseldorf;edinburgh;\
    eindhoven;florence;frankfurt;galway;gdansk;geneva;genoa;ghent;glasgow;gothenburg;granada;graz;hamburg;hanoi;hanover;havana;\
    heidelberg;helsinki;hong kong;honolulu;houston;hyderabad;istanbul;jakarta;jerusalem;johannesburg;karachi;kiev;kyiv;krakow;\
    kuala lumpur;kyoto;lagos;lahore;las vegas;lausanne;leeds;leipzig;leuven;lille;lima;lisbon;liverpool;ljubljana;london;los angeles;\
    lund;luxembourg;lyon;madrid;malaga;malmö;malmo;manchester;manila;marseille;melbourne;mexico city;miami;milan;minneapolis;\
    montevideo;montreal;moscow;mumbai;munich;nairobi;nantes;naples;new delhi;new orleans;new york;new york city;nice;nottingham;\
    nuremberg;osaka;oslo;ottawa;oxford;palermo;paris;perth;philadelphia;phoenix;pittsburgh;porto;portland;prague;quito;reykjavik;\
    riga;rio de janeiro;rome;rotterdam;salzburg;san diego;san francisco;san jose;santiago;sao paulo;são paulo;sarajevo;seattle;\
    seoul;seville;shanghai;sheffield;shenzhen;sofia;stockholm;strasbourg;stuttgart;sydney;taipei;tallinn;tampere;tartu;tbilisi;tehran;tel aviv;\
    the hague;thessaloniki;tokyo;toronto;toulouse;trondheim;tunis;turin;turku;uppsala;utrecht;valencia;vancouver;venice;verona;vienna;vilnius;\
    warsaw;washington;wellington;winnipeg;wroclaw;yerevan;zagreb;zurich;zürich;coimbra;braga;faro;rouen;bonn;kiel;essen;bruges;delft;\
    leiden;groningen;odense;aalborg;trento;padua;pisa;siena;bath;york;brighton;san sebastian;zaragoza;sapporo;nagoya;fukuoka;pune;nashville;sacramento";

/// Languages that people speak.
pub(crate) const LANGUAGES: &str = " afrikaans albanian arabic armenian basque bengali bulgarian cantonese catalan chinese croatian czech danish dutch english \
    estonian farsi finnish flemish french gaelic galician georgian german greek gujarati hebrew hindi hungarian icelandic indonesian irish \
    italian japanese kannada kazakh khmer korean kurdish latin latvian lithuanian malay malayalam mandarin marathi mongolian nepali \
    norwegian pashto persian polish portuguese punjabi romanian russian serbian sinhala slovak slovenian somali spanish swahili swedish \
    tagalog tamil telugu thai tibetan turkish ukrainian urdu uzbek vietnamese welsh yoruba zulu asl bsl ";

/// Nationalities, beside those that are languages too.
pub(crate) const NATIONALITIES: &str = " american argentinian australian austrian belgian brazilian british canadian chilean colombian cuban \
    egyptian ethiopian filipino ghanaian indian iranian iraqi israeli jamaican jordanian kenyan lebanese mexican moroccan nigerian \
    pakistani palestinian peruvian scottish swiss syrian taiwanese tunisian venezuelan afghan algerian bolivian ";

/// Words that end or make the name of an organization.
const ORGANIZATION_WORDS: &str = " inc inc. ltd ltd. llc gmbh ag corp corp. corporation co. company companies labs lab laboratories holdings group \
    partners ventures capital consulting consultants solutions systems technologies technology software robotics analytics networks university \
    college school institute academy hospital clinic bank foundation association society council ministry department agency studio \
    studios agency press media industries enterprises enterprise logistics pharma pharmaceuticals biotech airlines airways motors energy \
    electric insurance museum library church team club union committee federation bhd plc sa s.a. sarl oy ab nv b.v. bv kg studios \
    collective cooperative co-op startup firm works bakery restaurant cafe café hotel charity nonprofit orchestra band trust dynamics \
    aerospace semiconductors instruments mutual brewing brewery textiles foods freight shipping realty architects associates ";

/// Those of these words that end the name of what has members, students or volunteers as well as whom it pays.
const JOINED_OTHERWISE: &str = " group university college school institute academy foundation association society council museum library \
    church team club union committee federation collective cooperative co-op charity nonprofit orchestra band trust ";

/// Whether the words name what one joins to work there: `Halden Labs`, and not `Green Party`, `Lund University` or a bare
/// `Siemens`, which might be anything.
pub(crate) fn is_employer(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or(name).to_lowercase();
    guess(name) == Some(EntityType::Organization)
        && is_organization_word(&last)
        && !contains_word(JOINED_OTHERWISE, &last)
}

/// Whether the word, in lower case, is a usual first name.
pub(crate) fn is_first_name(lower: &str) -> bool {
    contains_word(WOMEN, lower) || contains_word(MEN, lower)
}

/// `Some(true)` for a woman's first name, `Some(false)` for a man's.
pub(crate) fn is_woman(lower: &str) -> Option<bool> {
    match (contains_word(WOMEN, lower), contains_word(MEN, lower)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether the words, in lower case, name a country, region or city.
pub(crate) fn is_place(lower: &str) -> bool {
    let bare = lower.strip_prefix("the ").unwrap_or(lower);
    let first = bare.split(',').next().unwrap_or(bare).trim();
    let listed = |name: &str| contains_name(COUNTRIES, name) || contains_name(CITIES, name);
    listed(first) || listed(lower)
}

/// Whether the word, in lower case, names a language.
pub(crate) fn is_language(lower: &str) -> bool {
    contains_word(LANGUAGES, lower)
}

/// Whether the word, in lower case, makes the name of an organization.
pub(crate) fn is_organization_word(lower: &str) -> bool {
    contains_word(ORGANIZATION_WORDS, lower)
}

/// What a name seems to be, by its words alone.
pub(crate) fn guess(name: &str) -> Option<EntityType> {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let (first, last) = (words.first()?, words.last()?);
    let capitals = name.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    if is_place(&lower) {
        return Some(EntityType::Location);
    }
    if capitals && (is_organization_word(last) || lower.contains("university") || lower.starts_with("bank of")) {
        return Some(EntityType::Organization);
    }
    let titled =
        matches!(*first, "mr" | "mr." | "mrs" | "mrs." | "ms" | "ms." | "dr" | "dr." | "prof" | "prof." | "professor");
    if capitals && words.len() <= 4 && (titled || is_first_name(first)) {
        return Some(EntityType::Person);
    }
    None
}
