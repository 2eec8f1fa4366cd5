import InkCore
import InkFormats

/// Gives the characters of each file writing areas estimated from the others of that file.
///
/// Holds the records of one file at a time.
struct FormAreas: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  private var base: AnyIterator<Element>
  private var group: [Element] = []
  private var position = 0
  private var ahead: Element?

  init(_ base: AnyIterator<Element>) {
    self.base = base
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
    let boxes = group.map { element -> BoundingBox? in
      guard case .success(let record) = element, record.level == .character else { return nil }
      return record.labeled.ink.boundingBox
    }
    for (index, area) in FormAreaEstimator.areas(for: boxes).enumerated() {
      guard case .success(var record) = group[index] else { continue }
      record.labeled.writingArea = area
      group[index] = .success(record)
    }
  }
}
