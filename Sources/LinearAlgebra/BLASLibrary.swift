import Foundation

/// The BLAS in use by this process: its implementation, build and number of threads.
///
/// It is found at run time through the dynamic linker. Nothing of a particular implementation is
/// linked, so one binary works with any BLAS of the system.
package struct BLASLibrary: Sendable, Hashable, Codable {
  /// A known implementation of BLAS.
  package enum Implementation: String, Sendable, Hashable, Codable {
    /// OpenBLAS.
    case openBLAS = "OpenBLAS"
    /// BLIS, also AMD's build of it.
    case blis = "BLIS"
    /// Intel's Math Kernel Library.
    case mkl = "MKL"
    /// Apple's Accelerate.
    case accelerate = "Accelerate"
    /// The reference BLAS of Netlib: correct, and 20 to 50 times slower than the others.
    case reference = "reference BLAS"
    /// A library that is not listed here.
    case unknown
  }

  /// The implementation.
  package var implementation: Implementation
  /// Its version, such as `0.3.21`; nil if the library does not report it.
  package var version: String?
  /// The kernels it chose for this processor, such as `SkylakeX`; nil if the library does not
  /// report it.
  package var core: String?
  /// The threads that one call may use now; nil if the library does not report it.
  package var threads: Int?
  /// The file that holds the kernels, with symbolic links resolved; nil if it is not known.
  package var path: String?

  /// Creates a description from its parts.
  package init(
    implementation: Implementation, version: String? = nil, core: String? = nil,
    threads: Int? = nil, path: String? = nil
  ) {
    self.implementation = implementation
    self.version = version
    self.core = core
    self.threads = threads
    self.path = path
  }

  /// True if OpenBLAS kernels for AVX-512 are in use.
  package var usesAVX512Kernels: Bool {
    ["skylakex", "cooperlake", "sapphirerapids"].contains(core?.lowercased() ?? "")
  }

  /// The library in use, with the number of threads at this moment.
  ///
  /// Costs a few look-ups in the dynamic linker's tables: not for inner loops.
  package static var current: BLASLibrary { LoadedBLAS.shared.describe() }

  /// Sets how many threads one BLAS call may use, for the whole process.
  ///
  /// Training runs one worker per core and gives each call one thread. Call it before the work
  /// starts; changing it while another thread is inside a BLAS call is not safe in every library.
  ///
  /// - Parameter count: at least 1; lower values count as 1.
  /// - Returns: the number in effect afterwards, or nil if the library has no such setting or does
  ///   not report it. The reference BLAS always uses one thread.
  @discardableResult
  package static func setThreadCount(_ count: Int) -> Int? {
    LoadedBLAS.shared.setThreadCount(max(1, count))
    return current.threads
  }

  /// The version number in a configuration text, such as that of `openblas_get_config`.
  ///
  /// - Returns: the first word that starts with a digit and has a dot; nil when there is none.
  package static func versionNumber(in text: String) -> String? {
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      guard let first = word.first, first.isNumber, word.contains(".") else { continue }
      let number = word.prefix { $0.isNumber || $0 == "." }
      return number.trimmingCharacters(in: ["."])
    }
    return nil
  }

  /// The version at the end of a shared object's file name: `libblas.so.3.11.0` gives `3.11.0`.
  package static func versionNumber(ofFile path: String) -> String? {
    guard let range = path.range(of: ".so.", options: .backwards) else { return nil }
    let tail = path[range.upperBound...]
    return tail.contains(".") && tail.allSatisfy({ $0.isNumber || $0 == "." })
      ? String(tail) : nil
  }
}

extension BLASLibrary: CustomStringConvertible {
  /// One line for people and records, such as `OpenBLAS 0.3.21 SkylakeX, 1 thread`. Unknown parts
  /// are left out.
  package var description: String {
    let name = implementation == .unknown ? "unknown BLAS" : implementation.rawValue
    let words = [name, version, core].compactMap { $0 }.joined(separator: " ")
    guard let threads else { return words }
    return "\(words), \(threads) thread\(threads == 1 ? "" : "s")"
  }
}

// MARK: - The dynamic linker

/// The shared object that provides `cblas_sgemm`, opened to find its own symbols.
///
/// Symbols are looked up in that object and its dependencies, not in the whole process. The answer
/// is then right even if LAPACK belongs to another implementation.
private struct LoadedBLAS: @unchecked Sendable {
  // Unchecked: the handle is written once and the dynamic linker may be called from any thread.
  static let shared = LoadedBLAS()

  private let handle: UnsafeMutableRawPointer?
  private let objectPath: String?

  private init() {
    let program = dlopen(nil, RTLD_NOW)
    objectPath = dlsym(program, "cblas_sgemm").flatMap(Self.objectName)
    // NOLOAD: only what is already in the process. A BLAS that is linked into the program itself
    // has the name of the program, which cannot be opened this way.
    let object = objectPath.flatMap { dlopen($0, RTLD_NOW | RTLD_NOLOAD) }
    handle = object ?? program
  }

  func describe() -> BLASLibrary {
    #if canImport(Accelerate)
      return BLASLibrary(implementation: .accelerate, path: objectPath)
    #else
      if symbol("openblas_get_config") != nil { return describeOpenBLAS() }
      if symbol("bli_info_get_version_str") != nil { return describeBLIS() }
      if symbol("MKL_Get_Max_Threads") != nil { return describeMKL() }
      let path = objectPath.map(Self.resolved)
      guard let path, (path as NSString).lastPathComponent.hasPrefix("libblas.so") else {
        return BLASLibrary(implementation: .unknown, path: path)
      }
      return BLASLibrary(
        implementation: .reference, version: BLASLibrary.versionNumber(ofFile: path),
        threads: 1, path: path)
    #endif
  }

  func setThreadCount(_ count: Int) {
    if let set = function("openblas_set_num_threads", as: SetInt32.self) {
      set(Int32(clamping: count))
    } else if let set = function("bli_thread_set_num_threads", as: SetInt.self) {
      set(count)
    } else if let set = function("MKL_Set_Num_Threads", as: SetInt32.self) {
      set(Int32(clamping: count))
    } else if let set = function("BLASSetThreading", as: SetThreading.self) {
      // Accelerate knows one thread (1) or as many as it likes (0).
      _ = set(count == 1 ? 1 : 0)
    }
  }

  private typealias GetText = @convention(c) () -> UnsafePointer<CChar>?
  private typealias GetTextOfInt32 = @convention(c) (Int32) -> UnsafePointer<CChar>?
  private typealias GetInt32 = @convention(c) () -> Int32
  private typealias GetInt = @convention(c) () -> Int
  private typealias SetInt32 = @convention(c) (Int32) -> Void
  private typealias SetInt = @convention(c) (Int) -> Void
  private typealias SetThreading = @convention(c) (UInt32) -> Int32
  // Glibc's module leaves `dladdr` out (it is a GNU extension), so it is looked up as well.
  private typealias DLAddr =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
  private typealias FillText = @convention(c) (UnsafeMutablePointer<CChar>, Int32) -> Void

  private func describeOpenBLAS() -> BLASLibrary {
    BLASLibrary(
      implementation: .openBLAS,
      version: text("openblas_get_config").flatMap { BLASLibrary.versionNumber(in: $0) },
      core: text("openblas_get_corename"),
      threads: function("openblas_get_num_threads", as: GetInt32.self).map { Int($0()) },
      path: path(of: "openblas_get_config"))
  }

  private func describeBLIS() -> BLASLibrary {
    var core: String?
    if let query = function("bli_arch_query_id", as: GetInt32.self),
      let name = function("bli_arch_string", as: GetTextOfInt32.self)
    {
      core = name(query()).map { String(cString: $0) }
    }
    return BLASLibrary(
      implementation: .blis, version: text("bli_info_get_version_str"), core: core,
      threads: function("bli_thread_get_num_threads", as: GetInt.self).map { max(1, $0()) },
      path: path(of: "bli_info_get_version_str"))
  }

  private func describeMKL() -> BLASLibrary {
    var version: String?
    if let fill = function("MKL_Get_Version_String", as: FillText.self) {
      var bytes = [CChar](repeating: 0, count: 256)
      fill(&bytes, 255)
      let characters = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      version = BLASLibrary.versionNumber(in: String(decoding: characters, as: UTF8.self))
    }
    return BLASLibrary(
      implementation: .mkl, version: version,
      threads: function("MKL_Get_Max_Threads", as: GetInt32.self).map { Int($0()) },
      path: path(of: "MKL_Get_Max_Threads"))
  }

  private func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }

  private func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    // The C declarations of the libraries, which are not linked, give these signatures.
    symbol(name).map { unsafeBitCast($0, to: type) }
  }

  private func text(_ name: String) -> String? {
    function(name, as: GetText.self)?().map { String(cString: $0) }
  }

  private func path(of name: String) -> String? {
    symbol(name).flatMap(Self.objectName).map(Self.resolved)
  }

  private static func objectName(_ address: UnsafeMutableRawPointer) -> String? {
    guard let found = dlsym(dlopen(nil, RTLD_NOW), "dladdr") else { return nil }
    let dladdr = unsafeBitCast(found, to: DLAddr.self)
    // Dl_info: file name, its base, the symbol's name, its address.
    var info: [UnsafeMutableRawPointer?] = [nil, nil, nil, nil]
    guard dladdr(address, &info) != 0, let name = info[0] else { return nil }
    return String(cString: name.assumingMemoryBound(to: CChar.self))
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
