import Foundation

/// Records of bytes that are added and never change: in memory while they are few, otherwise in
/// unnamed files, which are gone when the process ends. Thread-safe.
package final class RecordStore: Sendable {
  /// The place of a record.
  package struct Place: Hashable, BitwiseCopyable, Sendable {
    fileprivate static let offsetBits: UInt64 = 40
    private var bits: UInt64

    fileprivate init(block: Int, offset: Int) {
      bits = UInt64(block) << Self.offsetBits | UInt64(offset)
    }

    /// The place of a record in the bytes of a store that was made from them.
    package init(offset: Int) { self.init(block: 0, offset: offset) }

    fileprivate var block: Int { Int(bits >> Self.offsetBits) }

    /// The byte of the block at which the record starts.
    package var offset: Int { Int(bits & (1 << Self.offsetBits - 1)) }
  }

  private struct State {
    /// All blocks; the last one is `open`, if that exists.
    var blocks: [MappedBytes] = []
    var open: Block?
    var bytesInMemory = 0
    var bytesInFiles = 0
  }

  /// Memory that is filled from its start.
  private final class Block: @unchecked Sendable {
    // Unchecked because of the pointer: bytes before `used` never change, and the lock of the store
    // guards the rest.
    let memory: UnsafeMutableRawBufferPointer
    var used = 0

    init(count: Int) { memory = .allocate(byteCount: count, alignment: 64) }
    deinit { memory.deallocate() }
  }

  /// Records start at multiples of this.
  private static let alignment = 8
  private static let blockSize = 8 << 20

  private let state: Guarded<State>
  private let limit: Int
  private let folder: String

  /// Makes an empty store.
  ///
  /// - Parameters:
  ///   - limit: The bytes that may lie in memory.
  ///   - folder: The folder of the unnamed files; nil for that of temporary files.
  package init(memory limit: Int = 128 << 20, folder: String? = nil) {
    state = Guarded(State())
    self.limit = limit
    self.folder = folder ?? FileManager.default.temporaryDirectory.path
  }

  /// Makes a store of records that are in bytes already; see ``Place/init(offset:)``.
  package convenience init(_ bytes: MappedBytes) {
    self.init()
    state.withLock { $0.blocks = [bytes] }
  }

  /// The bytes that left memory for files.
  package var bytesInFiles: Int { state.withLock { $0.bytesInFiles } }

  /// Lets the system take back the memory of all records that are in files.
  package func release() {
    for block in state.withLock({ $0.blocks }) { block.release() }
  }

  /// Adds a record of `count` bytes, which a closure writes.
  package func append(
    count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) -> Place {
    // A record is short, so that the lock is held for a moment only.
    state.withLock { state in
      let block = block(with: count, &state)
      let start = block.used
      write(UnsafeMutableRawBufferPointer(rebasing: block.memory[start..<start + count]))
      block.used = start + (count + Self.alignment - 1) / Self.alignment * Self.alignment
      return Place(block: state.blocks.count - 1, offset: start)
    }
  }

  /// Passes the bytes from a record's start to the end of its block to a closure.
  package func withBytes<Value>(
    at place: Place, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    let block = state.withLock { $0.blocks[place.block] }
    return try withExtendedLifetime(block) {
      try body(UnsafeRawBufferPointer(rebasing: block.bytes[place.offset...]))
    }
  }

  /// The block with room for a record of `count` bytes. A new one moves the last one to a file if
  /// memory is full.
  private func block(with count: Int, _ state: inout State) -> Block {
    if let full = state.open {
      if full.memory.count - full.used >= count { return full }
      state.bytesInMemory += full.memory.count
      if state.bytesInMemory > limit,
        let file = try? MappedBytes(
          unnamed: UnsafeRawBufferPointer(rebasing: full.memory[..<full.used]), in: folder)
      {
        // If the disk is full, the block stays in memory.
        state.blocks[state.blocks.count - 1] = file
        state.bytesInMemory -= full.memory.count
        state.bytesInFiles += full.used
      }
    }
    let block = Block(count: max(Self.blockSize, count + Self.alignment))
    state.blocks.append(MappedBytes(UnsafeRawBufferPointer(block.memory), of: block))
    state.open = block
    return block
  }
}
