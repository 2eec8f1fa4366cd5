import Metrics

/// What an interval is over, in words: resampling draws whole writers, whole pages of unknown writers, and
/// inks without either one by one.
enum ClusterText {
  /// Intervals over fewer clusters are much too narrow, and over one they have no width: there are none.
  static let fewest = 5

  /// - Parameter clusters: The writers, and the pages and inks without one.
  static func text(writers: Int, clusters: Int) -> String {
    let others = clusters - writers
    let people = ReportText.count(writers, "writer")
    if others == 0 { return people }
    let unknown =
      "\(ReportText.count(others)) \(others == 1 ? "page or ink" : "pages or inks") of unknown writers"
    return writers == 0 ? unknown : "\(people) and \(unknown)"
  }
}
