/// Which models read a part's text.
struct TextConfiguration: Hashable, Sendable {
  var bundle: String
  var name: String
}
