//! What a finding is.

/// What kind of thing a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A person's name.
    Person,
    /// An e-mail address.
    Email,
    /// A telephone or fax number, with its extension.
    Phone,
    /// A postal address or a part of one.
    Address,
    /// A postcode that stands by itself.
    Postcode,
    /// A date on which somebody was born.
    BirthDate,
    /// The number of a payment card.
    Card,
    /// An international bank account number.
    Iban,
    /// Another number of a bank account.
    BankAccount,
    /// A social security number of the United States.
    UsSsn,
    /// A number that another state gives to each person; the detector says which.
    NationalId,
    /// The number of a passport.
    Passport,
    /// The number of a driver's licence.
    DriverLicence,
    /// An address on a network, IPv4 or IPv6.
    IpAddress,
    /// The hardware address of a network device.
    MacAddress,
    /// A key, token, password or anything else that opens a door.
    Secret,
    /// An address on the web, or the name of a host.
    Url,
    /// A day, a year or a time.
    Date,
    /// How old somebody is.
    Age,
    /// A country, town or region.
    Place,
    /// A company or another body.
    Organization,
    /// A nationality, religion or political group.
    Nationality,
    /// A form of address or an occupation.
    Title,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 23] = [
        Kind::Person,
        Kind::Email,
        Kind::Phone,
        Kind::Address,
        Kind::Postcode,
        Kind::BirthDate,
        Kind::Card,
        Kind::Iban,
        Kind::BankAccount,
        Kind::UsSsn,
        Kind::NationalId,
        Kind::Passport,
        Kind::DriverLicence,
        Kind::IpAddress,
        Kind::MacAddress,
        Kind::Secret,
        Kind::Url,
        Kind::Date,
        Kind::Age,
        Kind::Place,
        Kind::Organization,
        Kind::Nationality,
        Kind::Title,
    ];

    /// A stable name, for storing and for reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Person => "person",
            Kind::Email => "email",
            Kind::Phone => "phone",
            Kind::Address => "address",
            Kind::Postcode => "postcode",
            Kind::BirthDate => "birth_date",
            Kind::Card => "card",
            Kind::Iban => "iban",
            Kind::BankAccount => "bank_account",
            Kind::UsSsn => "us_ssn",
            Kind::NationalId => "national_id",
            Kind::Passport => "passport",
            Kind::DriverLicence => "driver_licence",
            Kind::IpAddress => "ip_address",
            Kind::MacAddress => "mac_address",
            Kind::Secret => "secret",
            Kind::Url => "url",
            Kind::Date => "date",
            Kind::Age => "age",
            Kind::Place => "place",
            Kind::Organization => "organization",
            Kind::Nationality => "nationality",
            Kind::Title => "title",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it only describes somebody: found in most texts, and personal only beside what names a person.
    pub fn only_describes(self) -> bool {
        use Kind::{Age, Date, Nationality, Organization, Place, Title, Url};
        matches!(self, Url | Date | Age | Place | Organization | Nationality | Title)
    }
}
