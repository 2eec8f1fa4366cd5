import InkCore
import Testing

@Suite("Runs from left to right in lines from right to left") struct WritingRunsTests {
  @Test(
    "Numbers, and words of other scripts",
    arguments: [
      ("שלום עולם", []),
      ("עמוד 12 מתוך 30", ["12", "30"]),
      ("ביום 3.4.2025 בשעה 10:45", ["3.4.2025", "10:45"]),
      ("עלה ב-5% או 20₪ או $7", ["5%", "20₪", "$7"]),
      ("גר ב New York City מאז", ["New York City"]),
      ("טלפון iPhone 15 חדש", ["iPhone 15"]),
      ("סרט 3D טוב", ["3D"]),
      // Numbers beside each other are words from right to left.
      ("בין 12 34 לבין", ["12", "34"]),
      ("صفحهٔ ۱۲ از ۳۰", ["۱۲", "۳۰"]),
      ("عام ٢٠٢٤/٥/٦", ["٢٠٢٤/٥/٦"]),
      ("قیمت ۱۲٫۵", ["۱۲٫۵"]),
      ("12", ["12"]),
      ("", []),
      ("א, 5.", ["5"]),
      // The digits of N'Ko run from right to left.
      ("א ߁߂", []),
    ])
  func runs(_ text: String, _ expected: [String]) {
    let characters = Array(text)
    let runs = WritingRuns.leftToRight(in: characters)
    #expect(runs.map { String(characters[$0]) } == expected)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
  }
}
