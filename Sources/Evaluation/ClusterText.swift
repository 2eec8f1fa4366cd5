import Metrics

/// What an interval is over, in words: resampling draws whole writers, and inks without a writer one by
/// one.
enum ClusterText {
  /// - Parameter clusters: The writers, and the inks without one.
  static func text(writers: Int, clusters: Int) -> String {
    let inks = clusters - writers
    let people = ReportText.count(writers, "writer")
    if inks == 0 { return people }
    let single = ReportText.count(inks, "single ink")
    return writers == 0 ? single : "\(people) and \(single)"
  }
}
