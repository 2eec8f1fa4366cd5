import Files
import Foundation
import InkCore
import InkFormats

/// The records of some data, read from disk once and kept packed for further readings.
///
/// Training reads the same data several times: to count writers, for training, for validation, and to
/// score the model. Data named with ``DataSpecification/kept(in:)`` is parsed by the first of them, as
/// far as it gets. Data of which more than ``limit`` bytes would be kept is read again each time, if
/// it can be: a pipe cannot. Thread-safe.
package final class DataPool: Sendable {
  typealias Element = Result<InkRecord, InkFormatError>

  /// The part of a specification that decides which records a reader gives.
  struct Key: Hashable, Sendable {
    var format: DataFormat
    var path: String
    var categories: [String]?
    var level: String?
    var unit: InkUnit?
    var yAxis: YAxis?
    var starter: StarterOptions
    /// Everything else that decides which records the starter set makes.
    var made: Made?
    /// The part, where readers read no other, and the split file that says so.
    var part: DataSplit?
    var splits: String?
  }

  /// The keys of a specification that the starter set makes its records by.
  struct Made: Hashable, Sendable {
    var labels: String?
    var limit: Int?
    var area: AreaSource
    /// True if the part is selected after all records are made.
    var isWhole: Bool
  }

  private let readings = Guarded<[Key: Reading]>([:])
  private let writers = Guarded<[Selection: [String: Int]]>([:])
  private let limit: Int

  /// The records that are counted by writer.
  struct Selection: Hashable, Sendable {
    var key: Key
    var unlabelled: Bool
    var texts: String?
    var decisions: String?
  }

  /// Makes an empty pool.
  ///
  /// - Parameter limit: The most bytes of points that are kept of some data.
  package init(limit: Int = 128 << 20) {
    self.limit = limit
  }

  /// The records of each writer, which are counted once.
  func countOfWriters(
    _ selection: Selection, _ count: () -> [String: Int]
  ) -> [String: Int] {
    if let known = writers.withLock({ $0[selection] }) { return known }
    let counts = count()
    writers.withLock { $0[selection] = counts }
    return counts
  }

  /// The reading of some data, which is opened if it was not before.
  func reading(_ key: Key, open: () throws -> () -> AnyIterator<Element>) rethrows -> Reading {
    if let reading = readings.withLock({ $0[key] }) { return reading }
    let new = Reading(try open(), limit: Self.canReadAgain(key.path) ? limit : .max)
    return readings.withLock { readings in
      let reading = readings[key] ?? new
      readings[key] = reading
      return reading
    }
  }

  /// False for a pipe or a terminal, whose bytes are gone once they are read.
  private static func canReadAgain(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// One reader and what it has given so far.
  final class Reading: Sendable {
    // Unchecked because the reader comes from outside, and is used here only.
    private struct State: @unchecked Sendable {
      var reader: AnyIterator<Element>?
      var elements: [Result<Packed, InkFormatError>] = []
      /// The bytes of the points of these elements.
      var bytes = 0
      /// True if nothing is kept any more.
      var isTooLarge = false
    }

    // Unchecked because the closure comes from outside; it only opens files.
    private struct Source: @unchecked Sendable {
      var open: () -> AnyIterator<Element>
    }

    private enum Found {
      case new(Element)
      case packed(Result<Packed, InkFormatError>)
      /// The reader to go on with alone, if it is where this iterator is.
      case alone(AnyIterator<Element>?)
    }

    private let state: Guarded<State>
    private let source: Source
    private let limit: Int

    init(_ open: @escaping () -> AnyIterator<Element>, limit: Int) {
      source = Source(open: open)
      state = Guarded(State(reader: open()))
      self.limit = limit
    }

    /// An iterator at the first record.
    func records() -> AnyIterator<Element> {
      var next = 0
      var own: AnyIterator<Element>?
      return AnyIterator { [self] in
        if let own { return own.next() }
        switch element(next) {
        case .new(let element)?:
          next += 1
          return element
        case .packed(let packed)?:
          next += 1
          return packed.map(\.record)
        case .alone(let reader?)?:
          own = reader
          return reader.next()
        case .alone(nil)?:
          let reader = source.open()
          for _ in 0..<next { _ = reader.next() }
          own = reader
          return reader.next()
        case nil: return nil
        }
      }
    }

    private func element(_ index: Int) -> Found? {
      state.withLock { state -> Found? in
        if state.isTooLarge { return .alone(nil) }
        if index < state.elements.count { return .packed(state.elements[index]) }
        guard let element = state.reader?.next() else {
          state.reader = nil
          return nil
        }
        if case .success(let record) = element {
          state.bytes += 24 * record.labeled.ink.pointCount + MemoryLayout<InkRecord>.size
        }
        guard state.bytes <= limit else {
          // The other iterators open the data themselves, and skip what they have had.
          let rest = state.reader
          state = State(isTooLarge: true)
          var first: Element? = element
          return .alone(
            AnyIterator {
              defer { first = nil }
              return first ?? rest?.next()
            })
        }
        state.elements.append(element.map(Packed.init))
        return .new(element)
      }
    }
  }

  /// A record whose ink is packed.
  fileprivate struct Packed: Sendable {
    private let rest: InkRecord
    private let ink: PackedInk

    init(_ record: InkRecord) {
      var rest = record
      rest.labeled.ink = Ink()
      self.rest = rest
      ink = PackedInk(record.labeled.ink)
    }

    var record: InkRecord {
      var record = rest
      record.labeled.ink = ink.ink
      return record
    }
  }
}

/// The pool of a specification. It is no part of what the specification names, and all are equal.
struct PoolReference: Hashable, Sendable {
  var pool: DataPool?

  static func == (first: PoolReference, second: PoolReference) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension DataSpecification {
  /// The same data, whose records are read from disk once for all that are kept in one pool.
  package func kept(in pool: DataPool) -> DataSpecification {
    var copy = self
    copy.keeper.pool = pool
    return copy
  }
}
