/// The best hypotheses of a time step, as a heap whose root is the worst of them.
///
/// A hypothesis that is not better than the worst one is known to be useless before the language
/// model is asked about it. Not thread-safe.
struct BestHypotheses: ~Copyable {
  /// A hypothesis with its order: by mass, and for equal masses by age.
  struct Entry: BitwiseCopyable {
    var mass: Double
    var node: Int32

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool {
      a.mass != b.mass ? a.mass < b.mass : a.node > b.node
    }
  }

  private var entries = ScratchList<Entry>()
  /// The best mass; 0 without hypotheses.
  private(set) var best = 0.0

  /// The number of hypotheses.
  @inline(__always)
  var count: Int { entries.count }

  /// A hypothesis by its place, 0 ..< count, in no order.
  @inline(__always)
  subscript(_ place: Int) -> Entry { entries[place] }

  /// Forgets all hypotheses.
  mutating func removeAll() {
    entries.shorten(to: 0)
    best = 0
  }

  /// Adds a hypothesis before the heap is in order. O(1).
  @inline(__always)
  mutating func append(_ mass: Double, _ node: Int32) {
    entries.append(Entry(mass: mass, node: node))
    best = max(best, mass)
  }

  /// Orders the heap for at most `limit` hypotheses, and removes the worst if there are more. O(n)
  /// and O(log n) for each that is removed.
  mutating func order(_ limit: Int) {
    for place in stride(from: count / 2 - 1, through: 0, by: -1) {
      settle(entries[place], from: place)
    }
    while count > limit {
      let last = entries[count - 1]
      entries.shorten(to: count - 1)
      settle(last, from: 0)
    }
  }

  /// The mass that a further hypothesis must exceed.
  @inline(__always)
  func floor(_ limit: Int, _ margin: Double) -> Double {
    count < limit ? best * margin : max(best * margin, entries[0].mass)
  }

  /// Adds a hypothesis whose mass exceeds the floor, in place of the worst one if there are `limit`.
  /// O(log n).
  @inline(__always)
  mutating func insert(_ mass: Double, _ node: Int32, _ limit: Int) {
    let entry = Entry(mass: mass, node: node)
    best = max(best, mass)
    guard count < limit else { return settle(entry, from: 0) }
    var place = count
    entries.append(entry)
    while place > 0, entry < entries[(place - 1) / 2] {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = entry
  }

  /// Puts an entry into the subtree below a free place.
  private func settle(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < count else { break }
      if child + 1 < count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
