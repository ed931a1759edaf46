//! Licence expressions as SPDX 2.3 (annex D) has them, with the slash that older crates use for OR.

/// A licence, or several joined.
#[derive(Debug, PartialEq)]
pub enum Expression {
    /// One, with its exception where it has one.
    One(String),
    /// Both hold.
    And(Box<Expression>, Box<Expression>),
    /// Either may be chosen.
    Or(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Reads an expression. AND binds closer than OR.
    ///
    /// # Errors
    /// The text is no expression.
    pub fn parse(text: &str) -> Result<Expression, String> {
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut rest = words.as_slice();
        match either(&mut rest) {
            Some(expression) if rest.is_empty() => Ok(expression),
            _ => Err(format!("“{text}” is no licence expression")),
        }
    }

    /// The licences to go by: of a choice the first side that is allowed. None where nothing allowed is left.
    pub fn choose(&self, allowed: &dyn Fn(&str) -> bool) -> Option<String> {
        match self {
            Expression::One(licence) => allowed(licence).then(|| licence.clone()),
            Expression::And(left, right) => Some(format!("{} AND {}", left.choose(allowed)?, right.choose(allowed)?)),
            Expression::Or(left, right) => left.choose(allowed).or_else(|| right.choose(allowed)),
        }
    }
}

fn either(rest: &mut &[&str]) -> Option<Expression> {
    let mut left = both(rest)?;
    while skip(rest, "OR") {
        left = Expression::Or(Box::new(left), Box::new(both(rest)?));
    }
    Some(left)
}

fn both(rest: &mut &[&str]) -> Option<Expression> {
    let mut left = one(rest)?;
    while skip(rest, "AND") {
        left = Expression::And(Box::new(left), Box::new(one(rest)?));
    }
    Some(left)
}

fn one(rest: &mut &[&str]) -> Option<Expression> {
    if skip(rest, "(") {
        let inner = either(rest)?;
        return skip(rest, ")").then_some(inner);
    }
    let licence = name(rest)?;
    if skip(rest, "WITH") {
        return Some(Expression::One(format!("{licence} WITH {}", name(rest)?)));
    }
    Some(Expression::One(licence.to_string()))
}

fn name<'a>(rest: &mut &[&'a str]) -> Option<&'a str> {
    let (first, others) = rest.split_first()?;
    if ["AND", "OR", "WITH", "(", ")"].contains(first) {
        return None;
    }
    *rest = others;
    Some(first)
}

fn skip(rest: &mut &[&str], word: &str) -> bool {
    match rest.split_first() {
        Some((first, others)) if *first == word => {
            *rest = others;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> Box<Expression> {
        Box::new(Expression::One(name.into()))
    }

    #[test]
    fn and_binds_closer_than_or() {
        let parsed = Expression::parse("MIT OR Apache-2.0 AND ISC").unwrap();
        let and = Box::new(Expression::And(one("Apache-2.0"), one("ISC")));
        assert_eq!(parsed, Expression::Or(one("MIT"), and));
    }

    #[test]
    fn slashes_and_exceptions_are_read() {
        let parsed = Expression::parse("MIT/Apache-2.0 WITH LLVM-exception").unwrap();
        assert_eq!(parsed, Expression::Or(one("MIT"), one("Apache-2.0 WITH LLVM-exception")));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in ["", "MIT OR", "(MIT", "MIT)", "AND MIT", "MIT Apache-2.0", "MIT WITH"] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
    }
}
