import InkCore
import Layout

/// Makes the inks from the tree of an InkML file.
struct InkMLRecords {
  /// An ink with the facts that the file states about it.
  struct Item {
    var labeled: LabeledInk
    var id: String?
    var level: InkRecord.Level?
    var penWidth: Double?
    var pens: [InkRecord.Pen] = []
    var warnings: [InkFormatError] = []
  }

  /// A stroke, and its pen and its kind if they are known. One of a highlighter has no points.
  private struct Trace {
    var points: [StrokePoint] = []
    var width: Double?
    var color: String?
    var kind: StrokeKind?
  }

  typealias Element = Result<Item, InkFormatError>

  /// The most views and strokes that a file may name together: views of views multiply.
  private static let mostViewed = 1_000_000
  /// The most points in parts of strokes: unlike whole strokes, parts take memory of their own.
  private static let mostCopied = 4_000_000
  /// The deepest nesting of views that name views.
  private static let deepest = 64

  private let document: InkMLDocument
  private let scanner: XMLScanner
  private let strokes: [Trace]
  private var viewed = 0
  private var copied = 0

  /// Decodes the traces.
  ///
  /// - Parameters:
  ///   - scanner: The scanner at the end of the file, for errors.
  ///   - sign: -1 if y grows upward.
  init(
    _ document: InkMLDocument, _ scanner: XMLScanner, sign: Double
  ) throws(InkFormatError) {
    self.document = document
    self.scanner = scanner
    var strokes: [Trace] = []
    strokes.reserveCapacity(document.strokes.count)
    var formats = document.formats
    for pieces in document.strokes {
      var trace = Trace()
      for piece in pieces {
        try Self.decode(piece, of: document, &formats, scanner, sign: sign, into: &trace)
      }
      strokes.append(trace)
    }
    if let position = document.unknownKind, document.hasKinds {
      throw scanner.error(
        .malformed, at: position, expected: "kinds of strokes: \(StrokeKind.names)",
        found: "another name")
    }
    if document.hasKinds {
      for (stroke, kind) in InkMLKinds.kinds(of: document, upTo: .kind).enumerated() {
        strokes[stroke].kind = kind
      }
    }
    self.strokes = strokes
    guard strokes.contains(where: { !$0.points.isEmpty }) else {
      throw scanner.error(.emptyInk, expected: "at least one trace with points", found: "none")
    }
  }

  private static func decode(
    _ piece: InkMLDocument.Piece, of document: InkMLDocument, _ formats: inout InkMLFormats,
    _ scanner: XMLScanner, sign: Double, into trace: inout Trace
  ) throws(InkFormatError) {
    let missing = {
      scanner.error(
        .rangeOutOfBounds, at: piece.position, expected: "contexts and trace formats of the file",
        found: "the name of another one")
    }
    var format: InkMLFormat?
    if let context = piece.context {
      format = try formats.format(named: context, missing)
    }
    if format == nil, let context = document.groups[piece.group].context {
      format = try formats.format(named: context, missing)
    }
    if format == nil { format = try formats.unnamed(piece.current, missing) }
    guard let format else {
      throw scanner.error(
        .missingKey, at: piece.position,
        expected: "the context of each trace, where there are several trace formats",
        found: "a trace without one")
    }
    let group = document.groups[piece.group]
    var brush: InkMLBrush?
    for name in [piece.brush, group.brush, piece.context, group.context] {
      if brush == nil, let name { brush = formats.brush(named: name) }
    }
    if brush == nil, let place = piece.current { brush = formats.brush(at: place) }
    if let brush {
      guard !brush.isHighlighter else { return }
      trace.width = format.width(of: brush)
      trace.color = brush.look
    }
    var decoder = InkMLTraceDecoder(format: format, sign: sign)
    let fault = piece.text.withBytes { bytes -> InkMLTraceDecoder.Fault? in
      do throws(InkMLTraceDecoder.Fault) {
        try decoder.decode(bytes, into: &trace.points)
        return nil
      } catch {
        return error
      }
    }
    switch fault {
    case nil: return
    case .malformed:
      throw scanner.error(
        .malformed, at: piece.position,
        expected: "\(format.count) numbers in each point of a trace", found: "another point")
    case .nonFinite:
      throw scanner.error(
        .nonFiniteNumber, at: piece.position, expected: "finite coordinates",
        found: "NaN or infinity")
    case .noPosition:
      throw scanner.error(
        .missingKey, at: piece.position, expected: "the channels X and Y", found: "others")
    }
  }

  /// Returns the inks of the file.
  ///
  /// - Parameter unit: The unit. If nil, the file is one ink if it has its own label or no label at
  ///   all; otherwise each labelled group is one.
  mutating func items(_ unit: InkUnit?) -> [Element] {
    switch unit {
    case .page, .file: return [whole()]
    case .stroke:
      return document.drawn.filter { !strokes[$0].points.isEmpty }.map { place in
        .success(
          Item(
            labeled: LabeledInk(
              ink: Ink(strokes: [Stroke(points: strokes[place].points)]), label: "",
              writer: document.groups[0].writer), penWidth: strokes[place].width))
      }
    // Groups that only say a kind are parts of an ink.
    case .group:
      return items(
        of: groups {
          document.groups[$0].label != nil || document.groups[$0].strokeKind?.source != .kind
        })
    case .line: return items(of: typed(.line))
    case .word: return items(of: typed(.word))
    case nil:
      let labelled = labelledGroups
      if document.groups[0].label != nil || labelled.isEmpty { return [whole()] }
      return items(of: labelled)
    }
  }

  /// The labelled groups that contain traces, except those that only contain other labelled groups.
  private var labelledGroups: [Int] { groups { document.groups[$0].label != nil } }

  /// Returns the selected groups that contain traces: those with traces or views of their own, and
  /// those that contain no other selected group.
  private func groups(_ isAsked: (Int) -> Bool) -> [Int] {
    var holdsAsked: Set<Int> = []
    var holdsTraces: Set<Int> = []
    var result: [Int] = []
    for place in document.closed {
      let group = document.groups[place]
      let isDirect = group.members.contains { if case .group = $0 { false } else { true } }
      let isFull = isDirect || holdsTraces.contains(place)
      if isFull, let parent = group.parent { holdsTraces.insert(parent) }
      let isTaken = isAsked(place) && isFull && (isDirect || !holdsAsked.contains(place))
      if isTaken { result.append(place) }
      if isTaken || holdsAsked.contains(place), let parent = group.parent {
        holdsAsked.insert(parent)
      }
    }
    return result
  }

  /// Returns the groups of a kind; if the file states no kinds, those with labels.
  private func typed(_ kind: InkMLDocument.Kind) -> [Int] {
    let typed = document.closed.filter { document.groups[$0].kind == kind }
    return typed.isEmpty ? labelledGroups : typed
  }

  private mutating func items(of places: [Int]) -> [Element] {
    guard !places.isEmpty else {
      return [
        .failure(
          scanner.error(
            .missingKey, expected: "groups of traces", found: "a file without groups"))
      ]
    }
    return places.map { item(of: $0) }
  }

  private func whole() -> Element {
    let root = document.groups[0]
    var traces = document.drawn.map { strokes[$0] }
    if !document.hasKinds {
      let kinds = InkMLKinds.kinds(of: document, upTo: .truth)
      for (index, stroke) in document.drawn.enumerated() { traces[index].kind = kinds[stroke] }
    }
    return element(traces, root.label ?? text(of: 0) ?? "", 0, level: nil)
  }

  private mutating func item(of place: Int) -> Element {
    var traces: [Trace] = []
    do throws(InkFormatError) {
      try collect(place, into: &traces, depth: 0)
    } catch {
      return .failure(error)
    }
    let group = document.groups[place]
    let level: InkRecord.Level? =
      switch group.kind {
      case .word: .word
      case .line: .text
      case .other, nil: nil
      }
    return element(traces, group.label ?? text(of: place) ?? "", place, level: level)
  }

  private func element(
    _ traces: [Trace], _ label: String, _ place: Int, level: InkRecord.Level?
  ) -> Element {
    let traces = traces.filter { !$0.points.isEmpty }
    let ink = Ink(strokes: traces.map { Stroke(points: $0.points) })
    guard !ink.isEmpty else {
      return .failure(
        scanner.error(
          .emptyInk, expected: "a trace with points in a labelled group", found: "none"))
    }
    let group = document.groups[place]
    let kinds = traces.compactMap(\.kind)
    var item = Item(
      labeled: LabeledInk(
        ink: ink, label: label, writer: writer(of: place), writingArea: group.area,
        quality: group.quality,
        kinds: kinds.count == traces.count ? kinds.map(\.rawValue) : nil), id: group.id,
      level: level, penWidth: InkRecord.penWidth(of: traces.compactMap(\.width)))
    let pens = traces.map { InkRecord.Pen(color: $0.color, width: $0.width) }
    if pens.contains(where: { $0 != InkRecord.Pen() }) { item.pens = pens }
    if document.hasKinds, !kinds.isEmpty, kinds.count < traces.count {
      item.warnings = [
        InkFormatError(
          .missingKey, at: SourceLocation(path: scanner.path),
          expected: "a kind of each of the \(traces.count) strokes", found: "\(kinds.count)",
          advice: "the kinds of this ink are not used; annotate the other traces too")
      ]
    }
    return .success(item)
  }

  /// Returns the writer of a group, of an enclosing group, or of the file.
  private func writer(of group: Int) -> String? {
    var place: Int? = group
    while let group = place {
      if let writer = document.groups[group].writer { return writer }
      place = document.groups[group].parent
    }
    return nil
  }

  /// Returns the text of a group without a label, from the words and lines in it; nil if it
  /// contains a label of another kind, such as that of a symbol.
  private func text(of place: Int) -> String? {
    var texts: [String] = []
    var separator = " "
    for case .group(let inner) in document.groups[place].members {
      let group = document.groups[inner]
      if group.label != nil, group.kind != .word, group.kind != .line { return nil }
      guard let text = group.label ?? text(of: inner) else {
        if hasLabels(inner) { return nil }
        continue
      }
      if group.kind != .word { separator = "\n" }
      texts.append(text)
    }
    return texts.isEmpty ? nil : texts.joined(separator: separator)
  }

  private func hasLabels(_ place: Int) -> Bool {
    if document.groups[place].label != nil { return true }
    for case .group(let inner) in document.groups[place].members where hasLabels(inner) {
      return true
    }
    return false
  }
}

// MARK: - Views

extension InkMLRecords {
  private mutating func collect(
    _ place: Int, into traces: inout [Trace], depth: Int
  ) throws(InkFormatError) {
    for member in document.groups[place].members {
      switch member {
      case .trace(let trace): try append(strokes[trace], to: &traces)
      case .group(let group): try collect(group, into: &traces, depth: depth)
      case .view(let name, let from, let to, let position):
        try view(name, from, to, position, into: &traces, depth: depth)
      }
    }
  }

  private mutating func append(_ trace: Trace, to traces: inout [Trace]) throws(InkFormatError) {
    try count()
    traces.append(trace)
  }

  /// Counts a view or a stroke.
  private mutating func count() throws(InkFormatError) {
    viewed += 1
    guard viewed <= Self.mostViewed else { throw tooMuch() }
  }

  private func tooMuch() -> InkFormatError {
    scanner.error(
      .nestingTooDeep,
      expected: "views of at most \(Self.mostViewed) traces, \(Self.deepest) deep", found: "more")
  }

  /// Adds the target of a view: a trace or a group, or a part of one.
  private mutating func view(
    _ name: String, _ from: String?, _ to: String?, _ position: Int, into traces: inout [Trace],
    depth: Int
  ) throws(InkFormatError) {
    guard depth < Self.deepest else { throw tooMuch() }
    try count()
    var strokes: [Trace] = []
    var isTrace = true
    if let place = document.places[InkMLDocument.bare(name)] {
      strokes = [self.strokes[place]]
    } else if let place = document.groupPlaces[InkMLDocument.bare(name)] {
      try collect(place, into: &strokes, depth: depth + 1)
      isTrace = false
    } else {
      throw scanner.error(
        .rangeOutOfBounds, at: position, expected: "views of traces and groups of the file",
        found: "a view of another one")
    }
    if from != nil || to != nil {
      let first = try end(from, isTrace, position)
      let last = try end(to, isTrace, position)
      strokes = strokes.enumerated().compactMap { index, trace in
        let points = trace.points
        guard index >= first?.stroke ?? 0, index <= last?.stroke ?? .max else { return nil }
        let start = index == first?.stroke ? first?.point ?? 0 : 0
        let end = index == last?.stroke ? last?.point ?? points.count - 1 : points.count - 1
        guard start <= end, start < points.count else { return nil }
        return Trace(
          points: Array(points[start...min(end, points.count - 1)]), width: trace.width,
          color: trace.color, kind: trace.kind)
      }
      copied += strokes.reduce(0) { $0 + $1.points.count }
      guard copied <= Self.mostCopied else { throw tooMuch() }
    }
    for stroke in strokes { try append(stroke, to: &traces) }
  }

  /// Returns the end of a part, counted from 0. In the file it is `POINT` of a trace, or `TRACE` or
  /// `TRACE:POINT` of a group, counted from 1.
  private func end(
    _ text: String?, _ isTrace: Bool, _ position: Int
  ) throws(InkFormatError) -> (stroke: Int, point: Int?)? {
    guard let text else { return nil }
    let numbers = text.split(separator: ":").map { Int($0) }
    let values = numbers.compactMap { $0 }
    guard !values.isEmpty, values.count == numbers.count, values.count <= 2,
      values.allSatisfy({ $0 >= 1 })
    else {
      throw scanner.error(
        .rangeOutOfBounds, at: position,
        expected: "POINT, TRACE or TRACE:POINT in from and to, counted from 1",
        found: "another text"
      )
    }
    if isTrace, values.count == 1 { return (0, values[0] - 1) }
    return (values[0] - 1, values.count == 2 ? values[1] - 1 : nil)
  }
}
