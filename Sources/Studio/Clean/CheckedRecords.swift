import InkDatasets
import InkFormats

/// The records of a wall, read from their files again and compared with the wall.
///
/// Not thread-safe.
final class CheckedRecords: IteratorProtocol {
  private let base: AnyIterator<KeyedRecords.Element>
  private let table: InkTable
  private var position = 0
  /// True if the data is no longer that of the wall.
  private(set) var isOtherData = false

  /// - Throws: The errors of opening the data.
  init(_ data: DataSpecification, _ table: InkTable) throws {
    base = try data.keyedRecords().makeIterator()
    self.table = table
  }

  /// The next ink of the wall with its record; nil at the end, or if the data is another.
  func next() -> (ink: Int, record: InkRecord)? {
    guard !isOtherData, position < table.count else { return nil }
    while let element = base.next() {
      guard case .success(let (record, key)) = element else { continue }
      guard key == table.keys[position] else { break }
      defer { position += 1 }
      return (position, record)
    }
    isOtherData = true
    return nil
  }

  /// Throws if the data was another one.
  ///
  /// - Throws: ``StudioError`` of code `conflict`.
  func check() throws(StudioError) {
    guard isOtherData else { return }
    throw StudioError(.conflict, "the data has changed since it was opened; open it again")
  }
}
