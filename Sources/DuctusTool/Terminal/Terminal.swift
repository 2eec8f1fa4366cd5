import Foundation

/// One line of progress on standard error: redrawn in place on a terminal, otherwise plain lines
/// from time to time.
package struct ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let isSilent: Bool
  private var lastDrawn: ContinuousClock.Instant?
  private var isDrawn = false

  /// - Parameter isSilent: True to write nothing at all.
  package init(isSilent: Bool = false) {
    self.isSilent = isSilent
  }

  /// Shows the progress of work; calls in quick succession draw nothing. On a terminal the line is
  /// cut to its width.
  ///
  /// - Parameters:
  ///   - fraction: 0 ... 1, or nil if the end is not known; then there is no bar.
  ///   - text: The text after the bar, the most important part first.
  mutating func show(_ fraction: Double?, _ text: @autoclosure () -> String) {
    if isSilent { return }
    let now = ContinuousClock.now
    let pause = isTerminal ? Self.pauses.terminal : Self.pauses.file
    if let lastDrawn, now - lastDrawn < pause { return }
    if lastDrawn == nil, !isTerminal {
      lastDrawn = now
      return
    }
    lastDrawn = now
    if isTerminal {
      let line = Self.line(fraction, text(), columns: Self.terminalColumns)
      Outcome.writeToStandardError("\r\u{1B}[2K\(line)")
      isDrawn = true
    } else {
      let percent = fraction.map { Self.percent($0) + "  " } ?? ""
      Outcome.writeToStandardError("\(percent)\(text())\n")
    }
  }

  /// The shortest time between two updates, on a terminal and in a file.
  private static let pauses: (terminal: Duration, file: Duration) = (
    .milliseconds(100), .seconds(15)
  )
  /// The most and the fewest characters of a bar.
  private static let (widestBar, narrowestBar) = (24, 4)
  /// The width of a terminal that does not report its own.
  private static let usualColumns = 80

  /// Bar, share and text in fewer than `columns` characters. The bar uses the space that the text
  /// leaves, at most 24 characters, and is omitted below 4.
  package static func line(_ fraction: Double?, _ text: String, columns: Int) -> String {
    guard let fraction else { return String(text.prefix(max(0, columns - 1))) }
    let rest = "\(percent(fraction))  \(text)"
    let room = min(widestBar, columns - 2 - rest.count)
    return String(
      ((room < narrowestBar ? "" : bar(fraction, width: room) + " ") + rest).prefix(
        max(0, columns - 1)))
  }

  /// The terminal's current width; 80 if it is not reported.
  private static var terminalColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usualColumns
    }
    return Int(size.ws_col)
  }

  private static func percent(_ fraction: Double) -> String {
    String(format: "%3.0f %%", 100 * fraction)
  }

  /// Writes a permanent line above the bar.
  mutating func note(_ line: String) {
    if isSilent { return }
    clear()
    Outcome.writeToStandardError(line + "\n")
  }

  /// Removes the bar.
  mutating func clear() {
    if isDrawn { Outcome.writeToStandardError("\r\u{1B}[2K") }
    isDrawn = false
    if isTerminal { lastDrawn = nil }
  }

  private static func bar(_ fraction: Double, width: Int) -> String {
    let full = Int((max(0, min(1, fraction)) * Double(width)).rounded(.down))
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }

  /// Seconds as `1:05` or `2:03:04`.
  package static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "–" }
    let whole = Int(seconds.rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? String(format: "%d:%02d:%02d", hours, minutes, rest)
      : String(format: "%d:%02d", minutes, rest)
  }
}
