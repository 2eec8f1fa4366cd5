import ModelFormat
import Recognition

/// A glyph model of single characters that is named for a line model.
enum CharacterModel {
  /// Opens a bundle, or an installed model or one that ships.
  ///
  /// - Parameter labels: Of the line model.
  /// - Returns: The model, and the data that it was made of.
  /// - Throws: ``StrangeCharacters`` where it knows none of them, or what opening it throws.
  static func open(
    _ name: String, for labels: [String]
  ) throws -> (model: GlyphModel, data: [ModelManifest.DataSource]) {
    let bundle = try ModelBundle.open(ModelLocation.url(of: name))
    let model = try GlyphModel(bundle: bundle)
    guard !Set(model.labels).isDisjoint(with: labels) else { throw StrangeCharacters(name: name) }
    return (model, bundle.manifest.data)
  }
}

/// `--character-model` names a model of other things.
struct StrangeCharacters: BadInputError, CustomStringConvertible {
  let name: String

  var description: String {
    "--character-model \(name): expected a model of single characters such as latin-characters, found "
      + "one that knows none of the line model's characters"
  }
}
