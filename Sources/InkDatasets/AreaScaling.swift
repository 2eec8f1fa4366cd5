import Foundation
import InkCore

/// Records whose writing areas are too tall or too low about the same middle, each by a factor of
/// its own: what a wrong area costs is measured on them.
struct AreaScaling: IteratorProtocol {
  private var records: AnyIterator<DataRecords.Element>
  private let factors: ClosedRange<Double>
  /// The factors are the same in every pass over the data.
  private var generator = SeededGenerator(seed: 1)

  /// - Parameter factors: Above 0; their logarithms are uniform.
  init(_ records: AnyIterator<DataRecords.Element>, factors: ClosedRange<Double>) {
    self.records = records
    self.factors = factors
  }

  mutating func next() -> DataRecords.Element? {
    guard let element = records.next() else { return nil }
    let part = Double(generator.uniform())
    let factor = factors.lowerBound * pow(factors.upperBound / factors.lowerBound, part)
    return element.map { record in
      var record = record
      record.labeled.writingArea = record.labeled.writingArea.flatMap {
        try? WritingArea(
          x: $0.x, y: $0.y + $0.height * (1 - factor) / 2, width: $0.width,
          height: $0.height * factor)
      }
      return record
    }
  }
}
