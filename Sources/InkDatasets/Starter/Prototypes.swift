/// The strokes that this project has written down for what people draw: nothing is copied from a
/// font or a dataset.
enum Prototypes {
  /// A text of prototype notation, and its name in errors.
  struct Source: Sendable {
    let name: String
    let text: String
  }
}
