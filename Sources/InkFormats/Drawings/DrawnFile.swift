import Files
import InkCore

/// The ink of a file of drawings: pages of strokes, some of which form groups.
struct DrawnFile {
  /// Strokes that the drawing program put together: a layer, a group.
  struct Group {
    var id: String?
    var label: String?
    var writer: String?
    /// The strokes, by their places on the page.
    fileprivate(set) var places: [Int] = []
  }

  /// A page, or the single sheet of a file without pages.
  struct Page {
    var id: String?
    var label: String?
    /// The height, if the file states it.
    var height: Double?
    /// The width, if the file states it.
    var width: Double?
    var groups: [Group] = []
    /// The strokes in the order of the file, whatever their groups.
    private(set) var strokes: [PackedStroke] = []
    /// The widths of the pens of the strokes, 0 where the file does not state them.
    private(set) var widths: [Double] = []
    /// The colours of the strokes, as `#RRGGBBAA`; nil where the file does not state them.
    private(set) var colors: [String?] = []
    /// The typed text of the page.
    var texts: [PlacedText] = []
    /// The reason why the page, or a part of it, could not be read.
    var problem: InkFormatError?
    private var groupPlaces: [String: Int] = [:]

    init(id: String? = nil, label: String? = nil, height: Double? = nil) {
      self.id = id
      self.label = label
      self.height = height
    }

    /// Adds a stroke to the group of a name; where the name is nil, to a group of its own.
    ///
    /// - Parameter id: The identifier of the stroke.
    mutating func add(_ stroke: Stroke, group: String?, id: String?) {
      if let group, let place = groupPlaces[group] { return add(stroke, to: place) }
      if let group { groupPlaces[group] = groups.count }
      groups.append(Group(id: group ?? id))
      add(stroke, to: groups.count - 1)
    }

    /// Adds a stroke to a group.
    ///
    /// - Parameters:
    ///   - width: The width of the pen in the unit of the points, 0 if it is not known.
    ///   - color: The colour of the pen as `#RRGGBBAA`.
    mutating func add(_ stroke: Stroke, to group: Int, width: Double = 0, color: String? = nil) {
      groups[group].places.append(strokes.count)
      strokes.append(PackedStroke(stroke))
      widths.append(width)
      colors.append(color)
    }

    /// The sheet, if the file states a size that there can be.
    fileprivate var sheet: BoundingBox? {
      guard let width, let height, width.isFinite, height.isFinite, width > 0, height > 0 else {
        return nil
      }
      return BoundingBox(minX: 0, minY: 0, maxX: width, maxY: height)
    }

    /// The pen of each stroke.
    fileprivate var pens: [InkRecord.Pen] {
      zip(colors, widths).map { color, width in
        InkRecord.Pen(color: color, width: width > 0 && width.isFinite ? width : nil)
      }
    }
  }

  /// What may become a record.
  fileprivate struct Item {
    /// Its place among the items of the file.
    var index = 0
    var id: String?
    var label: String?
    var writer: String?
    var strokes: [PackedStroke] = []
    var pens: [InkRecord.Pen] = []
    var sheet: BoundingBox?
    var texts: [PlacedText] = []
    var problem: InkFormatError?
    /// True if typed text alone makes a record.
    var isTyped = false
  }

  var pages: [Page] = []
  /// The content of the file that is no ink and that its reader says so about.
  var warnings: [InkFormatError] = []

  /// The last page, which is added where there is none.
  var lastPage: Page {
    get { pages.last ?? Page() }
    _modify {
      if pages.isEmpty { pages.append(Page()) }
      yield &pages[pages.count - 1]
    }
  }

  /// The pages, groups or strokes of the file that have ink.
  ///
  /// - Parameter unit: nil for the page; where groups have labels, for the group.
  fileprivate func items(_ unit: InkUnit?) -> [Item] {
    switch unit {
    case nil:
      let labelled = pages.contains { $0.groups.contains { $0.label != nil } }
      return items(labelled ? .group : .page)
    case .page, .line, .word:
      return pages.map {
        Item(
          id: $0.id, label: $0.label, strokes: $0.strokes, pens: $0.pens, sheet: $0.sheet,
          texts: $0.texts, problem: $0.problem)
      }
    case .file:
      // Pages lie below each other.
      var all = Item(label: pages.count == 1 ? pages[0].label : nil)
      var top = 0.0
      for page in pages {
        let strokes = page.strokes.map(\.stroke)
        all.pens += page.pens
        all.texts += page.texts.map { PlacedText(text: $0.text, box: $0.box.moved(y: top)) }
        all.problem = all.problem ?? page.problem
        let box = Ink(strokes: strokes).boundingBox
        all.strokes += strokes.map { stroke in
          PackedStroke(
            Stroke(
              points: stroke.points.map { point in
                var point = point
                point.y += top
                return point
              }))
        }
        top +=
          page.height.flatMap { $0.isFinite ? $0 : nil } ?? box.map {
            max($0.maxY, $0.height * 1.2)
          } ?? 0
      }
      return [all]
    case .group:
      return pages.flatMap { page in
        let pens = page.pens
        return page.groups.map { group in
          Item(
            id: group.id, label: group.label, writer: group.writer,
            strokes: group.places.map { page.strokes[$0] },
            pens: group.places.map { pens[$0] })
        }
      }
    case .stroke:
      return pages.flatMap { page in
        zip(page.strokes, page.pens).map { Item(strokes: [$0], pens: [$1]) }
      }
    }
  }
}

extension DrawnFile {
  /// Reads a file of XML.
  init(
    xml input: InkInput,
    _ body: (inout XMLScanner) throws(InkFormatError) -> DrawnFile
  ) throws(InkFormatError) {
    self = try XMLText.utf8(try input.content()).withUnsafeBufferPointer {
      (buffer) throws(InkFormatError) -> DrawnFile in
      var scanner = XMLScanner(buffer, path: input.path)
      return try body(&scanner)
    }
  }

  /// Reads a file of JSON, an object with a certain key.
  ///
  /// - Parameter content: What the file holds; nil where the key is not there.
  init<Content>(
    json input: InkInput, of program: String, key: String,
    content: (JSONValue) -> Content?, _ body: (Content) throws(InkFormatError) -> DrawnFile
  ) throws(InkFormatError) {
    guard let content = content(try JSONValue(document: try input.content(), path: input.path))
    else {
      throw InkFormatError(
        .missingKey, at: SourceLocation(path: input.path), expected: "the array \(key)",
        found: "a document without it", advice: "check that the file is of \(program)")
    }
    self = try body(content)
  }
}

extension BoundingBox {
  fileprivate var isFinite: Bool {
    minX.isFinite && minY.isFinite && maxX.isFinite && maxY.isFinite
  }
}

/// The files of a format of drawings, read one at a time.
struct DrawnFiles: Sendable {
  typealias Element = Result<InkRecord, InkFormatError>
  /// Reads a file.
  typealias Parse = @Sendable (InkInput) throws(InkFormatError) -> DrawnFile

  /// The values of `unit` that a drawing has.
  static let units: [InkUnit] = [.page, .file, .group, .stroke]

  private let files: InkFiles
  private let sign: Double
  private let unit: InkUnit?
  private let withTypedPages: Bool
  private let parse: Parse

  /// Takes the files of a format of drawings.
  init(
    _ files: InkFiles, yAxis: YAxis, unit: InkUnit?, withTypedPages: Bool,
    parse: @escaping Parse
  ) {
    self.files = files
    self.withTypedPages = withTypedPages
    sign = yAxis == .up ? -1 : 1
    self.unit = unit
    self.parse = parse
  }

  func makeIterator() -> AnyIterator<Element> {
    files.makeIterator { (input: InkInput) -> RecordList in
      Self.records(
        of: input, sign: sign, unit: unit, withTypedPages: withTypedPages, parse: parse)
    }
  }

  /// Returns the records of a file. Each is made when it is asked for, so that a large file is only
  /// in memory in its packed form.
  static func records(
    of input: InkInput, sign: Double = 1, unit: InkUnit? = nil, withTypedPages: Bool = false,
    parse: Parse
  ) -> RecordList {
    let place = SourceLocation(path: input.path)
    let file: DrawnFile
    do throws(InkFormatError) {
      file = try parse(input)
    } catch {
      return RecordList([.failure(error)])
    }
    let items = file.items(unit).enumerated().compactMap { index, item -> DrawnFile.Item? in
      var item = item
      item.index = index
      item.dropEmptyStrokes()
      item.isTyped = withTypedPages && !item.texts.isEmpty
      return item.strokes.isEmpty && item.problem == nil && !item.isTyped ? nil : item
    }
    guard !items.isEmpty else {
      let isTyped = file.pages.contains { !$0.texts.isEmpty }
      return RecordList([
        .failure(
          InkFormatError(
            .emptyInk, at: place, expected: "at least one stroke",
            found: isTyped ? "typed text alone" : "none",
            advice: "check that the drawing has freehand strokes"))
      ])
    }
    let warnings = file.warnings
    let warned = items.firstIndex { !$0.isProblem && $0.hasFinitePositions }
    return RecordList(count: items.count) { number in
      items[number].record(
        at: place, source: input.source, sign: sign, warnings: number == warned ? warnings : [])
    }
  }
}

extension DrawnFile.Item {
  /// True if nothing of the item could be read.
  fileprivate var isProblem: Bool { strokes.isEmpty && !isTyped && problem != nil }

  fileprivate var hasFinitePositions: Bool { strokes.allSatisfy(\.hasFinitePositions) }

  fileprivate mutating func dropEmptyStrokes() {
    let places = strokes.indices.filter { strokes[$0].count > 0 }
    guard places.count < strokes.count else { return }
    (strokes, pens) = (places.map { strokes[$0] }, places.map { pens[$0] })
  }

  /// The record of the item.
  ///
  /// - Parameter sign: -1 where the y axis of the file grows upward.
  fileprivate func record(
    at place: SourceLocation, source: String, sign: Double, warnings: [InkFormatError]
  ) -> Result<InkRecord, InkFormatError> {
    // A page without any ink that could be read is its problem.
    if isProblem, let problem { return .failure(problem) }
    guard hasFinitePositions else {
      return .failure(
        InkFormatError(
          .nonFiniteNumber, at: place, expected: "finite coordinates", found: "NaN or infinity",
          advice: "correct or remove the file"))
    }
    var ink = Ink(strokes: strokes.map(\.stroke))
    if sign < 0 {
      for stroke in ink.strokes.indices {
        for point in ink.strokes[stroke].points.indices {
          ink.strokes[stroke].points[point].y *= sign
        }
      }
    }
    var record = InkRecord(
      labeled: LabeledInk(ink: ink, label: label ?? "", writer: writer),
      location: place, source: source, indexInSource: index, id: id,
      warnings: warnings + (problem.map { [$0] } ?? []),
      penWidth: InkRecord.penWidth(of: pens.map { $0.width ?? 0 }))
    if pens.contains(where: { $0 != InkRecord.Pen() }) { record.pens = pens }
    record.texts = texts.filter { $0.box.isFinite }
    record.sheet = sheet
    guard sign < 0 else { return .success(record) }
    record.sheet = sheet.map { BoundingBox(minX: 0, minY: -$0.maxY, maxX: $0.maxX, maxY: 0) }
    record.texts = record.texts.map { text in
      let box = text.box
      return PlacedText(
        text: text.text,
        box: BoundingBox(minX: box.minX, minY: -box.maxY, maxX: box.maxX, maxY: -box.minY))
    }
    return .success(record)
  }
}

extension JSONValue {
  /// Parses a document. O(bytes) memory; nesting is bounded.
  init(document bytes: [UInt8], path: String) throws(InkFormatError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InkFormatError) -> JSONValue in
      var scanner = JSONScanner(document: buffer, path: path)
      let tree = try scanner.tree()
      try scanner.end()
      return tree
    }
  }
}
