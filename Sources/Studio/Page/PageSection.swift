import Exports
import FlyingFox
import Foundation
import InkEditor

/// Pages to write on: their list, their sockets and their exports.
struct PageSection: StudioSection {
  private let pages: Pages

  /// Makes the section of a studio.
  init(_ context: StudioContext) {
    self.init(
      Pages(
        project: context.project,
        engine: Pages.engine(
          models: context.configuration.library,
          defaultModel: context.configuration.library.defaultModel)))
  }

  /// Makes the section for pages.
  init(_ pages: Pages) { self.pages = pages }

  private struct Name: Codable {
    var name: String?
  }

  private struct List: Encodable {
    var pages: [Pages.Entry]
  }

  private struct Formats: Encodable {
    var formats: [Format]
  }

  private struct Format: Encodable {
    var name: String
    var ending: String
  }

  private struct Kept: Encodable {
    var id: String
    var revision: Int
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/pages") { _ in try await .json(List(pages: pages.list())) },
      StudioRoute(.POST, "/v1/pages") { request in
        let name = request.body.isEmpty ? nil : try request.decoded(Name.self).name
        return try await .json(Name(name: pages.create(name)), status: .created)
      },
      StudioRoute(.POST, "/v1/pages/:name/rename") { request in
        guard let name = try request.decoded(Name.self).name else {
          throw StudioError(.invalidValue, "expected the member name, found none", field: "name")
        }
        return try await .json(Name(name: pages.rename(request.parameter("name"), to: name)))
      },
      StudioRoute(.DELETE, "/v1/pages/:name") { request in
        try await pages.delete(request.parameter("name"))
        return .nothing
      },
      StudioRoute(.POST, "/v1/pages/:name/commands") { request in
        let command = try request.decoded(PageCommand.self)
        let revision = try await pages.with(request.parameter("name")) {
          try await $0.apply(command)
        }
        return try .json(Kept(id: command.id, revision: revision))
      },
      StudioRoute(.GET, "/v1/pages/:name/export") { request in
        let name = request.parameter("name")
        guard let format = ExportFormat(named: request.query["format"] ?? "text") else {
          throw StudioError(
            .invalidValue, "expected one of \(ExportFormat.list), found another text",
            field: "format")
        }
        let export = PageExport(format, of: try PageExportScope(request.query))
        let bytes = try await pages.with(name) { try await export.bytes(of: $0, title: name) }
        return .bytes(bytes, type: format.mediaType)
      },
      StudioRoute(.GET, "/v1/pages/:name/formats") { request in
        let scope = try PageExportScope(request.query)
        let formats = try await pages.with(request.parameter("name")) {
          try await PageExport.formats(of: $0, scope)
        }
        return try .json(
          Formats(formats: formats.map { Format(name: $0.rawValue, ending: $0.ending) }))
      },
      StudioRoute(.GET, "/v1/pages/:name/socket") { request in
        let socket = PageSocket(name: request.parameter("name"), pages: pages)
        return StudioAnswer(
          content: .webSocket(LimitedFrames(base: MessageFrameWSHandler(handler: socket))))
      },
    ]
  }
}
