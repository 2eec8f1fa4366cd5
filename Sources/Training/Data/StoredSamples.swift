import Features
import Files
import InkCore
import InkDatasets
import InkFormats

/// The samples of a reading: 24 bytes of memory for each, and the ink in a store, from which it is
/// decoded when it is used.
struct StoredSamples: RandomAccessCollection, Sendable {
  /// The facts of a sample that need no ink. Bytes of an index become rows, so that any bits must be
  /// a row.
  struct Row: BitwiseCopyable {
    var place: RecordStore.Place
    /// The bytes of the record.
    var size: UInt32
    /// Index into the labels.
    var label: UInt32
    /// Index into the writers; `noWriter` for none.
    var writer: UInt32
    /// The place of the level among all levels; `noLevel` for none.
    var level: UInt8
    /// The place of the format among all formats.
    var format: UInt8
    /// 1 if the ink has a page.
    var hasPage: UInt8
    var reserved: UInt8 = 0

    static let noWriter = UInt32.max
    static let noLevel = UInt8.max
  }

  private(set) var rows: [Row] = []
  /// The different labels, in the order in which they were first read.
  private(set) var labels: [String] = []
  /// The different writers, in the order in which they were first read. The same name in different
  /// data counts as different people.
  private(set) var writers: [TrainingReading.Writer] = []
  /// The ink.
  let store: RecordStore
  private var labelPlaces: [String: UInt32] = [:]
  private var writerPlaces: [TrainingReading.Writer: UInt32] = [:]

  /// Makes an empty collection.
  init(in store: RecordStore = RecordStore()) { self.store = store }

  /// Makes the samples of an index.
  init(
    _ rows: [Row], labels: [String], writers: [TrainingReading.Writer], in store: RecordStore
  ) {
    (self.rows, self.labels, self.writers, self.store) = (rows, labels, writers, store)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }

  /// Decodes a sample. O(points).
  subscript(index: Int) -> TrainingReading.Sample {
    let row = rows[index]
    var trajectory = Trajectory()
    let (area, page) = store.withBytes(at: row.place) { bytes in
      (
        SampleRecord.load(bytes, into: &trajectory),
        row.hasPage == 0 ? nil : SampleRecord.page(bytes)
      )
    }
    let writer = row.writer == Row.noWriter ? nil : writers[Int(row.writer)]
    let label = labels[Int(row.label)]
    return TrainingReading.Sample(
      trajectory: trajectory, area: area, label: label,
      level: row.level == Row.noLevel ? nil : InkRecord.Level.allCases[Int(row.level)],
      writer: writer, format: format(of: index),
      page: page.map { page in
        var page = page
        page.labeled.label = label
        page.labeled.writer = writer?.name
        return page
      })
  }

  /// The label of a sample. O(1).
  func label(of index: Int) -> String { labels[Int(rows[index].label)] }

  /// The format of the data that a sample is from. O(1).
  func format(of index: Int) -> DataFormat { DataFormat.allCases[Int(rows[index].format)] }

  /// Adds a sample.
  mutating func append(_ sample: TrainingReading.Sample) {
    let record = SampleRecord(sample.trajectory, area: sample.area, page: sample.page)
    let place = store.append(count: record.size, record.write)
    rows.append(
      Row(
        place: place, size: UInt32(record.size),
        label: Self.place(sample.label, &labels, &labelPlaces),
        writer: sample.writer.map { Self.place($0, &writers, &writerPlaces) } ?? Row.noWriter,
        level: sample.level.flatMap(InkRecord.Level.allCases.firstIndex).map { UInt8($0) }
          ?? Row.noLevel,
        format: UInt8(DataFormat.allCases.firstIndex(of: sample.format) ?? 0),
        hasPage: sample.page == nil ? 0 : 1))
  }

  private static func place<Value: Hashable>(
    _ value: Value, _ values: inout [Value], _ places: inout [Value: UInt32]
  ) -> UInt32 {
    if let place = places[value] { return place }
    let place = UInt32(values.count)
    values.append(value)
    places[value] = place
    return place
  }
}
