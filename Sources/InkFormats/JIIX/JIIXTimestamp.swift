import Foundation

/// The time stamps of JIIX: `YYYY-MM-DD HH:MM:SS.ssssss`, in UTC.
public enum JIIXTimestamp {
  /// Returns the milliseconds since 1970 of a time stamp in the years 0 to 9999, also with `T` and
  /// `Z`; nil for another form, such as one with a time zone offset.
  public static func milliseconds(_ text: String) -> Double? {
    let parts = text.split(whereSeparator: { " T-:Z".contains($0) })
    guard parts.count == 6, let seconds = Double(parts[5]), seconds.isFinite else { return nil }
    let numbers = parts[..<5].compactMap { Int($0) }
    guard numbers.count == 5, (0...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2]), (0...24).contains(numbers[3]), (0...60).contains(numbers[4]),
      (0...61).contains(seconds)
    else { return nil }
    let minutes = (days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
    return Double(minutes) * 60_000 + seconds * 1000
  }

  /// Returns the time stamp of milliseconds since 1970, without fractions. Times before 1970 and
  /// times that are not finite give 1970; times after the year 3237 give that year.
  public static func text(_ milliseconds: Double) -> String {
    let whole = milliseconds.isFinite ? Int(max(0, min(milliseconds, 4e13))) : 0
    let (days, rest) = (whole / 86_400_000, whole % 86_400_000)
    let (year, month, day) = date(days)
    func padded(_ number: Int, _ width: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
      + "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):"
      + "\(padded(rest / 1000 % 60, 2)).\(padded(rest % 1000 * 1000, 6))"
  }

  /// Returns the days from 1970-01-01 to a civil date (Hinnant 2013).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the civil date of days since 1970-01-01 (Hinnant 2013).
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
  }
}
