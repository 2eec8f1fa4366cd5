import Foundation

/// `GET /v1/studio`: the project and its data, for the lists of the pages.
struct OverviewSection: StudioSection {
  /// The answer.
  struct Overview: Encodable {
    var project: String
    var version = 1
    var defaultModel: String
    /// Data that the pages can name: files of the project, and what the command line named.
    var data: [String]
  }

  private let context: StudioContext

  init(_ context: StudioContext) { self.context = context }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/studio") { _ in try .json(overview()) }
    ]
  }

  private func overview() -> Overview {
    Overview(
      project: context.project.root.lastPathComponent,
      defaultModel: context.configuration.library.defaultModel,
      data: context.data.allowed + context.data.files())
  }
}
