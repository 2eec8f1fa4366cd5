import InkCore
import InkFormats

extension DataSpecification {
  /// Opens the data and selects its records.
  ///
  /// Where writers must be split by their hashes, a first pass over the data counts the records of
  /// each writer and keeps nothing else.
  ///
  /// - Throws: ``DataError`` for a split that cannot be made, `InkFormatError` for data that
  ///   cannot be opened. Bad records are failures of the sequence.
  public func records() throws -> DataRecords {
    let part = try resolvedSplit()
    let splitFile = try splits.map { try SplitFile(named: $0) }
    let makeReader = try namingFolder { try reader(part: part, splitFile: splitFile) }
    let rule: DataRecords.SplitRule
    if part == .all {
      rule = .everything
    } else if let splitFile {
      rule = .file(try use(of: splitFile))
    } else if usesOfficialSplit || (format == .starter && fold == nil) {
      // The reader only reads or makes the ink of this part.
      rule = .everything
    } else if splitUnit == .ink {
      rule = .inks(WriterSplit(counts: [:], fold: fold))
    } else {
      let counts =
        format == .starter
        ? try starterSet().recordsByWriter() : Self.countWriters(makeReader())
      let writers = WriterSplit(counts: counts, fold: fold)
      rule = splitUnit == .mixed ? .mixed(writers) : .writers(writers)
    }
    var makeBase: () -> AnyIterator<DataRecords.Element>
    switch (area, format) {
    case (.none, _):
      makeBase = { AnyIterator(makeReader().lazy.map(Self.withoutArea).makeIterator()) }
    case (.form, .unipen), (.text, .unipen):
      makeBase = { [area] in AnyIterator(FormAreas(makeReader(), readsLabels: area == .text)) }
    case (.form, _), (.text, _), (.guides, _): makeBase = makeReader
    }
    if areaScale != 1...1 {
      makeBase = { [makeBase, areaScale] in
        AnyIterator(AreaScaling(makeBase(), factors: areaScale))
      }
    }
    return DataRecords(
      makeBase: makeBase, split: part, rule: rule, labels: try labels.map(WholeMatch.init),
      writers: try writers.map(WholeMatch.init), requiredNote: requiredNote,
      excludedNote: excludedNote, every: every, limit: limit,
      splitsByFile: format.splitsByFile, relabels: relabels)
  }

  /// The counter for the match between a split file and the data. UNIPEN's reader reads only the
  /// files of one part.
  private func use(of splitFile: SplitFile) throws(InkFormatError) -> SplitFileUse {
    let name = splits ?? "splits"
    guard format == .unipen, !splitFile.sources.isEmpty else {
      return SplitFileUse(of: splitFile, name: name)
    }
    let reader = try UNIPENReader(folder: Self.locate(path), categories: categories)
    return SplitFileUse(of: splitFile, name: name, files: reader.segmentFiles) {
      isInCategories($0)
    }
  }

  /// Runs a step that opens the data. If the data does not exist, adds the folder for relative
  /// paths to the advice of the error.
  private func namingFolder<Value>(_ open: () throws -> Value) throws -> Value {
    do {
      return try open()
    } catch let error as InkFormatError
      where error.code == .missingFile && !path.hasPrefix("/") && !path.hasPrefix("~/")
    {
      throw InkFormatError(
        error.code, at: error.location, expected: error.expected, found: error.found,
        advice: "check the path, or set INK_DATASETS to the folder that contains it")
    }
  }

  private static func withoutArea(_ element: DataRecords.Element) -> DataRecords.Element {
    element.map { record in
      var record = record
      record.labeled.writingArea = nil
      return record
    }
  }

  private static func countWriters(
    _ records: AnyIterator<DataRecords.Element>
  ) -> [String: Int] {
    var counts: [String: Int] = [:]
    for case .success(let record) in records {
      if let writer = record.labeled.writer { counts[writer, default: 0] += 1 }
    }
    return counts
  }

  /// Opens the data in its format.
  private func reader(
    part: DataSplit, splitFile: SplitFile?
  ) throws -> () -> AnyIterator<DataRecords.Element> {
    let place = Self.locate(path)
    switch format {
    case .unipen:
      var reader = try UNIPENReader(folder: place, categories: categories, yAxis: yAxis)
      if part != .all, let splitFile, !splitFile.sources.isEmpty {
        let files = splitFile.sources.filter { source, split in
          split == part && isInCategories(source)
        }
        // A file that the table names and the folder lacks is read too: it yields a failure.
        reader = UNIPENReader(folder: place, segmentFiles: files.keys.sorted(), yAxis: yAxis)
      }
      return { [reader] in AnyIterator(reader.makeIterator()) }
    case .iamOnDB:
      let reader = try IAMOnDBReader(
        folder: place, part: usesOfficialSplit ? Self.officialPart(part) : nil,
        yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .dollar:
      let reader = try GestureXMLReader(folder: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .inkML, .flowchart:
      let reader = try InkMLReader(path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .jiix:
      let reader = try JIIXReader(path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .ndjson:
      let reader = try StrokeNDJSONReader(path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .quickdraw:
      let reader = try QuickDrawReader(path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .omniglot:
      let reader = try OmniglotReader(folder: place, yAxis: yAxis ?? .up)
      return reader.makeIterator
    case .starter:
      let set = try starterSet()
      let made = splits == nil && fold == nil ? part : .all
      return { set.records(of: made) }
    case .ink:
      let reader = try InkJSONLinesReader(path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    }
  }

  /// Whether parts are those that the format's owners chose.
  private var usesOfficialSplit: Bool { format == .iamOnDB && splits == nil && fold == nil }

  private static func officialPart(_ split: DataSplit) -> IAMOnDBPart? {
    switch split {
    case .train: .train
    case .val, .val1: .val1
    case .val2: .val2
    case .test: .test
    case .all: nil
    }
  }

  private func isInCategories(_ source: String) -> Bool {
    guard let categories else { return true }
    return categories.contains { source.hasPrefix($0 + "/") }
  }
}
