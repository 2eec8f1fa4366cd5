import Foundation
import Layout

/// Writes the parameters of a network as Swift source: 8 bits each, with a scale for each row.
struct WeightsFile {
  let network: KindNetwork
  let surety: Float
  /// The command that made them.
  let command: String

  /// The network as it is after packing.
  var packed: KindNetwork {
    KindNetwork(parameters: KindPacking.unpack(KindPacking.pack(network.parameters)))
  }

  func source() -> String {
    let bytes = KindPacking.pack(network.parameters)
    let text = Data(bytes).base64EncodedString()
    var lines: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      lines.append("    \(rest.prefix(94))\\")
      rest = rest.dropFirst(94)
    }
    if let last = lines.popLast() { lines.append(String(last.dropLast())) }
    return """
      // Made by a program; do not edit. The data, the licences and the figures are in
      // docs/StrokeKinds.md. The command:
      //
      //     \(command)

      /// The parameters of ``KindModel/standard``.
      enum KindWeights {
        /// See ``KindModel/surety``.
        static let surety: Float = \(surety)

        /// The parameters in the form of ``KindPacking``, as Base64.
        static let text = \"\"\"
      \(lines.joined(separator: "\n"))
          \"\"\"
      }

      """
  }
}
