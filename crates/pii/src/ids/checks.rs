//! The checks of the numbers. Each takes the number as it stands in the text, in the form of its pattern.

use crate::numbers::{digits, luhn};

/// Areas 000, 666 and from 900, group 00 and serial 0000 were never given.
pub(crate) fn us_ssn(text: &str) -> bool {
    let number = digits(text).iter().fold(0, |number, digit| number * 10 + digit);
    let (area, group, serial) = (number / 1_000_000, number / 10_000 % 100, number % 10_000);
    area != 0 && area != 666 && area < 900 && group != 0 && serial != 0
}

/// Some prefixes are not given.
pub(crate) fn uk_nino(text: &str) -> bool {
    !["BG", "GB", "NK", "KN", "TN", "NT", "ZZ"].contains(&&text[..2])
}

/// ISO 7064, modulo 11,10; and of the first ten digits exactly one comes twice or three times.
pub(crate) fn de_tax(text: &str) -> bool {
    let digits = digits(text);
    let (Some(body), Some(check)) = (digits.get(..10), digits.get(10)) else { return false };
    let times = |digit: u32| body.iter().filter(|other| **other == digit).count();
    let repeated: Vec<usize> = (0..10).map(times).filter(|times| *times > 1).collect();
    let product = body.iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    matches!(repeated[..], [2 | 3]) && (11 - product) % 10 == *check
}

/// The key is 97 less the number modulo 97; Corsica's 2A and 2B count as 19 and 18.
pub(crate) fn fr_nir(text: &str) -> bool {
    let compact: String =
        text.chars().filter(|c| *c != ' ').collect::<String>().replace("2A", "19").replace("2B", "18");
    let (Some(Ok(number)), Some(Ok(key))) =
        (compact.get(..13).map(str::parse::<u64>), compact.get(13..).map(str::parse::<u64>))
    else {
        return false;
    };
    97 - number % 97 == key
}

/// The letter is that of the number modulo 23.
pub(crate) fn es_dni(text: &str) -> bool {
    let compact: String = text.chars().filter(|c| *c != '-').collect();
    let (number, letter) = compact.split_at(compact.len() - 1);
    let number = number.replacen('X', "0", 1).replacen('Y', "1", 1).replacen('Z', "2", 1);
    let Ok(number) = number.parse::<usize>() else { return false };
    "TRWAGMYFPDXBNJZSQVHLCKE".get(number % 23..=number % 23) == Some(letter)
}

/// Characters at odd places have values of their own.
pub(crate) fn it_fiscal(text: &str) -> bool {
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let code: Vec<u32> = text.chars().filter_map(|c| c.to_digit(36)).collect();
    let Some((check, body)) = code.split_last() else { return false };
    let even = |value: u32| if value < 10 { value } else { value - 10 };
    let sum: u32 = body
        .iter()
        .enumerate()
        .map(|(at, value)| if at % 2 == 0 { ODD[even(*value) as usize] } else { even(*value) })
        .sum();
    code.len() == 16 && sum % 26 + 10 == *check
}

/// The sum of the digits times 9 to 2 and −1 is divided by 11.
pub(crate) fn nl_bsn(text: &str) -> bool {
    let digits = digits(text);
    let weights = [9, 8, 7, 6, 5, 4, 3, 2, -1];
    let sum: i64 = digits.iter().zip(weights).map(|(digit, weight)| i64::from(*digit) * weight).sum();
    digits.len() == 9 && sum != 0 && sum % 11 == 0
}

/// Verhoeff's check, which is a walk in the group of a pentagon's symmetries.
pub(crate) fn in_aadhaar(text: &str) -> bool {
    let turn = |digit: u32, at: usize| {
        const ONCE: [u32; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
        (0..at % 8).fold(digit, |digit, _| ONCE[digit as usize])
    };
    let product = |a: u32, b: u32| match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => (a + b - 5) % 5 + 5,
        (false, true) => (a + 5 - b) % 5 + 5,
        (false, false) => (a + 5 - b) % 5,
    };
    let walk = digits(text).iter().rev().enumerate().fold(0, |sum, (at, digit)| product(sum, turn(*digit, at)));
    walk == 0
}

/// Weights 1, 3, 7, 9 and so on; the month holds the century.
pub(crate) fn pl_pesel(text: &str) -> bool {
    let digits = digits(text);
    let weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1];
    let sum: u32 = digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum();
    let month = (digits[2] * 10 + digits[3]) % 20;
    let day = digits[4] * 10 + digits[5];
    sum.is_multiple_of(10) && (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// The check of cards over the last ten digits.
pub(crate) fn se_person(text: &str) -> bool {
    let digits = digits(text);
    luhn(&digits[digits.len() - 10..])
}

/// The last character is that of the nine digits modulo 31.
pub(crate) fn fi_person(text: &str) -> bool {
    let (number, check) = text.split_at(text.len() - 1);
    let number =
        digits(&[&number[..6], &number[7..]].concat()).iter().fold(0, |number, digit| number * 10 + digit) as usize;
    "0123456789ABCDEFHJKLMNPRSTUVWXY".get(number % 31..=number % 31) == Some(check)
}

/// Two check digits modulo 11; runs of one digit are not given.
pub(crate) fn br_cpf(text: &str) -> bool {
    let digits = digits(text);
    let check = |length: usize| {
        let sum: u32 =
            digits[..length].iter().zip((2..=length as u32 + 1).rev()).map(|(digit, weight)| digit * weight).sum();
        sum * 10 % 11 % 10
    };
    digits.windows(2).any(|pair| pair[0] != pair[1]) && check(9) == digits[9] && check(10) == digits[10]
}

/// 97 less the number modulo 97; of those born from 2000 on with a 2 before it.
pub(crate) fn be_nrn(text: &str) -> bool {
    let number = digits(text).iter().fold(0_u64, |number, digit| number * 10 + u64::from(*digit));
    let (body, key) = (number / 100, number % 100);
    [body, body + 2_000_000_000].iter().any(|body| 97 - body % 97 == key)
}
