import Foundation
import InkCore
import InkFormats
import InkSynthesis

/// The characters of some data, written by virtual writers.
///
/// One drawing of each character is enough: every writer writes each label once, in one of the forms
/// that the data has for it. Each ink depends only on the forms of its label, the seed and the number
/// of the writer. Of ten consecutive writers, eight belong to train, one to val, one to test.
struct VirtualRecords: Sendable {
  /// The number of writers of all parts.
  let writers: Int
  /// The seed of everything random.
  let seed: UInt64
  /// The part whose writers write.
  let part: DataSplit
  /// True if the writers also write voiced and small kana that the data lacks.
  let composesKana: Bool

  /// The part that a writer belongs to.
  static func part(ofWriter index: Int) -> DataSplit {
    switch index % 10 {
    case 8: .val
    case 9: .test
    default: .train
    }
  }

  /// The number of a label, the same in all data.
  static func address(of label: String) -> UInt64 {
    // FNV-1a, whose values do not change between processes as those of Hasher do.
    label.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the inks of the writers, one writer after the other, after the failures of the data.
  /// Holds one form for each record of the data. O(points).
  func records(of data: AnyIterator<DataRecords.Element>) -> AnyIterator<DataRecords.Element> {
    let maker = Maker(self, data)
    return AnyIterator { maker.next() }
  }

  /// Reads the forms when the first ink is asked for.
  private final class Maker {
    private let set: VirtualRecords
    private let data: AnyIterator<DataRecords.Element>
    private var forms: [Prototype] = []
    private var origins: [String: InkRecord] = [:]
    private var library: PrototypeLibrary?
    private var writer = 0
    private var label = 0
    private var count = 0

    init(_ set: VirtualRecords, _ data: AnyIterator<DataRecords.Element>) {
      (self.set, self.data) = (set, data)
    }

    func next() -> DataRecords.Element? {
      while library == nil {
        switch data.next() {
        case .success(let record)?: add(record)
        case .failure(let error)?: return .failure(error)
        case nil:
          do {
            library = try PrototypeLibrary(forms: forms, composesKana: set.composesKana)
          } catch {
            library = try? PrototypeLibrary(forms: forms, composesKana: false)
            return .failure(Self.missingMarks(error))
          }
        }
      }
      guard let library, !library.labels.isEmpty else { return nil }
      if label == library.labels.count { (writer, label) = (writer + 1, 0) }
      while writer < set.writers, set.part != .all,
        VirtualRecords.part(ofWriter: writer) != set.part
      {
        writer += 1
      }
      guard writer < set.writers else { return nil }
      defer { label += 1 }
      return .success(record(of: library.labels[label], in: library))
    }

    private func add(_ record: InkRecord) {
      let labeled = record.labeled
      guard
        let form = Prototype(
          ink: labeled.ink, label: labeled.label, area: labeled.writingArea)
      else { return }
      forms.append(form)
      if origins[labeled.label] == nil {
        var origin = record
        origin.labeled.ink = Ink()
        origins[labeled.label] = origin
      }
    }

    private func record(of label: String, in library: PrototypeLibrary) -> InkRecord {
      let address = VirtualRecords.address(of: label)
      var generator = SeededGenerator(seed: set.seed, UInt64(writer), address, 0x1_C4A)
      let written = CharacterWriter(seed: set.seed, index: writer).ink(
        of: library.prototypes[label] ?? [], address: address, using: &generator)
      let origin = origins[label] ?? origins.values.first
      let labeled = LabeledInk(
        ink: written.ink, label: label, writer: "\(set.seed)-\(writer)", writingArea: written.area)
      defer { count += 1 }
      return InkRecord(
        labeled: labeled, location: origin?.location ?? SourceLocation(path: "virtual writers"),
        source: origin?.source ?? "", indexInSource: count, level: .character)
    }

    private static func missingMarks(_ error: any Error) -> InkFormatError {
      InkFormatError(
        .missingFile, at: SourceLocation(path: "Datasets/starter/kana-marks.txt"),
        expected: "the marks of kana", found: "\(error)", advice: "reinstall the package")
    }
  }
}
