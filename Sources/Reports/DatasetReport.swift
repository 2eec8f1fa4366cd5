import Evaluation
import InkCore
import InkDatasets

/// Datasets as one HTML page that needs nothing else: inks of each class, counts, writers,
/// distributions of points, strokes and rates, bad records.
///
/// The page holds no script and asks the network for nothing. Its size is bounded whatever the
/// data.
public struct DatasetReport: Sendable {
  /// Inks drawn on a page.
  static let mostDrawings = 1600
  /// Names in lists without drawings.
  static let mostNames = 400

  /// A dataset and the hash of its records.
  public struct Part: Sendable {
    /// What was collected.
    public let inspection: DatasetInspection
    /// SHA-256 of the good records.
    public let hash: String

    /// Makes a part.
    public init(inspection: DatasetInspection, hash: String) {
      self.inspection = inspection
      self.hash = hash
    }
  }

  /// The datasets, in the order of the page.
  public let parts: [Part]

  /// Makes a report; nothing is rendered yet.
  public init(_ parts: [Part]) {
    self.parts = parts
  }

  private var title: String {
    guard parts.count == 1, let path = parts.first?.inspection.specification.path else {
      return CountText.count(parts.count, "dataset")
    }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The page. Labels, writers and names of files are escaped; absolute paths are cut to their last
  /// part.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  public func html() throws(ReportError) -> String {
    let data = parts.map { $0.inspection.specification.text }
    let names = data.map { ReportPaths.name(ofData: $0) }
    let single = names.count == 1
    let head = ReportHead(
      kind: single ? "Dataset" : "Datasets", title: title, data: single ? data : [],
      links: single ? [] : names.enumerated().map { (id: "data-\($0 + 1)", name: $1) })
    let most = Self.mostDrawings / max(1, parts.count)
    return try ReportTemplates().render(
      .dataset, head,
      [
        "datasets": parts.enumerated().map { index, part in
          var values = DatasetReportSection(part, mostDrawings: most).values
          values["id"] = "data-\(index + 1)"
          if !single { values["heading"] = names[index] }
          return values
        }
      ])
  }
}
