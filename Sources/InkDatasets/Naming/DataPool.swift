import Files
import InkCore
import InkFormats

/// The records of some data, read from disk once and kept packed for further readings.
///
/// Training reads the same data several times: to count writers, for training, for validation, and to
/// score the model. Data named with ``DataSpecification/kept(in:)`` is parsed by the first of them, as
/// far as it gets. Thread-safe.
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

  /// Makes an empty pool.
  package init() {}

  /// The reading of some data, which is opened if it was not before.
  func reading(_ key: Key, open: () throws -> () -> AnyIterator<Element>) rethrows -> Reading {
    if let reading = readings.withLock({ $0[key] }) { return reading }
    let new = Reading(try open()())
    return readings.withLock { readings in
      let reading = readings[key] ?? new
      readings[key] = reading
      return reading
    }
  }

  /// One reader and what it has given so far.
  final class Reading: Sendable {
    // Unchecked because the reader comes from outside, and is used here only.
    private struct State: @unchecked Sendable {
      var reader: AnyIterator<Element>?
      var elements: [Result<Packed, InkFormatError>] = []
    }

    private let state: Guarded<State>

    init(_ reader: AnyIterator<Element>) {
      state = Guarded(State(reader: reader))
    }

    /// An iterator at the first record.
    func records() -> AnyIterator<Element> {
      var next = 0
      return AnyIterator { [self] in
        defer { next += 1 }
        return element(next)
      }
    }

    private func element(_ index: Int) -> Element? {
      enum Found {
        case new(Element)
        case packed(Result<Packed, InkFormatError>)
      }
      let found = state.withLock { state -> Found? in
        if index < state.elements.count { return .packed(state.elements[index]) }
        guard let element = state.reader?.next() else {
          state.reader = nil
          return nil
        }
        state.elements.append(element.map(Packed.init))
        return .new(element)
      }
      switch found {
      case .new(let element)?: return element
      case .packed(let packed)?: return packed.map(\.record)
      case nil: return nil
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
