/// What a freshly trained model is worth on its validation data.
struct ValidationFigures {
  /// By the names of the manifest; nil for what was not measured.
  let metrics: [(name: String, value: Double?)]
  /// SHA-256 of the records that were read.
  let dataHash: String
  /// What `ductus evaluate` takes besides model and data to measure the same.
  var options: [String] = []
  /// The figure to show, 0 ... 1.
  let headline: (name: String, value: Double)?
}
