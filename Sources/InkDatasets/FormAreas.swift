import Foundation
import InkCore
import InkFormats

/// Estimates the writing areas of the characters of each file from the others in that file.
///
/// Holds the records of one file at a time. See ``FormAreaEstimator``.
struct FormAreas: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  private var base: AnyIterator<Element>
  private let readsLabels: Bool
  private var group: [Element] = []
  private var position = 0
  private var ahead: Element?

  /// - Parameter readsLabels: True to use the labels of the others.
  init(_ base: AnyIterator<Element>, readsLabels: Bool) {
    self.base = base
    self.readsLabels = readsLabels
  }

  mutating func next() -> Element? {
    if position == group.count {
      readGroup()
      guard !group.isEmpty else { return nil }
    }
    defer { position += 1 }
    return group[position]
  }

  private mutating func readGroup() {
    group.removeAll(keepingCapacity: true)
    position = 0
    var source: String?
    while let element = ahead ?? base.next() {
      ahead = nil
      if case .success(let record) = element {
        guard source == nil || source == record.source else {
          ahead = element
          break
        }
        source = record.source
      }
      group.append(element)
    }
    var boxes: [BoundingBox?] = []
    var labels: [String] = []
    for element in group {
      let record = try? element.get()
      boxes.append(record?.level == .character ? record?.labeled.ink.boundingBox : nil)
      labels.append(record?.labeled.label ?? "")
    }
    let areas =
      readsLabels
      ? FormAreaEstimator.areas(for: boxes, labels: labels) : FormAreaEstimator.areas(for: boxes)
    for (index, area) in areas.enumerated() {
      guard case .success(var record) = group[index] else { continue }
      record.labeled.writingArea = area
      group[index] = .success(record)
    }
  }
}

/// Scales the writing areas of records about their middles, each by its own factor, to measure the
/// cost of wrong areas.
struct AreaScaling: IteratorProtocol {
  private var records: AnyIterator<DataRecords.Element>
  private let factors: ClosedRange<Double>
  /// The factors are the same in each pass over the data.
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
