/// Sums over the inks of an optimisation step.
struct StepOutcome {
  /// Loss of all units.
  var loss = 0.0
  /// What the loss is an average over: inks for glyph models, characters for line models.
  var units = 0
  /// Inks that were recognised; 0 where that is not known before decoding.
  var correct = 0
  /// The length of the whole gradient before clipping.
  var gradientNorm = 0.0

  /// The loss of a unit.
  var meanLoss: Double { loss / Double(max(1, units)) }
}
