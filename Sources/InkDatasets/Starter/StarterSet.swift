import Foundation
import InkCore
import InkFormats

/// Ink that this package makes itself, addressed by seed, writer and number.
///
/// Each record follows from the set's name, labels, seed and its index alone, whatever was made
/// before it. Writers are virtual; of ten in a row, eight belong to train, one to val, one to test.
/// Positions are in tenths of a millimetre, with times, and with force for some writers.
struct StarterSet: Sendable {
  /// What a set shows.
  enum Name: String, Hashable, Sendable, CaseIterable {
    /// Digits, letters and symbols.
    case characters
  }

  /// What the set shows.
  let name: Name
  /// The seed of everything random.
  let seed: UInt64
  /// The number of virtual writers.
  let population: Int
  /// The number of records of all parts.
  let count: Int
  private let library: PrototypeLibrary
  private let labels: [String]
  private let areaMiddle: Double
  private let areaHeight: Double

  /// Makes a set of the labels that `isSelected` takes.
  init(
    name: Name, seed: UInt64, population: Int, count: Int, isSelected: (String) -> Bool
  ) throws {
    self.name = name
    self.seed = seed
    self.population = population
    self.count = count
    let library = try PrototypeLibrary.characters.get()
    self.library = library
    labels = library.labels.filter(isSelected)
    let boxes = labels.compactMap { library.prototypes[$0]?.first?.box }
    areaHeight = 2 * Self.median(boxes.map { max($0.width, $0.height) }, default: 75)
    areaMiddle = Self.median(boxes.map(\.midY), default: 25)
  }

  private static func median(_ values: [Double], default value: Double) -> Double {
    values.isEmpty ? value : values.sorted()[values.count / 2]
  }

  /// The number of the writer of a record: each writes all labels before the next one begins.
  func writerIndex(of index: Int) -> Int {
    labels.isEmpty ? 0 : index / labels.count % population
  }

  /// The part that a record's writer belongs to.
  func part(of index: Int) -> DataSplit {
    switch writerIndex(of: index) % 10 {
    case 8: .val
    case 9: .test
    default: .train
    }
  }

  /// The record at an index in 0 ..< count. O(points).
  func record(at index: Int) -> InkRecord {
    let number = index % labels.count
    let label = labels[number]
    let writer = VirtualWriter(seed: seed, index: writerIndex(of: index))
    var generator = SeededGenerator(seed: seed, UInt64(index), 1, 0x1_4B)
    let ink = InkSynthesizer(writer: writer).ink(
      of: library.prototypes[label] ?? [], address: UInt64(number), using: &generator)
    let height = areaHeight * writer.scale * exp(generator.normal(0.1))
    let middle = -(areaMiddle + generator.normal(4)) * writer.scale
    let labeled = LabeledInk(
      ink: ink, label: label, writer: "\(seed)-\(writer.index)",
      writingArea: try? WritingArea(
        x: 0, y: middle - height / 2, width: 10 * height, height: height))
    let place = "starter:\(name.rawValue)"
    return InkRecord(
      labeled: labeled, location: SourceLocation(path: place), source: place,
      indexInSource: index, level: .character)
  }

  /// The records of one part in their order.
  func records(of part: DataSplit) -> AnyIterator<Result<InkRecord, InkFormatError>> {
    var index = 0
    let end = labels.isEmpty ? 0 : count
    return AnyIterator {
      while index < end {
        defer { index += 1 }
        if part == .all || self.part(of: index) == part { return .success(record(at: index)) }
      }
      return nil
    }
  }
}
