import InkCore
import InkFormats

extension DataSpecification {
  /// Opens the data and selects its records.
  ///
  /// If writers must be split by their hashes, a first pass over the data counts the records of
  /// each writer, without keeping them.
  ///
  /// - Parameter unlabelled: true if ink without a label is a record, as for reading and
  ///   converting. Otherwise it is a failure, because it cannot be used for training or scoring.
  /// - Throws: ``DataError`` for a split that cannot be made, `InkFormatError` for data that
  ///   cannot be opened. Bad records are failures of the sequence.
  package func records(unlabelled: Bool = false) throws -> DataRecords {
    try records(unlabelled: unlabelled, noting: nil)
  }

  /// Opens the data, and notes the keys of records if something keeps them.
  func records(unlabelled: Bool, noting noted: NotedKeys?) throws -> DataRecords {
    let part = try resolvedSplit()
    let splitFile = try splits.map { try SplitFile(named: $0) }
    let decisionUse = try decisions.map {
      DecisionUse(try DecisionFile(path: Self.locate($0)), name: "decisions=\($0)")
    }
    let table = try texts.map { try TextTable(path: Self.locate($0)) }
    let read = Self.reading(try kept(part, splitFile), table)
    let decided = try deciding(read, decisionUse, noted, part, splitFile, table)
    var makeReader = unlabelled ? decided : Self.requiringLabels(decided, table)
    if let virtualWriters {
      let virtual = VirtualRecords(
        writers: virtualWriters, seed: starter.seed, part: part, composesKana: composesKana)
      makeReader = { [makeReader] in virtual.records(of: makeReader()) }
    }
    let rule: DataRecords.SplitRule
    if part == .all || virtualWriters != nil {
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
        ? try starterSet().recordsByWriter()
        : countWriters(
          part, splitFile, unlabelled: unlabelled, (decisionUse == nil ? makeReader : read))
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
      splitsByFile: format.splitsByFile, cutsPages: cutsPages, relabels: relabels,
      decisionUse: decisionUse)
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

  /// Adds the texts of a table to records.
  private static func reading(
    _ makeReader: @escaping () -> AnyIterator<DataRecords.Element>, _ texts: TextTable?
  ) -> () -> AnyIterator<DataRecords.Element> {
    guard let texts else { return makeReader }
    return {
      let records = makeReader().lazy.map { element in
        element.map { record in
          guard let text = texts.text(of: record) else { return record }
          var record = record
          record.labeled.label = text
          // It is of the characters of another label.
          record.segmentation = nil
          return record
        }
      }
      return AnyIterator(records.makeIterator())
    }
  }

  /// Applies decisions to records, and notes their keys, if asked to.
  private func deciding(
    _ makeReader: @escaping () -> AnyIterator<DataRecords.Element>, _ use: DecisionUse?,
    _ noted: NotedKeys?, _ part: DataSplit, _ splitFile: SplitFile?, _ texts: TextTable?
  ) throws -> () -> AnyIterator<DataRecords.Element> {
    guard use != nil || noted != nil else { return makeReader }
    var places: [String: InkKey]?
    if readsOnly(part, splitFile) {
      // Equal inks are counted over all parts.
      let whole = try namingFolder { try reader(part: .all, splitFile: splitFile) }
      places = RecordKeys.places(
        of: Self.reading(whole, texts)(),
        noted != nil ? nil : use.map { Set($0.decisions.keys.map(\.fingerprint)) })
    }
    return { [places] in
      var records = makeReader()
      if let noted { records = AnyIterator(NotingRecords(records, noted, places: places)) }
      if let use { records = AnyIterator(DecidedRecords(records, use, places: places)) }
      return records
    }
  }

  /// Makes records without a label failures.
  private static func requiringLabels(
    _ makeReader: @escaping () -> AnyIterator<DataRecords.Element>, _ texts: TextTable?
  ) -> () -> AnyIterator<DataRecords.Element> {
    return {
      AnyIterator(makeReader().lazy.map { $0.flatMap { labelled($0, texts) } }.makeIterator())
    }
  }

  /// A record that has a label; a failure for one that has none.
  private static func labelled(_ record: InkRecord, _ texts: TextTable?) -> DataRecords.Element {
    guard !record.isLabelled else { return .success(record) }
    return .failure(
      InkFormatError(
        texts == nil ? .missingKey : .missingTranscription, at: record.location,
        expected: texts.map { "a text of the ink in \($0.name)" } ?? "a label",
        found: "ink without one",
        advice: texts == nil
          ? "name a table of texts, texts=FILE.tsv; 'ductus recognize' reads unlabelled ink"
          : "add a line with the file's name or the ink's id"))
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

  /// Counts the records of each writer, unless the pool knows them already.
  private func countWriters(
    _ part: DataSplit, _ splitFile: SplitFile?, unlabelled: Bool,
    _ makeReader: () -> AnyIterator<DataRecords.Element>
  ) -> [String: Int] {
    guard let pool = keeper.pool else { return Self.countWriters(makeReader()) }
    let selection = DataPool.Selection(
      key: poolKey(part: part, splitFile: splitFile), unlabelled: unlabelled, texts: texts,
      decisions: decisions)
    return pool.countOfWriters(selection) { Self.countWriters(makeReader()) }
  }

  /// Opens the data, unless its pool has it already.
  private func kept(
    _ part: DataSplit, _ splitFile: SplitFile?
  ) throws -> () -> AnyIterator<DataRecords.Element> {
    guard let pool = keeper.pool else {
      return try namingFolder { try reader(part: part, splitFile: splitFile) }
    }
    let reading = try pool.reading(poolKey(part: part, splitFile: splitFile)) {
      try namingFolder { try reader(part: part, splitFile: splitFile) }
    }
    return reading.records
  }

  /// Returns the key of everything that decides which records the reader gives.
  private func poolKey(part: DataSplit, splitFile: SplitFile?) -> DataPool.Key {
    var key = DataPool.Key(
      format: format, path: Self.locate(path), categories: categories, level: level,
      unit: fileUnit,
      yAxis: yAxis, starter: starter)
    if format == .starter {
      key.made = DataPool.Made(
        labels: labels, limit: limit, area: area, isWhole: splits != nil || fold != nil)
    }
    if readsOnly(part, splitFile) {
      key.part = part
      if format == .unipen { key.splits = splits }
    }
    return key
  }

  /// True if the reader only gives or makes the records of one part.
  private func readsOnly(_ part: DataSplit, _ splitFile: SplitFile?) -> Bool {
    guard part != .all else { return false }
    switch format {
    case .unipen: return splitFile?.sources.isEmpty == false
    case .iamOnDB: return usesOfficialSplit
    case .starter: return splits == nil && fold == nil
    default: return false
    }
  }

  /// Opens the data in its format.
  private func reader(
    part: DataSplit, splitFile: SplitFile?
  ) throws -> () -> AnyIterator<DataRecords.Element> {
    let place = Self.locate(path)
    switch format {
    case .unipen:
      var reader = try UNIPENReader(
        folder: place, categories: categories, yAxis: yAxis, level: level, unit: unit)
      if part != .all, let splitFile, !splitFile.sources.isEmpty {
        let files = splitFile.sources.filter { source, split in
          split == part && isInCategories(source)
        }
        // A file that the table names and the folder lacks is read too: it yields a failure.
        reader = UNIPENReader(folder: place, segmentFiles: files.keys.sorted(), yAxis: yAxis)
          .reading(level: level, unit: unit)
      }
      return { [reader] in reader.makeIterator() }
    case .iamOnDB:
      let reader = try IAMOnDBReader(
        folder: place, part: usesOfficialSplit ? Self.officialPart(part) : nil,
        yAxis: yAxis ?? .down)
      return unit == .page
        ? { AnyIterator(PagesOfLines(reader.makeIterator())) } : reader.makeIterator
    case .dollar: return try file(.gestureXML, place)
    case .inkML: return try file(.inkML, place)
    // Its files have a label each, the number of the page: symbols are the records.
    case .flowchart: return try file(.inkML, place, unit: unit ?? .group)
    case .jiix: return try file(.jiix, place)
    case .ndjson: return try file(.strokeLines, place)
    case .quickdraw: return try file(.quickDraw, place)
    case .ink: return try file(.jsonLines, place)
    case .xournal: return try file(.xournal, place)
    case .svg: return try file(.svg, place)
    case .excalidraw: return try file(.excalidraw, place)
    case .tldraw: return try file(.tldraw, place)
    case .zinnia: return try file(.zinnia, place)
    case .tegaki: return try file(.tegaki, place)
    case .json: return try file(.strokeJSON, place)
    case .remarkable: return try file(.remarkable, place)
    case .rnote: return try file(.rnote, place)
    case .uim: return try file(.uim, place)
    case .will: return try file(.will, place)
    case .saber: return try file(.saber, place)
    case .butterfly: return try file(.butterfly, place)
    case .supernote: return try file(.supernote, place)
    case .isf: return try file(.isf, place)
    case .pdf: return try file(.pdf, place)
    case .penTable: return try file(.penTable, place)
    case .tomoe, .kanjivg:
      let reader = try CharacterStrokesReader(
        format == .tomoe ? .tomoe : .kanjivg, path: place, yAxis: yAxis ?? .down)
      return reader.makeIterator
    case .omniglot:
      let reader = try OmniglotReader(folder: place, yAxis: yAxis ?? .up)
      return reader.makeIterator
    case .starter:
      let set = try starterSet()
      let made = splits == nil && fold == nil ? part : .all
      return { set.records(of: made) }
    }
  }

  private func file(
    _ format: InkFileFormat, _ place: String, unit: InkUnit? = nil
  ) throws -> () -> AnyIterator<DataRecords.Element> {
    try InkReader(format, path: place, unit: unit ?? fileUnit, yAxis: yAxis).makeIterator
  }

  /// True if the records of the format are pages, and lines are asked for.
  private var cutsPages: Bool { unit == .line && format.cutsPages }

  /// The unit that the reader of the format gives.
  private var fileUnit: InkUnit? { cutsPages ? .page : unit }

  /// True if the parts are those of the official split.
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
