//! How a verb fails: what happened, what to do next, and the exit code.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use um_model::{ApiError, ErrorCode, InvalidId};

/// Why the program does not end with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Something went wrong.
    Failed = 1,
    /// The command line says something that does not exist or cannot be meant.
    Usage = 2,
    /// The product will not do it.
    Refused = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A failure with its exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub error: ApiError,
    pub exit: Exit,
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(error: ApiError) -> Self {
        Self { error, exit: Exit::Usage }
    }

    /// What the service says, as it says it: to who calls its operations by their own names.
    pub(crate) fn as_said(error: ApiError) -> Self {
        Self { exit: exit_of(error.code), error }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::as_said(ApiError { hint: error.hint.map(in_verbs), ..error })
    }
}

/// What the service says to do next in terms of its requests, and what it is at the command line.
const PHRASES: [(&str, &str); 12] = [
    ("Browse without parent_uri for the roots.", "See: umem resource tree"),
    ("inactive: true looks", "--inactive looks"),
    ("session_set changes a session.", "umem session rename gives it another name."),
    ("valid_from comes before valid_until", "--from comes before --until"),
    ("leave parent_uri out", "leave --parent out"),
    ("another parent_uri", "another --parent"),
    ("Give memory_id", "Give --memory"),
    ("with negative.", "with --negative."),
    ("Give current_goal", "Give --goal"),
    (" (predicates_list)", ""),
    ("memory_distill, umem distill", "umem distill"),
    ("entity_edit, or its menu", "umem entity retype"),
];

/// Operations that the service says to call next, and the verbs that do.
const VERBS: [(&str, &str); 18] = [
    ("claim_explain", "umem why"),
    ("conflicts_list", "umem conflicts list"),
    ("entity_get", "umem entity show"),
    ("entries_list", "umem entry list"),
    ("entry_enable", "umem entry enable"),
    ("facts_search", "umem facts list"),
    ("jobs_status", "umem jobs"),
    ("locks_list", "umem lock list"),
    ("memory_recall", "umem recall"),
    ("memory_remember", "umem remember"),
    ("promotion_request", "umem promote"),
    ("promotion_show", "umem promotions show"),
    ("relation_end", "umem relation end"),
    ("session_begin", "umem session start"),
    ("session_discard", "umem session discard"),
    ("session_end", "umem session end"),
    ("spaces_list", "umem space list"),
    ("state_set", "umem state set"),
];

/// What the service says, with the verbs and flags of the command line in place of its own operations and fields.
pub(crate) fn in_verbs(said: String) -> String {
    let said = PHRASES.iter().fold(said, |said, (of_service, here)| said.replace(of_service, here));
    said.split_inclusive(|c| !is_of_name(c)).flat_map(by_verb).collect()
}

/// A name and what follows it, with the verb in place of the name where that is an operation's: one may end as another one does.
fn by_verb(piece: &str) -> [&str; 2] {
    let (name, after) = piece.split_at(piece.trim_end_matches(|c| !is_of_name(c)).len());
    let verb = VERBS.iter().find(|(operation, _)| *operation == name).map(|(_, verb)| *verb);
    [verb.unwrap_or(name), after]
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// An id as it is written, or wrong usage that says where ids are told.
pub(crate) fn id<T>(text: String, parse: fn(String) -> Result<T, InvalidId>, see: &str) -> Result<T, Failure> {
    parse(text).map_err(|error| {
        Failure::usage(ApiError::new(ErrorCode::InvalidRequest, format!("{error}.")).hint(format!("See: {see}")))
    })
}

/// What the system said.
pub(crate) fn system(error: Error) -> Failure {
    ApiError::new(ErrorCode::Io, format!("The system said: {}.", um_server::paths::plain(&error))).into()
}

/// What the system said of the data folder.
pub(crate) fn data_folder(folder: &Path, error: &Error) -> Failure {
    let why = match error.kind() {
        ErrorKind::PermissionDenied => "you may not write there".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file stands in its place or above it".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "its disk cannot be written".to_owned(),
        ErrorKind::StorageFull => "its disk is full".to_owned(),
        _ => um_server::paths::plain(error),
    };
    ApiError::new(ErrorCode::Io, format!("The data folder {} cannot be used: {why}.", folder.display()))
        .hint("Name another with --data DIR or UM_DATA.")
        .into()
}

fn exit_of(code: ErrorCode) -> Exit {
    use ErrorCode::*;
    match code {
        InvalidRequest | Ambiguous => Exit::Usage,
        Forbidden | Forgotten | Held | NotPaired | AccessEnded | AlreadyExists | FileTooLarge | TextTooLong | Empty
        | UnsupportedType | ModelMismatch | DatabaseTooNew | DataFolderInUse | EncryptionMissing | Conflict
        | RateLimited => Exit::Refused,
        NotFound | CorruptFile | PasswordNeeded | KeyNeeded | WrongKey | ModelMissing | LanguageModel | ToolMissing
        | ReaderFailed | TimedOut | Cancelled | Io | Database | Internal => Exit::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn what_to_do_next_is_told_in_verbs_that_there_are() {
        let all = crate::args::Args::command();
        for (operation, verb) in VERBS {
            assert!(um_model::ops::operation(operation).is_some(), "{operation}");
            let mut command = &all;
            for word in verb.split(' ').skip(1) {
                command = command.find_subcommand(word).unwrap_or_else(|| panic!("there is no {verb}"));
            }
        }
        for (said, expected) in [
            ("Take it into use again first: entry_enable.", "Take it into use again first: umem entry enable."),
            (
                "entries_list lists what there is; inactive: true looks among those out of use.",
                "umem entry list lists what there is; --inactive looks among those out of use.",
            ),
            ("Put that one there first, or leave parent_uri out.", "Put that one there first, or leave --parent out."),
            ("Known ones: umem predicates list (predicates_list).", "Known ones: umem predicates list."),
            ("Name one that is in use.", "Name one that is in use."),
        ] {
            let error = ApiError::new(ErrorCode::NotFound, "There is no entries_list.").hint(said);
            let failure = Failure::from(error);
            assert_eq!(failure.error.hint.as_deref(), Some(expected));
            assert_eq!(failure.error.message, "There is no entries_list.", "what happened may quote the person");
        }
    }

    #[test]
    fn an_operation_is_told_as_its_own_verb_or_left_as_it_is() {
        for operation in um_model::ops::OPERATIONS {
            let name = operation.name;
            let verb = VERBS.iter().find(|(known, _)| *known == name).map_or(name, |(_, verb)| *verb);
            for (before, after) in [("", ""), ("See: ", "."), ("(", " lists them)"), ("Ä ", "…")] {
                assert_eq!(in_verbs(format!("{before}{name}{after}")), format!("{before}{verb}{after}"));
            }
        }
    }

    #[test]
    fn who_calls_operations_is_told_of_operations() {
        let says = "entries_list lists what there is; inactive: true looks among those out of use.";
        let failure = Failure::as_said(ApiError::new(ErrorCode::NotFound, "There is none.").hint(says));
        assert_eq!((failure.error.hint.as_deref(), failure.exit), (Some(says), Exit::Failed));
    }
}
