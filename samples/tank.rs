//! How long the water in the rain tank lasts.

/// The tank behind the house: a lying cylinder of 90 cm across and 240 cm long.
const RADIUS_M: f64 = 0.45;
const LENGTH_M: f64 = 2.40;

/// Litres in the tank when the dipstick is wet up to `level_m` metres.
pub fn litres(level_m: f64) -> f64 {
    let depth = level_m.clamp(0.0, 2.0 * RADIUS_M);
    let angle = 2.0 * ((RADIUS_M - depth) / RADIUS_M).acos();
    let cross_section = RADIUS_M * RADIUS_M * (angle - angle.sin()) / 2.0;
    cross_section * LENGTH_M * 1000.0
}

/// Days until it is empty, when the vegetable beds take 70 litres a day and no rain falls.
pub fn days_left(level_m: f64) -> f64 {
    litres(level_m) / 70.0
}
