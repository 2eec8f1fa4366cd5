import ArgumentParser
import Files
import Foundation
import InkCore
import OnnxFormat
import Recognition

/// `ductus models features`.
package struct ModelsFeaturesCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Compute what the network of a model gets for an ink.",
    discussion: """
      Reads one request per line from standard input, in the form of 'ductus recognize -', and \
      answers each with one line of JSON: the id, and under 'inputs' the values of each input of \
      the network, with the names of 'ductus models export'. A program that runs the exported \
      network, or trains its own on the same features, needs no code for features.

      Example:
        ductus models features shapes < ink.jsonl
      """)

  @Argument(help: ArgumentHelp("A bundle, or an installed model.", valueName: "model"))
  var model: String

  package func run() throws {
    guard !ProgramOptions.isProgram(model) else {
      throw OnnxError.notExpressible(model: model, reason: "it is a program, not a network")
    }
    // A reader that goes away causes an error of writing, and does not end the process.
    signal(SIGPIPE, SIG_IGN)
    let opened = try ModelLibrary.local.open(model)
    if case .formula = opened.content {
      throw OnnxError.notExpressible(
        model: model, reason: "only glyph and line models have one network")
    }
    var features = NetworkFeatures(of: opened)
    let limits = ExchangeLimits()
    var lines = RequestLines(descriptor: STDIN_FILENO, limit: limits.bytes)
    while let line = try lines.next() {
      var text: [UInt8]
      switch line {
      case .whole(let bytes): text = Self.answer(bytes, limits, &features)
      case .tooLong(let start):
        text =
          RecognitionAnswer(
            id: RecognitionRequest.identifier(in: start), .failure(.tooManyBytes(limits))
          ).json
      }
      text.append(UInt8(ascii: "\n"))
      let code = text.withUnsafeBytes { Descriptor.writeAll(STDOUT_FILENO, $0) }
      if code == EPIPE { return }
      guard code == 0 else {
        throw ToolError.failed("standard output: \(String(cString: strerror(code)))")
      }
    }
  }

  /// The answer to one line.
  private static func answer(
    _ bytes: [UInt8], _ limits: ExchangeLimits, _ features: inout NetworkFeatures
  ) -> [UInt8] {
    let request: RecognitionRequest
    do throws(ExchangeError) {
      request = try RecognitionRequest(parsing: bytes, limits: limits)
    } catch {
      return RecognitionAnswer(
        id: RecognitionRequest.identifier(in: bytes), .failure(error)
      ).json
    }
    do {
      let tensors = try features.tensors(of: request.ink, area: request.writingArea)
      guard !tensors.isEmpty else {
        throw ExchangeError(
          .invalidValue, "expected strokes with points, found none", field: "strokes")
      }
      return json(tensors, id: request.id)
    } catch {
      let failure =
        error as? ExchangeError ?? ExchangeError(.invalidValue, "\(error)", field: "strokes")
      return RecognitionAnswer(id: request.id, .failure(failure)).json
    }
  }

  /// `{"id":1,"inputs":{"sequence":[[0.5,…],…],"maps":[…]}}`, without the size of the batch.
  private static func json(
    _ tensors: [NetworkFeatures.Tensor], id: RecognitionRequest.Identifier?
  ) -> [UInt8] {
    var text = #"{"id":"#
    switch id {
    case .number(let digits)?: text += digits
    case .string(let id)?: text += quoted(id)
    case nil: text += "null"
    }
    text += #","inputs":{"#
    for (index, tensor) in tensors.enumerated() {
      text += (index > 0 ? "," : "") + "\"\(tensor.name)\":"
      append(tensor.values[...], tensor.shape.dropFirst(), to: &text)
    }
    return Array((text + "}}").utf8)
  }

  /// Appends nested arrays of a shape.
  private static func append(
    _ values: ArraySlice<Float>, _ shape: ArraySlice<Int>, to text: inout String
  ) {
    text += "["
    if shape.count > 1, let rows = shape.first, rows > 0 {
      let length = values.count / rows
      for row in 0..<rows {
        if row > 0 { text += "," }
        let start = values.startIndex + row * length
        append(values[start..<start + length], shape.dropFirst(), to: &text)
      }
    } else {
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        text += value.description
      }
    }
    text += "]"
  }

  private static func quoted(_ text: String) -> String {
    let bytes = (try? JSONEncoder().encode(text)) ?? Data("null".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}
