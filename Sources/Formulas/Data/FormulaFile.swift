import Files
import Foundation
import InkCore

/// Reads InkML files that hold one formula each, with symbol groups and MathML, as published by the
/// CROHME competitions.
package enum FormulaFile {
  /// Reads all files of a folder, at any depth, in the order of their paths; or one file.
  ///
  /// - Parameter path: A folder or a file.
  /// - Returns: The records, and the errors of the files that could not be read.
  /// - Throws: ``FormulaError/malformedFile(path:what:)`` if nothing is there.
  package static func records(
    at path: String
  ) throws(FormulaError) -> (records: [LabeledFormula], errors: [FormulaError]) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .malformedFile(path: path, what: "expected InkML files, found nothing")
    }
    // An enumerator does not follow a link to a folder.
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let root = path + "/"
    var paths = [path]
    if isFolder.boolValue {
      let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
      paths = names.filter { $0.hasSuffix(".inkml") }.sorted().map { path + "/" + $0 }
    }
    var records: [LabeledFormula] = []
    var errors: [FormulaError] = []
    for path in paths {
      do throws(FormulaError) {
        var record = try record(at: path)
        record.source = folder(of: path, below: root)
        records.append(record)
      } catch {
        errors.append(error)
      }
    }
    return (records, errors)
  }

  /// The first folder of a path below another one; nil if it is directly in it.
  private static func folder(of path: String, below root: String) -> String? {
    guard path.hasPrefix(root) else { return nil }
    let names = path.dropFirst(root.count).split(separator: "/")
    return names.count > 1 ? String(names[0]) : nil
  }

  /// Reads one file.
  ///
  /// - Throws: ``FormulaError/malformedFile(path:what:)``.
  package static func record(at path: String) throws(FormulaError) -> LabeledFormula {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .malformedFile(path: path, what: "expected a readable file")
    }
    var parser = FormulaFileParser()
    do {
      try data.withUnsafeBytes { bytes in
        var reader = XMLReader(bytes.assumingMemoryBound(to: UInt8.self))
        while let tag = try reader.nextTag() { try parser.take(tag, &reader) }
      }
    } catch let problem as XMLProblem {
      throw .malformedFile(
        path: path,
        what: "byte \(problem.offset): expected \(problem.expected), found \(problem.found)")
    } catch {
      throw .malformedFile(path: path, what: "expected InkML")
    }
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard let record = parser.record(named: name) else {
      throw .malformedFile(path: path, what: "expected ink, found none")
    }
    return record
  }
}

/// Collects the parts of one file.
private struct FormulaFileParser {
  private struct Group {
    var label: String?
    var traces: [String] = []
    var href: String?
  }

  private var traces: [Stroke] = []
  private var places: [String: Int] = [:]
  private var truth: String?
  private var writer: String?
  private var groups: [Group] = []
  private var openGroups: [Int] = []
  private var elements: [MathMLElement] = []
  private var math: MathMLElement?

  mutating func take(_ tag: XMLTag, _ reader: inout XMLReader) throws(XMLProblem) {
    let name = tag.name
    if !elements.isEmpty || name == "math" { return takeMath(tag) }
    switch (name, tag.kind) {
    case ("trace", .start):
      let content = try reader.content()
      guard let stroke = Self.stroke(content) else { return }
      if let id = tag["xml:id"] ?? tag["id"] { places[id] = traces.count }
      traces.append(stroke)
    case ("annotation", .start):
      try annotate(tag["type"] ?? "", try reader.content())
    case ("traceGroup", .start):
      openGroups.append(groups.count)
      groups.append(Group())
    case ("traceGroup", .end): _ = openGroups.popLast()
    case ("traceView", .start), ("traceView", .empty):
      if let here = openGroups.last, let trace = tag["traceDataRef"] {
        groups[here].traces.append(trace)
      }
    case ("annotationXML", .start), ("annotationXML", .empty):
      if let here = openGroups.last { groups[here].href = tag["href"] }
    default: break
    }
  }

  private mutating func annotate(_ type: String, _ text: String) throws(XMLProblem) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let here = openGroups.last {
      if type == "truth" { groups[here].label = text }
    } else if type == "truth" {
      truth = truth ?? text
    } else if type == "writer" {
      writer = writer ?? text
    }
  }

  private mutating func takeMath(_ tag: XMLTag) {
    switch tag.kind {
    case .start: elements.append(MathMLElement(tag))
    case .empty: elements.append(MathMLElement(tag)); close()
    case .end: close()
    }
  }

  private mutating func close() {
    guard let element = elements.popLast() else { return }
    if elements.isEmpty {
      math = math ?? element
    } else {
      elements[elements.count - 1].children.append(element)
    }
  }

  /// The points of a trace; nil if there are none. Only the first two channels are read.
  private static func stroke(_ text: String) -> Stroke? {
    let points = text.split(separator: ",").compactMap { part -> StrokePoint? in
      let numbers = part.split(whereSeparator: \.isWhitespace).prefix(2).compactMap { Double($0) }
      return numbers.count == 2 ? StrokePoint(x: numbers[0], y: numbers[1]) : nil
    }
    return points.isEmpty ? nil : Stroke(points: points)
  }

  func record(named name: String) -> LabeledFormula? {
    guard !traces.isEmpty else { return nil }
    var symbols: [FormulaSymbol] = []
    var indices: [String: Int] = [:]
    for group in groups where !group.traces.isEmpty {
      let strokes = group.traces.compactMap { places[$0] }
      guard let label = group.label, strokes.count == group.traces.count else { continue }
      if let href = group.href { indices[href] = symbols.count }
      symbols.append(
        FormulaSymbol(LatexTokens.canonical(label), strokes: Set(strokes).sorted()))
    }
    return LabeledFormula(
      name: name, writer: writer, ink: Ink(strokes: traces), latex: truth ?? "", symbols: symbols,
      layout: math?.layout(symbols, indices))
  }
}
