/// The limits of pages and of messages about them.
package enum PageLimits {
  /// The most bytes of a message of a client.
  package static let messageBytes = 4 << 20
  /// The most points of a stroke or of a path of the eraser.
  package static let points = 20_000
  /// The most strokes of one command.
  package static let strokesPerCommand = 500
  /// The most strokes of one command that may be gestures: that of the editor's batches.
  static let strokesWithGestures = 20
  /// The most strokes of a page.
  static let strokes = 20_000
  /// The most clients of a page.
  package static let clients = 16
  /// The largest distance from the origin in millimetres.
  static let distance = 100_000.0
  /// The largest duration of a stroke in milliseconds: one day.
  static let duration = 86_400_000.0
  /// The latest time in milliseconds since 1970: 1 January 3000.
  static let latestTime = 32_503_680_000_000.0
  /// The most bytes of an id of a command or client.
  static let idBytes = 64
  /// The most bytes of a chosen text.
  static let textBytes = 1_000
  /// The most bytes of a text that is typed onto a page.
  static let typedBytes = 20_000
  /// The most messages to a client that it has not confirmed.
  package static let unconfirmed = 8
  /// The most strokes and points of one message to a client.
  package static let strokesPerMessage = 250
  static let pointsPerMessage = 20_000
  /// The number of earlier states from which a client can continue after a cut connection.
  static let rememberedStates = 64
}
