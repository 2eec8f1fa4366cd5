/// A list of plain values whose memory is kept for the next use.
///
/// An array in a class is checked for references to it and for overlapping access whenever it is
/// used; this list is not, because it has one owner. Not thread-safe.
struct ScratchList<Element: BitwiseCopyable>: ~Copyable {
  private var memory: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// The number of values.
  private(set) var count = 0

  /// Makes an empty list.
  init() {
    capacity = 64
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// The values in order; valid until the list grows.
  @inline(__always)
  var pointer: UnsafeMutablePointer<Element> { memory }

  /// A value by its place, 0 ..< count.
  @inline(__always)
  subscript(_ place: Int) -> Element {
    get { memory[place] }
    nonmutating set { memory[place] = newValue }
  }

  /// Appends a value. O(1) on average.
  @inline(__always)
  mutating func append(_ value: Element) {
    if count == capacity { grow(to: 2 * capacity) }
    (memory + count).initialize(to: value)
    count += 1
  }

  /// Removes the values from a number on.
  @inline(__always)
  mutating func shorten(to kept: Int) { count = kept }

  /// Makes a list of equal values.
  mutating func fill(_ value: Element, count: Int) {
    if count > capacity { grow(to: count) }
    memory.initialize(repeating: value, count: count)
    self.count = count
  }

  private mutating func grow(to more: Int) {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: more)
    new.initialize(from: memory, count: count)
    memory.deallocate()
    (memory, capacity) = (new, more)
  }
}
