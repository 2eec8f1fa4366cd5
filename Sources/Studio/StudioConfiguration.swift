import Foundation
import Recognition

/// The settings of a ``StudioServer``: its project, its address and its models.
package struct StudioConfiguration: Sendable {
  /// The folder of the project. It is made if it does not exist.
  package var folder: URL
  /// The address to listen on. Another than the loopback interface lets other devices in, which
  /// must know the token.
  package var host: String
  /// The port; 0 for any free one.
  package var port: UInt16
  /// The token of the address; nil for that of the project.
  package var token: String?
  /// The models that can be used, and the default one.
  package var library: ModelLibrary
  /// The executable `ductus`, which trains and evaluates in processes of its own.
  package var tool: URL
  /// Data outside the project that the pages may use, as `FORMAT:PATH[?key=value&...]`.
  package var data: [String]
  /// The log of trainings; nil for the user's.
  package var runLog: URL?
  /// The folders of notes that the page *Notes* searches.
  package var notes: [URL]

  /// Makes a configuration. By default the server listens on the loopback interface only.
  package init(
    folder: URL, library: ModelLibrary, tool: URL, host: String = "127.0.0.1",
    port: UInt16 = 8766, token: String? = nil, data: [String] = [], runLog: URL? = nil,
    notes: [URL] = []
  ) {
    self.folder = folder
    self.library = library
    self.tool = tool
    self.host = host
    self.port = port
    self.token = token
    self.data = data
    self.runLog = runLog
    self.notes = notes
  }
}
