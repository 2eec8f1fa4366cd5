import Foundation

/// Starts a program as a process that outlives this one.
///
/// The child leads a session of its own, so that neither a closed terminal nor Ctrl-C in it ends the
/// child. It inherits no open file, takes signals as usual, and has no standard input.
enum ChildProcess {
  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The executable.
  ///   - arguments: The arguments after the name of the program. No shell sees them.
  ///   - folder: The working folder.
  ///   - output: The file that standard output and standard error are added to. It is made, readable
  ///     only by its owner.
  ///   - environment: All variables of the child.
  /// - Returns: The number of the process.
  /// - Throws: ``StudioError`` if it cannot be started.
  static func start(
    _ program: URL, arguments: [String], folder: URL, output: URL, environment: [String: String]
  ) throws(StudioError) -> pid_t {
    var actions = Actions()
    guard actions.prepare(folder: folder, output: output) else {
      throw StudioError(
        .failed,
        "a process cannot be prepared; on Linux, glibc 2.34 or later is needed")
    }
    defer { actions.destroy() }
    var number: pid_t = 0
    let code = withStrings([program.path] + arguments) { arguments in
      withStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { environment in
        posix_spawn(
          &number, program.path, &actions.files, &actions.attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      throw StudioError(
        .failed,
        "\(program.path): cannot be started: \(String(cString: strerror(code))); check that "
          + "'ductus' is installed")
    }
    return number
  }

  /// The settings of a child.
  private struct Actions {
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var files = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif

    /// - Returns: False if the system refuses.
    mutating func prepare(folder: URL, output: URL) -> Bool {
      guard posix_spawn_file_actions_init(&files) == 0, posix_spawnattr_init(&attributes) == 0
      else { return false }
      let mode = O_WRONLY | O_CREAT | O_APPEND
      var codes = [
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.path, mode, 0o600),
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO),
      ]
      var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
      #if canImport(Darwin)
        flags |= POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
        codes.append(posix_spawn_file_actions_addchdir_np(&files, folder.path))
      #else
        flags |= Extensions.newSession
        guard let extensions = Extensions.found else { return false }
        codes.append(extensions.changeFolder(&files, folder.path))
        codes.append(extensions.closeFrom(&files, STDERR_FILENO + 1))
      #endif
      // The studio ignores some signals, and a child would inherit that.
      var all = sigset_t()
      var none = sigset_t()
      sigfillset(&all)
      sigemptyset(&none)
      codes += [
        posix_spawnattr_setsigdefault(&attributes, &all),
        posix_spawnattr_setsigmask(&attributes, &none),
        posix_spawnattr_setflags(&attributes, Int16(flags)),
      ]
      return codes.allSatisfy { $0 == 0 }
    }

    mutating func destroy() {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
  }

  #if !canImport(Darwin)
    /// The extensions of glibc 2.34 and later that Swift does not import.
    private struct Extensions {
      typealias Files = UnsafeMutablePointer<posix_spawn_file_actions_t>

      let changeFolder: @convention(c) (Files, UnsafePointer<CChar>) -> Int32
      let closeFrom: @convention(c) (Files, Int32) -> Int32

      /// POSIX_SPAWN_SETSID of spawn.h.
      static let newSession: Int32 = 0x80

      /// Nil if the system's library lacks them.
      static let found: Extensions? = {
        // Both signatures are those of spawn.h.
        guard let changeFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np"),
          let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        else { return nil }
        return Extensions(
          changeFolder: unsafeBitCast(
            changeFolder, to: (@convention(c) (Files, UnsafePointer<CChar>) -> Int32).self),
          closeFrom: unsafeBitCast(
            closeFrom, to: (@convention(c) (Files, Int32) -> Int32).self))
      }()
    }
  #endif

  /// Calls with a C array of texts that ends with a null pointer.
  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Waits in a thread of its own until a child ends, so that it does not stay as a zombie.
  ///
  /// - Parameter ended: Gets the end, as ``JobEnd`` stores it.
  static func whenEnded(_ number: pid_t, _ ended: @escaping @Sendable (JobEnd) -> Void) {
    let thread = Thread {
      var status: Int32 = 0
      while waitpid(number, &status, 0) < 0 {
        guard errno == EINTR else { return }
      }
      // The macros WIFEXITED and so on are not imported.
      let signal = status & 0x7F
      ended(signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal))
    }
    thread.stackSize = 128 << 10
    thread.start()
  }
}

/// The end of a process.
enum JobEnd: Hashable, Sendable {
  /// It ended with an exit code.
  case code(Int32)
  /// A signal ended it.
  case signal(Int32)

  /// The form in a file: `code 0`.
  var text: String {
    switch self {
    case .code(let value): "code \(value)\n"
    case .signal(let value): "signal \(value)\n"
    }
  }

  /// Reads the form in a file; nil for any other text.
  init?(_ text: String) {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard parts.count == 2, let value = Int32(parts[1]) else { return nil }
    switch parts[0] {
    case "code": self = .code(value)
    case "signal": self = .signal(value)
    default: return nil
    }
  }
}
