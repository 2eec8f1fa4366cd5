import Foundation

/// The stages of a command's start, for `ductus bench`, which runs the tool and reads their times.
/// Only printed if the environment asks for them.
enum StartMark: String, CaseIterable {
  /// The command begins: the process has started and its arguments are parsed.
  case begun
  /// The model is open.
  case opened
  /// The first ink is read, or the first step of training is done.
  case answered

  /// The environment variable that enables the marks.
  static let variable = "DUCTUS_START_MARKS"

  private static let isAsked = ProcessInfo.processInfo.environment[variable] != nil

  /// Prints this stage and its time to standard error.
  func note() {
    guard Self.isAsked else { return }
    Outcome.writeToStandardError("\(Self.variable) \(rawValue) \(Self.now)\n")
  }

  /// Nanoseconds of the clock shared by all processes of a machine.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Parses the marks in a command's standard error.
  static func parsed(_ text: some StringProtocol) -> [StartMark: UInt64] {
    var result: [StartMark: UInt64] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == variable,
        let mark = StartMark(rawValue: String(words[1])),
        let time = UInt64(words[2]), result[mark] == nil
      else { continue }
      result[mark] = time
    }
    return result
  }
}
