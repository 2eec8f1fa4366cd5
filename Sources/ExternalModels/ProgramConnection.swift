import Files
import Foundation

/// A running program whose standard input and output are connected to this process.
///
/// The shell runs the command in a process group of its own, so that a program with children ends as
/// a whole. Standard error stays that of this process. A value that one owner uses; not thread-safe.
struct ProgramConnection: Sendable {
  /// The time and the memory of a program.
  struct Usage: Hashable, Sendable {
    /// The sum of the largest resident sets of its processes; nil if the system does not say.
    var peakResidentBytes: Int?
    /// Processor time of all its processes.
    var cpuSeconds: Double
  }

  private let process: pid_t
  /// The end of the program's standard input.
  private let input: Int32
  /// The end of the program's standard output.
  private let output: Int32
  private var received: [UInt8] = []
  private var isClosed = false

  /// The most bytes of one answer.
  private static let mostBytes = 64 << 20
  /// The time in which a program that closed its output must end.
  private static let patience = Duration.seconds(2)

  /// Starts a command of the shell.
  ///
  /// - Throws: `ExternalModelError.Problem.notStarted`.
  init(starting command: String) throws(ProgramFault) {
    // A program that ends is an error of writing, and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    let requests = try Self.pipe()
    let answers = try Self.pipe()
    defer {
      close(requests.reading)
      close(answers.writing)
    }
    (input, output) = (requests.writing, answers.reading)
    do throws(ProgramFault) {
      process = try Self.spawn(command, input: requests.reading, output: answers.writing)
    } catch {
      close(requests.writing)
      close(answers.reading)
      throw error
    }
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  // MARK: - Lines

  /// True if bytes of an answer are there that nobody asked for.
  mutating func hasUnaskedAnswer() -> Bool {
    if received.isEmpty { _ = try? receiveSome() }
    return !received.isEmpty
  }

  /// Sends one line, waiting until the program takes it.
  mutating func send(_ line: [UInt8], until deadline: ContinuousClock.Instant) throws(ProgramFault)
  {
    var bytes = line
    bytes.append(UInt8(ascii: "\n"))
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        guard Self.wait(for: input, POLLOUT, until: deadline) else { throw .late }
      } else if errno != EINTR {
        throw ended()
      }
    }
  }

  /// Waits for one line.
  mutating func receive(until deadline: ContinuousClock.Instant) throws(ProgramFault) -> [UInt8] {
    var searched = 0
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<end])
        received.removeSubrange(...end)
        return line
      }
      searched = received.count
      guard received.count <= Self.mostBytes else { throw .tooLong(Self.mostBytes) }
      guard try !receiveSome() else { continue }
      if isClosed { throw ended() }
      guard Self.wait(for: output, POLLIN, until: deadline) else { throw .late }
    }
  }

  /// Takes the bytes that are there now; false if there are none.
  private mutating func receiveSome() throws(ProgramFault) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = chunk.withUnsafeMutableBytes { Descriptor.read(output, into: $0) }
    if count > 0 { received.append(contentsOf: chunk[..<count]) }
    if count == 0 { isClosed = true }
    return count > 0
  }

  /// Waits until a descriptor is ready; false if the time is over.
  private static func wait(
    for descriptor: Int32, _ event: Int32, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else { return false }
      var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&wanted, 1, Int32(min(left.rounded(.up), 60_000)))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return true }
    }
  }

  // MARK: - End

  /// The fault of a program that does not take or give any more.
  private func ended() -> ProgramFault {
    let deadline = ContinuousClock.now + Self.patience
    guard let status = status(until: deadline)?.status else { return .closed }
    // The macros WIFEXITED and so on are not imported.
    let signal = status & 0x7F
    return signal == 0 ? .exited(code: (status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// Closes the input, and waits for the end of the program.
  ///
  /// - Returns: The time and memory of the program, and whether there are the answers that nobody asked for.
  mutating func finish(
    until deadline: ContinuousClock.Instant
  ) throws(ProgramFault) -> (usage: Usage, hasUnaskedAnswer: Bool) {
    let memory = ProgramMemory.peakResidentBytes(ofGroup: process)
    close(input)
    while !isClosed {
      guard try !receiveSome() else { continue }
      guard isClosed || Self.wait(for: output, POLLIN, until: deadline) else { break }
    }
    let end = status(until: deadline)
    if end == nil { kill() }
    close(output)
    let usage = end?.usage
    let seconds = usage.map { Self.seconds($0.ru_utime) + Self.seconds($0.ru_stime) } ?? 0
    return (Usage(peakResidentBytes: memory, cpuSeconds: seconds), !received.isEmpty)
  }

  /// Ends the program at once, with all its processes.
  func stop() {
    close(input)
    close(output)
    kill()
  }

  private func kill() {
    Foundation.kill(-process, SIGKILL)
    _ = status(until: .now + Self.patience)
  }

  /// The exit status, when the program has ended; nil if it is still running at the deadline, or if
  /// its status was taken before.
  private func status(
    until deadline: ContinuousClock.Instant
  ) -> (status: Int32, usage: rusage)? {
    var status: Int32 = 0
    var usage = rusage()
    while true {
      let number = wait4(process, &status, WNOHANG, &usage)
      if number == process { return (status, usage) }
      if number < 0, errno != EINTR { return nil }
      guard ContinuousClock.now < deadline else { return nil }
      usleep(2000)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}

/// The ways in which a program fails; ``ExternalModelError`` adds the command.
enum ProgramFault: Error {
  case notStarted(code: Int32)
  case late
  case tooLong(Int)
  case exited(code: Int32)
  case killed(signal: Int32)
  case closed
}

extension ProgramConnection {
  private static func pipe() throws(ProgramFault) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw .notStarted(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ command: String, input: Int32, output: Int32
  ) throws(ProgramFault) -> pid_t {
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var files = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    guard posix_spawn_file_actions_init(&files) == 0 else { throw .notStarted(code: errno) }
    defer { posix_spawn_file_actions_destroy(&files) }
    guard posix_spawnattr_init(&attributes) == 0 else { throw .notStarted(code: errno) }
    defer { posix_spawnattr_destroy(&attributes) }
    var ignored = sigset_t()
    sigemptyset(&ignored)
    sigaddset(&ignored, SIGPIPE)
    let codes = [
      posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO),
      posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO),
      posix_spawnattr_setpgroup(&attributes, 0),
      posix_spawnattr_setsigdefault(&attributes, &ignored),
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF)),
    ]
    if let code = codes.first(where: { $0 != 0 }) { throw .notStarted(code: code) }
    let texts: [String] = ["/bin/sh", "-c", command]
    let arguments = texts.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &files, &attributes, arguments + [nil], environ)
    guard code == 0 else { throw .notStarted(code: code) }
    return process
  }
}
