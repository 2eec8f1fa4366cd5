import Files
import InkDatasets
import Training

/// The part of some data that training leaves for a test.
struct TestPart {
  /// The number of its inks.
  private(set) var inks = 0
  /// The number of its different writers. The same name in different data counts as different
  /// people.
  private(set) var writers = 0
  /// The data with this part.
  let data: [DataSpecification]

  /// Counts it: reads the data again, and keeps only the names of its writers.
  ///
  /// - Parameter data: The data, for any selected part.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  init(of data: [DataSpecification]) throws {
    self.data = data.map { $0.withSplit(.test) }
    let count = try InkCount(of: self.data, indexing: DataIndexing())
    (inks, writers) = (count.inks, count.writers)
  }

  /// `left for test: 234 inks of 7 writers`, with the way to score them.
  var text: String {
    guard inks > 0 else {
      return "no test part: use fold=K/N, which holds out every N-th writer"
    }
    let people = writers > 0 ? " of \(TerminalText.count(writers, "writer"))" : ""
    let names = data.map { "--data \(ShellQuoting.quoted($0.textWithSplit))" }
    return "left for test: \(TerminalText.count(inks, "ink"))\(people); 'ductus evaluate' scores "
      + "them with \(names.joined(separator: " "))"
  }
}
