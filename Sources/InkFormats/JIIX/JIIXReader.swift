import InkCore

/// Reads JIIX 3 documents with blocks of any type as ink, labelled or not.
///
/// - Each line of a text is a record. Its label is made of the words and the spaces between them.
///   Its ink is in the order of the time stamps, or of the words if a stroke has no time stamp. If
///   there are no words, characters are used instead. If a text has neither, or its ink is outside
///   of them, the whole text is one record with its own label and ink.
/// - The label of a shape, a node or an edge is its kind: `rectangle`, `line`.
/// - Each other block with ink, such as a drawing, a formula, or a type that this version does not
///   know, is one record, with its label or without one.
/// - A unit selects other records: the page as one record, with the texts of its blocks as lines;
///   whole blocks (`group`); the lines or words of the texts only; single strokes.
/// - Times are milliseconds since the first stroke of the record, if all of its strokes have time
///   stamps and columns of times. Forces are kept if any is above 0, and so
///   are the angles of the pen. There are no writers.
///
/// The labels are readings of a recogniser, or chosen candidates: check them before you train on
/// them. Documents must have been written with their ink (`export.jiix.strokes`). A bad file yields
/// a failure, and so does a label without ink; reading continues.
///
///     for record in try InkReader(.jiix, path: "notes.jiix") {
///       print(try record.get().labeled.label)
///     }
package enum JIIXReader {
  package typealias Element = InkReader.Element

  /// Returns the records of a file's bytes.
  package static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis, unit: InkUnit? = nil
  ) -> [Element] {
    let location = SourceLocation(path: path)
    let document: JIIXNode
    do throws(InkFormatError) {
      document = try JIIXNode(parsing: bytes, path: path)
    } catch {
      return [.failure(error)]
    }
    let pieces = document.pieces(unit)
    guard !pieces.isEmpty else {
      return [
        .failure(
          InkFormatError(
            .emptyInk, at: location, expected: "ink" + (unit.map { " of a \($0.rawValue)" } ?? ""),
            found: "none", advice: "export it with export.jiix.strokes"))
      ]
    }
    return pieces.enumerated().map { index, piece in
      let ink = Ink(jiix: piece.strokes, sign: yAxis == .up ? -1 : 1)
      guard !ink.isEmpty else {
        return .failure(
          InkFormatError(
            .emptyInk, at: location, expected: "ink for each label", found: "none",
            advice: "export it with export.jiix.strokes"))
      }
      return .success(
        InkRecord(
          labeled: LabeledInk(ink: ink, label: piece.label), location: location, source: source,
          indexInSource: index, level: piece.level, id: piece.id))
    }
  }
}

extension JIIXNode {
  /// Ink with its label, level and id.
  struct Piece {
    var label: String
    var strokes: [JIIXStroke]
    /// The level; nil for shapes and other blocks that are not text.
    var level: InkRecord.Level?
    var id: String?

    init(label: String, strokes: [JIIXStroke], id: String? = nil) {
      self.label = label
      self.strokes = strokes
      self.id = id
    }

    /// Makes a piece from a text, with runs of blanks as one space.
    init(text: String, strokes: [JIIXStroke], id: String? = nil) {
      let words = text.split(whereSeparator: \.isWhitespace)
      label = words.joined(separator: " ")
      level = words.isEmpty ? nil : words.count == 1 ? .word : .text
      self.strokes = strokes
      self.id = id
    }
  }

  /// Returns the pieces that become records.
  fileprivate func pieces(_ unit: InkUnit?) -> [Piece] {
    switch unit {
    case nil: return blocks.flatMap { $0.isText ? $0.lines : $0.block }
    case .group: return blocks.flatMap { $0.isText ? $0.wholeText : $0.block }
    case .line: return blocks.filter(\.isText).flatMap(\.lines)
    case .word: return blocks.filter(\.isText).flatMap(\.wordPieces)
    case .stroke: return allStrokes.map { Piece(label: "", strokes: [$0]) }
    case .page, .file:
      let strokes = allStrokes
      let texts = blocks.compactMap { block -> String? in
        guard block.kind == nil, let label = block.label, !Self.isBlank(label) else { return nil }
        return label
      }
      return strokes.isEmpty
        ? [] : [Piece(label: texts.joined(separator: "\n"), strokes: strokes, id: id)]
    }
  }

  /// The blocks in the order of the document: this one, if it has its own ink or label, and those
  /// in it.
  private var blocks: [JIIXNode] {
    let inner = elements.flatMap(\.blocks)
    let isFrame = !isText && kind == nil && ownStrokes.isEmpty && (!inner.isEmpty || label == nil)
    return isFrame ? inner : [self] + inner
  }

  /// True for a text: the block has words or characters, or its type is Text.
  private var isText: Bool { type == "Text" || !words.isEmpty || !characters.isEmpty }

  /// The piece of a block that is not text; empty if there is none.
  private var block: [Piece] {
    if let kind { return [Piece(label: kind, strokes: ownStrokes, id: id)] }
    let label = label.flatMap { Self.isBlank($0) ? nil : $0 }
    guard label != nil || !ownStrokes.isEmpty else { return [] }
    return [Piece(label: label ?? "", strokes: ownStrokes, id: id)]
  }

  /// A text as one piece.
  private var wholeText: [Piece] {
    let strokes = ownStrokes
    guard let label, !Self.isBlank(label) else {
      return strokes.isEmpty ? [] : [Piece(label: "", strokes: strokes, id: id)]
    }
    return [Piece(text: label, strokes: strokes, id: id)]
  }

  /// The lines of a text.
  private var lines: [Piece] {
    guard let label, !Self.isBlank(label) else { return wholeText }
    let lines = parts.split { $0.label.contains(where: \.isNewline) }.map { parts in
      Piece(text: parts.map(\.label).joined(), strokes: parts.flatMap(\.strokes))
    }.filter { !$0.label.isEmpty }
    // Ink outside of the words of a text belongs to no particular word.
    let isBeside = !strokes.isEmpty && lines.allSatisfy(\.strokes.isEmpty)
    return isBeside || lines.isEmpty ? [Piece(text: label, strokes: strokes, id: id)] : lines
  }

  /// The words of a text that have ink.
  private var wordPieces: [Piece] {
    parts.filter { !Self.isBlank($0.label) && !$0.strokes.isEmpty }.map {
      Piece(text: $0.label, strokes: $0.strokes)
    }
  }

  /// The words of a text, or its characters if it has no words.
  private var parts: [JIIXNode.Part] { words.isEmpty ? characters : words }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  /// The ink of the block without that of the blocks in it, each stroke once.
  private var ownStrokes: [JIIXStroke] {
    Self.distinct(
      words.flatMap(\.strokes) + characters.flatMap(\.strokes) + strokes
        + others.flatMap(\.allStrokes))
  }

  /// All ink of the block and of those in it, each stroke once.
  private var allStrokes: [JIIXStroke] {
    Self.distinct(ownStrokes + elements.flatMap(\.allStrokes))
  }

  private static func distinct(_ strokes: [JIIXStroke]) -> [JIIXStroke] {
    var seen: Set<JIIXStroke> = []
    return strokes.filter { $0.X?.isEmpty == false && seen.insert($0).inserted }
  }
}

extension Ink {
  /// Makes the ink of strokes in the order of their time stamps, if all have one. Strokes of the
  /// same time are ordered by their ids, because programs count these up.
  fileprivate init(jiix strokes: [JIIXStroke], sign: Double) {
    let strokes = strokes.filter { $0.X?.isEmpty == false }
    let starts = strokes.compactMap { $0.timestamp.flatMap(JIIXTimestamp.milliseconds) }
    guard starts.count == strokes.count, let first = starts.min() else {
      self.init(strokes: strokes.map { Stroke(jiix: $0, start: nil, sign: sign) })
      return
    }
    let ids = strokes.map { $0.id ?? "" }
    let order = strokes.indices.sorted {
      (starts[$0], ids[$0].utf8.count, ids[$0], $0) < (starts[$1], ids[$1].utf8.count, ids[$1], $1)
    }
    let isTimed = strokes.allSatisfy { $0.T != nil }
    self.init(
      strokes: order.map {
        Stroke(jiix: strokes[$0], start: isTimed ? starts[$0] - first : nil, sign: sign)
      })
  }
}

extension Stroke {
  /// Converts the columns of a stroke, which have equal length.
  fileprivate init(jiix stroke: JIIXStroke, start: Double?, sign: Double) {
    let forces = (stroke.F ?? []).contains { $0 > 0 } ? stroke.F : nil
    self.init(
      points: zip(stroke.X ?? [], stroke.Y ?? []).enumerated().map { index, place in
        StrokePoint(
          x: place.0, y: sign * place.1,
          t: start.flatMap { start in stroke.T.map { start + Double($0[index]) } },
          force: forces?[index], azimuth: stroke.azimuth?[index],
          altitude: stroke.altitude?[index], roll: stroke.roll?[index])
      })
  }
}
