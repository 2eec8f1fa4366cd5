import CMPI
import Files
import Foundation
import Training

/// The ranks that `mpirun` of Open MPI started.
///
/// One thread at a time calls the library. Waiting sleeps between looks, because ranks may share
/// processors; a thread of its own moves messages on while shards are computed. A rank that sends
/// nothing within a time limit is an error. Thread-safe.
package final class MPIRanks: TrainingRanks, @unchecked Sendable {
  // Unchecked because the names of hosts are written once, before other threads know this object.

  /// This rank, from 0.
  package let rank: Int
  /// The number of ranks.
  package let count: Int
  /// The names of the machines, by rank.
  package private(set) var hosts: [String]
  private let state: Guarded<State>
  private let limit: Duration

  /// The library and the messages that are under way.
  private struct State: @unchecked Sendable {
    // Unchecked because the pointers are used under the lock alone.
    let library: OpaquePointer
    var pending: [Message] = []
    var failure: DistributedError?
    var isOpen = true

    /// Forgets the messages that are done.
    mutating func advance() {
      guard isOpen, failure == nil else { return }
      for index in pending.indices {
        var done: Int32 = 0
        let code = ductus_mpi_test(library, &pending[index].request, &done)
        guard code == 0 else {
          failure = .failed(
            call: "the message \(pending[index].isReceived ? "from" : "to") rank "
              + "\(pending[index].peer)", reason: MPIRanks.text(of: code, library))
          return
        }
      }
      pending.removeAll { $0.request == nil }
    }
  }

  private struct Message {
    var request: OpaquePointer?
    var peer: Int
    var isReceived: Bool
  }

  /// The largest part of a message: MPI counts bytes in 32 bits.
  private static let largestPart = 1 << 30
  /// The pause of the thread that moves messages on.
  private static let progressPause: useconds_t = 1000
  /// The pause between two looks of a waiting rank, in microseconds: short while a step may end, and
  /// long after that.
  private static let pauses: (short: useconds_t, long: useconds_t) = (20, 1000)
  /// The time after which a waiting rank looks less often.
  private static let patience = Duration.milliseconds(50)

  /// Joins the ranks, if mpirun started this process.
  ///
  /// - Parameter limit: The longest wait for another rank.
  /// - Returns: Nil if the process was started alone.
  /// - Throws: ``DistributedError``.
  package static func joined(
    _ environment: MPIEnvironment = .current, limit: Duration
  ) throws -> MPIRanks? {
    switch environment {
    case .alone: return nil
    case .other(let variable): throw DistributedError.otherMPI(variable: variable)
    case .openMPI:
      guard let library = libraryNames.lazy.compactMap({ ductus_mpi_open($0) }).first else {
        throw DistributedError.noLibrary
      }
      return try MPIRanks(library, limit: limit)
    }
  }

  #if canImport(Darwin)
    private static let libraryNames = ["libmpi.40.dylib", "libmpi.dylib"]
  #else
    private static let libraryNames = ["libmpi.so.40", "libmpi.so"]
  #endif

  private init(_ library: OpaquePointer, limit: Duration) throws {
    var (rank, count): (Int32, Int32) = (0, 0)
    let code = ductus_mpi_start(library, &rank, &count)
    guard code == 0 else {
      throw DistributedError.failed(call: "MPI_Init", reason: Self.text(of: code, library))
    }
    self.rank = Int(rank)
    self.count = Int(count)
    self.limit = limit
    hosts = []
    state = Guarded(State(library: library))
    let thread = Thread { [weak self] in
      while self?.advance() == true { usleep(Self.progressPause) }
    }
    thread.name = "MPI"
    if count > 1 { thread.start() }
    hosts = try exchange(ProcessInfo.processInfo.hostName)
  }

  /// The name of a rank for messages.
  package func name(of rank: Int) -> DistributedError.RankName {
    .init(rank: rank, host: hosts.indices.contains(rank) ? hosts[rank] : nil)
  }

  package func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: MessageTag) {
    for part in Self.parts(of: bytes.count) {
      begin("MPI_Isend", rank, isReceived: false) { library, request in
        ductus_mpi_send(
          library, bytes.baseAddress.map { $0 + part.lowerBound }, Int32(part.count), Int32(rank),
          Int32(tag.number), &request)
      }
    }
  }

  package func receive(
    into bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: MessageTag
  ) {
    for part in Self.parts(of: bytes.count) {
      begin("MPI_Irecv", rank, isReceived: true) { library, request in
        ductus_mpi_receive(
          library, bytes.baseAddress.map { $0 + part.lowerBound }, Int32(part.count), Int32(rank),
          Int32(tag.number), &request)
      }
    }
  }

  package func finish() throws { try finish(within: limit) }

  /// Waits until rank 0 has completed its work on the model, then leaves the ranks. No limit: mpirun
  /// ends all ranks if rank 0 dies.
  package func leave() throws {
    var byte: UInt8 = 0
    try withUnsafeMutableBytes(of: &byte) { byte in
      if rank == 0 {
        for other in others { send(.init(byte), to: other, tag: .bytes) }
      } else {
        receive(into: byte, from: 0, tag: .bytes)
      }
      try finish(within: nil)
    }
    state.withLock { state in
      state.isOpen = false
      _ = ductus_mpi_finish(state.library)
    }
  }

  /// Ends all ranks.
  package func abort(exitCode: Int32) {
    state.withLock { state in
      state.isOpen = false
      ductus_mpi_abort(state.library, exitCode)
    }
  }

  private func begin(
    _ call: String, _ peer: Int, isReceived: Bool,
    _ body: (OpaquePointer, inout OpaquePointer?) -> Int32
  ) {
    state.withLock { state in
      guard state.isOpen else { return }
      var request: OpaquePointer?
      let code = body(state.library, &request)
      if code == 0 {
        state.pending.append(Message(request: request, peer: peer, isReceived: isReceived))
      } else if state.failure == nil {
        state.failure = .failed(
          call: "\(call) with \(name(of: peer))", reason: Self.text(of: code, state.library))
      }
    }
  }

  private func finish(within limit: Duration?) throws {
    let start = ContinuousClock.now
    while true {
      let (failure, peers): (DistributedError?, Set<Int>?) = state.withLock { state in
        state.advance()
        if let failure = state.failure { return (failure, nil) }
        if state.pending.isEmpty { return (nil, nil) }
        // A rank that does not take a message is silent only if all that were awaited have come.
        let awaited = state.pending.filter(\.isReceived)
        return (nil, Set((awaited.isEmpty ? state.pending : awaited).map(\.peer)))
      }
      if let failure { throw failure }
      guard let peers else { return }
      let waited = ContinuousClock.now - start
      if let limit, waited > limit {
        throw DistributedError.silent(peers.sorted().map(name), seconds: limit / .seconds(1))
      }
      usleep(waited < Self.patience ? Self.pauses.short : Self.pauses.long)
    }
  }

  /// Moves messages on; false after the end.
  private func advance() -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.advance()
      return true
    }
  }

  private static func parts(of count: Int) -> [Range<Int>] {
    if count <= largestPart { return [0..<count] }
    return stride(from: 0, to: count, by: largestPart).map { $0..<min($0 + largestPart, count) }
  }

  private static func text(of code: Int32, _ library: OpaquePointer) -> String {
    var text = [CChar](repeating: 0, count: 256)
    ductus_mpi_text(library, code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? "error \(code)" : String(decoding: bytes, as: UTF8.self)
  }
}
