import DuctusKit
import Foundation
import InkFormats
import PretrainedModels

/// A text that an app keeps itself, word by word with its ink, without the editor of `InkEditor`.
struct WrittenText {
  /// A word and the strokes that it was written with.
  struct Word {
    var text: String
    var strokes: [Stroke]
  }

  private(set) var words: [Word] = []

  var text: String { words.map(\.text).joined(separator: " ") }

  /// Reads a whole line, and keeps the strokes of each of its words.
  mutating func write(_ line: Ink, with recognizer: DigitalInkRecognizer) throws {
    guard let best = try recognizer.recognizeNow(line).candidates.first else { return }
    words = best.words.map { word in
      Word(text: word.text, strokes: best.strokes(of: word).map { line.strokes[$0] })
    }
  }

  /// Replaces one word by new ink. Only the new ink is read, after the text before it; the other
  /// words keep their text.
  mutating func replace(
    _ index: Int, by ink: Ink, with recognizer: DigitalInkRecognizer
  ) throws {
    let before = words[..<index].map { $0.text + " " }.joined()
    let context = RecognitionContext(preContext: before)
    guard let best = try recognizer.recognizeNow(ink, context: context).candidates.first else {
      return
    }
    // A candidate begins with a space if it is a word of its own after the text before.
    let text = best.text.trimmingCharacters(in: .whitespaces)
    words[index] = Word(text: text, strokes: ink.strokes)
  }
}

/// Replaces a word in the middle of a line: it is read alone and merged into the earlier result.
///
///     swift run ReplaceWord
@main
struct ReplaceWord {
  static func main() throws {
    let recognizer = DigitalInkRecognizer(model: "en", provider: try PretrainedModels())
    let path = CommandLine.arguments.dropFirst().first ?? "Examples/hello.jsonl"
    guard let record = try Array(InkJSONLinesReader(path: path)).first?.get() else {
      print("\(path) holds no ink")
      return
    }
    var text = WrittenText()
    try text.write(record.labeled.ink, with: recognizer)
    print("written: ", text.text)
    guard let first = text.words.first, text.words.count > 1 else { return }

    // The writer crosses the second word out, and writes the first one in its place.
    let width = record.labeled.ink.strokes.flatMap(\.points).map(\.x).max() ?? 0
    let again = first.strokes.map { stroke in
      Stroke(
        points: stroke.points.map { StrokePoint(x: $0.x + width / 2, y: $0.y) })
    }
    try text.replace(1, by: Ink(strokes: again), with: recognizer)
    print("replaced:", text.text)
  }
}
