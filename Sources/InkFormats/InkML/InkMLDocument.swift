import Files
import InkCore
import Layout

/// Builds a tree of groups and traces from the tags of an InkML file.
struct InkMLDocument {
  /// The amount of text in a group, as stated by the file.
  enum Kind {
    case line, word, other
  }

  /// A member of a group, in order.
  enum Member {
    case trace(Int)
    case group(Int)
    /// A reference to a trace or group, and the part of it that is selected.
    case view(String, from: String?, to: String?, position: Int)
  }

  /// The file, a group of traces, or a view that has a label or contains others.
  struct Group {
    var parent: Int?
    var label: String?
    /// The rank of the annotation that `label` comes from; the type truth has rank 0.
    var labelRank = Int.max
    var writer: String?
    var id: String?
    var kind: Kind?
    /// The kind of its strokes.
    var strokeKind: InkMLKinds.Found?
    var quality: LabeledInk.Quality?
    var area: WritingArea?
    /// The context and the brush of traces that do not name one.
    var context, brush: String?
    var members: [Member] = []
  }

  /// A part of a stroke as written in the file.
  struct Piece {
    var text: XMLContent
    var context, brush: String?
    var current: Int?
    var group: Int
    var position: Int
  }

  /// The annotation types that contain labels, the best first, in lower case.
  private static let truths = [
    "truth", "label", "transcription", "groundtruth", "ground-truth", "ground_truth", "text",
    "latex", "normalizedlabel",
  ]
  private static let identifiers: Set<String> = ["ui", "uid", "sampleid", "id"]
  private static let namespace = "http://www.w3.org/2003/InkML"

  /// The prefixes of other vocabularies. The empty prefix is included if the first element has
  /// another vocabulary.
  private var foreign: Set<String> = []
  private var hasRoot = false
  private(set) var formats = InkMLFormats()
  /// The parts of each stroke; empty if the pen was up.
  private(set) var strokes: [[Piece]] = []
  /// The strokes outside of definitions.
  private(set) var drawn: [Int] = []
  /// The indices of traces and of groups by their ids.
  private(set) var places: [String: Int] = [:]
  private(set) var groupPlaces: [String: Int] = [:]
  /// The groups; the first is the file itself.
  private(set) var groups = [Group()]
  /// The groups in the order in which they end.
  private(set) var closed: [Int] = []
  /// The position of the first annotation of type `kind` with an unknown name.
  private(set) var unknownKind: Int?
  /// True if an annotation of type `kind` has a known name.
  private(set) var hasKinds = false
  /// True if the labels of groups are symbols of a flowchart.
  private var isFlowchart = false
  private var open = [0]
  /// The number of open elements `annotationXML`.
  private var annotationDepth = 0
  private var confidence = 0.0
  private var bestConfidence: Double?

  mutating func take(
    _ tag: XMLScanner.Tag, from scanner: inout XMLScanner
  ) throws(InkFormatError) {
    guard let name = name(of: tag) else {
      if annotationDepth > 0 { try takeForeign(tag, &scanner) }
      return
    }
    formats.take(name, tag, from: scanner)
    switch (name, tag.kind) {
    case ("trace", .start): try addTrace(tag, &scanner)
    case ("traceView", .start):
      push(tag)
      addView(tag, scanner)
    case ("traceView", .empty): addView(tag, scanner)
    case ("traceGroup", .start): push(tag)
    case ("traceGroup", .end), ("traceView", .end):
      guard open.count > 1, let place = open.popLast() else { return }
      closed.append(place)
    case ("annotation", .start): try annotate(tag, &scanner)
    case ("annotationXML", .start):
      annotationDepth += 1
      if tag["encoding"]?.lowercased().contains("flowchart") == true { isFlowchart = true }
      bestConfidence = nil
    case ("annotationXML", .end): annotationDepth -= 1
    default: break
    }
  }

  /// Returns the name of an element without its prefix; nil if it belongs to another vocabulary. An
  /// undeclared prefix counts as InkML's, because files of the flowchart dataset FC_A have such
  /// prefixes.
  private mutating func name(of tag: XMLScanner.Tag) -> Substring? {
    for (key, value) in tag.attributes where key.hasPrefix("xmlns") {
      let prefix: String
      if key.hasPrefix("xmlns:") {
        prefix = String(key.dropFirst("xmlns:".count))
      } else if key == "xmlns", !hasRoot {
        prefix = ""
      } else {
        continue
      }
      if value == Self.namespace { foreign.remove(prefix) } else { foreign.insert(prefix) }
    }
    let colon = tag.name.firstIndex(of: ":")
    let prefix = colon.map { String(tag.name[..<$0]) } ?? ""
    let name = colon.map { tag.name[tag.name.index(after: $0)...] } ?? tag.name[...]
    if !hasRoot, name == "ink" { foreign.remove(prefix) }
    hasRoot = true
    return foreign.contains(prefix) ? nil : name
  }

  private var here: Int { open.last ?? 0 }

  private mutating func push(_ tag: XMLScanner.Tag) {
    var group = Group(parent: here)
    group.context = tag["contextRef"] ?? groups[here].context
    group.brush = tag["brushRef"] ?? groups[here].brush
    group.id = InkMLFormats.ids(of: tag).first
    for id in InkMLFormats.ids(of: tag) { groupPlaces[id] = groups.count }
    groups[here].members.append(.group(groups.count))
    open.append(groups.count)
    groups.append(group)
  }

  private mutating func addView(_ tag: XMLScanner.Tag, _ scanner: XMLScanner) {
    guard let reference = tag["traceDataRef"] else { return }
    // A view outside of all groups adds nothing to the traces.
    guard here != 0 else { return }
    groups[here].members.append(
      .view(reference, from: tag["from"], to: tag["to"], position: scanner.position))
  }

  private mutating func addTrace(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) {
    let isPenUp: Bool
    switch tag["type"] {
    case nil, "penDown", "indeterminate": isPenUp = false
    case "penUp": isPenUp = true
    default:
      throw scanner.error(
        .unsupported, expected: "traces of type penDown, penUp or indeterminate",
        found: "another type")
    }
    let position = scanner.position
    let piece = Piece(
      text: try scanner.rawContent(), context: tag["contextRef"], brush: tag["brushRef"],
      current: formats.current, group: here, position: position)
    let place = try place(of: tag, scanner)
    for id in InkMLFormats.ids(of: tag) { places[id] = place }
    let pieces = isPenUp ? [] : [piece]
    if place < strokes.count {
      strokes[place] += pieces
      return
    }
    strokes.append(pieces)
    groups[here].members.append(.trace(place))
    if !formats.isDefining { drawn.append(place) }
  }

  /// Returns a new index, or the index of the trace that this one continues.
  private func place(
    of tag: XMLScanner.Tag, _ scanner: XMLScanner
  ) throws(InkFormatError) -> Int {
    guard let part = tag["continuation"], part != "begin" else { return strokes.count }
    guard let prior = tag["priorRef"], let place = places[Self.bare(prior)] else {
      throw scanner.error(
        .rangeOutOfBounds, expected: "the trace before a trace that goes on, in priorRef",
        found: "another")
    }
    return place
  }

  /// Returns a reference without its `#`.
  static func bare(_ reference: String) -> String {
    reference.hasPrefix("#") ? String(reference.dropFirst()) : reference
  }
}

// MARK: - Annotations

extension InkMLDocument {
  private mutating func annotate(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) {
    // Annotations of pens, brushes and contexts do not describe the ink.
    guard let type = tag["type"]?.lowercased(), !formats.isOpen,
      here != 0 || !formats.isDefining
    else { return }
    if let rank = Self.truths.firstIndex(of: type) {
      guard rank < groups[here].labelRank else { return }
      let label = Self.label(try scanner.content())
      groups[here].label = label
      groups[here].labelRank = rank
      if isFlowchart { setKind(InkMLKinds.kind(named: label), from: .truth) }
      return
    }
    switch type {
    case "writer", "writerid", "writer-id", "writer_id":
      let writer = Self.label(try scanner.content())
      guard here != 0 || groups[0].writer == nil || groups[0].writer == writer else {
        throw scanner.error(
          .malformed, expected: "one writer of the file; others in their groups", found: "several")
      }
      groups[here].writer = writer
    case "type", "category", "contentcategory", "level":
      let text = try scanner.content()
      groups[here].kind = Self.kind(text)
      setKind(InkMLKinds.kind(named: Self.label(text)), from: .type)
    case "kind":
      let position = scanner.position
      let kind = StrokeKind(rawValue: Self.label(try scanner.content()))
      if kind == nil { unknownKind = unknownKind ?? position } else { hasKinds = true }
      setKind(kind, from: .kind)
    case "quality":
      groups[here].quality = LabeledInk.Quality(rawValue: Self.label(try scanner.content()))
    case "writingarea":
      let numbers = try scanner.content().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 4 else { return }
      groups[here].area = try? WritingArea(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    case _ where Self.identifiers.contains(type):
      groups[here].id = Self.label(try scanner.content())
    default: break
    }
  }

  /// Sets the kind of the strokes of the current group, unless it has one from a better source. The
  /// file itself has none.
  private mutating func setKind(_ kind: StrokeKind?, from source: InkMLKinds.Source) {
    guard here != 0, let kind, source <= groups[here].strokeKind?.source ?? .truth else { return }
    groups[here].strokeKind = InkMLKinds.Found(kind: kind, source: source)
  }

  /// Handles the reading of a group by a recogniser, in the vocabulary of EMMA and of office
  /// suites.
  private mutating func takeForeign(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) {
    guard tag.kind != .end else { return }
    let name = tag.name.split(separator: ":").last ?? ""
    switch name {
    case "context": groups[here].kind = tag["type"].map(Self.kind) ?? groups[here].kind
    case "interpretation":
      confidence =
        tag.attributes.first { $0.key.hasSuffix("confidence") }
        .flatMap { XMLScanner.double($0.value) } ?? 0
    case "literal" where tag.kind == .start:
      let text = Self.label(try scanner.content())
      // A reading has a lower rank than any truth; the first of the most confident ones is used.
      guard groups[here].labelRank >= Self.truths.count, confidence > bestConfidence ?? -1
      else { return }
      bestConfidence = confidence
      groups[here].label = text
      groups[here].labelRank = Self.truths.count
    default: break
    }
  }

  /// Returns a label without the surrounding blanks or quotes.
  private static func label(_ text: String) -> String {
    // Scalars, not characters: a mark that combines may follow a quote.
    var label = text.unicodeScalars.drop { $0.properties.isWhitespace }
    while label.last?.properties.isWhitespace == true { label.removeLast() }
    if label.count >= 2, label.first == "\"", label.last == "\"" {
      label = label.dropFirst().dropLast()
    }
    return String(String.UnicodeScalarView(label))
  }

  private static func kind(_ text: String) -> Kind {
    let name = text.lowercased()
    if name.contains("word") { return .word }
    return name.contains("line") ? .line : .other
  }
}
