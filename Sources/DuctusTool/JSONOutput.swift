import Foundation

/// Where a command writes JSON: a file, or standard output for `-`.
struct JSONOutput {
  let destination: String

  /// Whether the JSON takes standard output, so that text must not.
  var isStandardOutput: Bool { destination == "-" }

  /// Writes a value with sorted keys.
  func write(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(value)
    if isStandardOutput {
      print(String(decoding: data, as: UTF8.self))
    } else {
      try data.write(to: URL(fileURLWithPath: destination), options: .atomic)
    }
  }
}
