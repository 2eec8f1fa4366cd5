import ArgumentParser
import CDuctus
import CInterface
import DuctusTool
import Foundation
import InkCore
import InkEditor
import InstalledModels
import Recognition
import Studio
import Testing
import WebAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The answer of a door to an ink: model, language and text, or the error. Members that a door does
/// not tell are nil.
struct DoorAnswer: Equatable {
  var model: String?
  var language: String?
  var text: String?
  /// The code of the error, at the doors that have codes.
  var code: String?
  /// The message of the error.
  var message: String?

  /// Reads an answer in JSON.
  init(json: Data) throws {
    let parsed = try JSONSerialization.jsonObject(with: json)
    let answer = parsed as? [String: Any] ?? (parsed as? [[String: Any]])?.first ?? [:]
    model = answer["model"] as? String
    language = answer["language"] as? String
    text = (answer["candidates"] as? [[String: Any]])?.first?["text"] as? String
    let error = answer["error"] as? [String: Any]
    code = error?["code"] as? String
    message = error?["message"] as? String
  }

  init(_ result: RecognitionResult) {
    (language, text) = (result.language, result.candidates.first?.text)
  }

  init(code: String? = nil, message: String) { (self.code, self.message) = (code, message) }
}

/// The ways into the library, as their users take them.
enum Door: String, CaseIterable {
  case file, pipe, http, studio, c, swift, editor

  /// True for doors that answer requests of others, which may not name paths.
  var refusesPaths: Bool { self == .http || self == .studio }

  /// Reads an ink; `name` is a model, a language or a path, or nil to name nothing.
  func answer(_ ink: Ink, _ name: String?, kind: DoorKind, in place: DoorPlace) async -> DoorAnswer
  {
    do {
      switch self {
      case .file: return try place.file(ink, name)
      case .pipe: return try place.pipe(ink, name)
      case .http: return try await place.send(place.request(ink, name), to: place.server)
      case .studio: return try await place.send(place.request(ink, name), to: place.studio)
      case .c: return try place.c(ink, name)
      case .swift:
        return DoorAnswer(
          try DigitalInkRecognizer(model: name, provider: place.library).recognizeNow(ink))
      case .editor: return try place.editor(ink, name, kind)
      }
    } catch let error as ToolError {
      return DoorAnswer(message: error.description)
    } catch {
      return DoorAnswer(message: "\(error)")
    }
  }
}

/// The kind of model that a row asks for: the editor asks for each kind apart.
enum DoorKind { case line, glyph }

/// All doors, open on the shipped models and those of a store.
final class DoorPlace {
  let folder: URL
  /// The models of the doors that name no paths.
  let library: ModelLibrary
  private(set) var server: URL
  private(set) var studio: URL
  private var tasks: [Task<Void, any Error>] = []

  /// Runs a test against all doors.
  static func run(_ body: (DoorPlace) async throws -> Void) async throws {
    let place = try await DoorPlace()
    defer {
      for task in place.tasks { task.cancel() }
      try? FileManager.default.removeItem(at: place.folder)
    }
    try await body(place)
  }

  private init() async throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-doors-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (server, studio) = (folder, folder)
    try Self.writeBadModels(in: folder)
    // The bad models have names at every door: those of the store, or of the command line.
    library = ModelLibrary([
      FolderModels(folder: folder),
      InstalledModels.library(store: folder.appendingPathComponent("none")),
    ])
    let service = try Serve.service(library, lexicons: [], limits: ExchangeLimits())
    let http = try WebAPIServer(
      service: service, configuration: WebAPIConfiguration(port: 0, seconds: 300))
    let studioServer = try StudioServer(
      StudioConfiguration(
        folder: folder.appendingPathComponent("project"),
        library: StudioModels.library(
          of: folder.appendingPathComponent("project"), others: library),
        tool: URL(fileURLWithPath: "/nonexistent"), port: 0, token: "test"))
    tasks = [Task { try await http.run() }, Task { try await studioServer.run() }]
    server = try await http.waitUntilListening() ?? folder
    studio = try await studioServer.waitUntilListening() ?? folder
  }

  /// Writes a damaged bundle and one without its network.
  private static func writeBadModels(in folder: URL) throws {
    let shapes = try InstalledModels.library().url(of: "shapes")
    for name in ["damaged", "partless"] {
      let bundle = folder.appendingPathComponent("\(name).ductus")
      try FileManager.default.copyItem(at: shapes, to: bundle)
      let part = bundle.appendingPathComponent("network.safetensors")
      if name == "partless" {
        try FileManager.default.removeItem(at: part)
      } else {
        var bytes = try Data(contentsOf: part)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: part)
      }
    }
  }

  // MARK: - The doors

  /// `ductus recognize FILE --json FILE`.
  func file(_ ink: Ink, _ name: String?) throws -> DoorAnswer {
    let (from, to) = (path("ink-\(UUID()).jsonl"), path("answer-\(UUID()).json"))
    try requestText(ink, nil).write(toFile: from, atomically: true, encoding: .utf8)
    let named = name.map { ["--model", $0] } ?? []
    let command = try #require(
      try Recognize.parseAsRoot(named + [from, "--json", to]) as? Recognize)
    try command.run()
    return try DoorAnswer(json: Data(contentsOf: URL(fileURLWithPath: to)))
  }

  /// `ductus recognize -`.
  func pipe(_ ink: Ink, _ name: String?) throws -> DoorAnswer {
    let (from, to) = (path("request-\(UUID())"), path("answers-\(UUID())"))
    try requestText(ink, name).write(toFile: from, atomically: true, encoding: .utf8)
    try Data().write(to: URL(fileURLWithPath: to))
    let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: from))
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: to))
    try RecognizePipe().run(input: input.fileDescriptor, output: output.fileDescriptor)
    return try DoorAnswer(json: Data(contentsOf: URL(fileURLWithPath: to)))
  }

  /// `POST /v1/recognize`.
  func send(_ body: String, to url: URL) async throws -> DoorAnswer {
    var request = URLRequest(
      url: try #require(URL(string: "/v1/recognize", relativeTo: url)), timeoutInterval: 300)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer test", forHTTPHeaderField: "Authorization")
    var answer = try DoorAnswer(json: await URLSession.shared.data(for: request).0)
    // The packs of all languages are opened by the first request, which takes long on a busy machine
    // without optimisation.
    for _ in 0..<5 where answer.code == "timedOut" {
      answer = try DoorAnswer(json: await URLSession.shared.data(for: request).0)
    }
    return answer
  }

  /// `ductus_recognizer_open` and `ductus_recognize_json`, which Python uses, too.
  func c(_ ink: Ink, _ name: String?) throws -> DoorAnswer {
    var error: OpaquePointer?
    guard let recognizer = ductusRecognizerOpen(name, &error) else {
      defer { ductusErrorFree(error) }
      let code =
        switch ductusErrorCode(error) {
        case Int32(DUCTUS_UNKNOWN_MODEL.rawValue): "unknownModel"
        case Int32(DUCTUS_UNUSABLE_MODEL.rawValue): "unusableModel"
        default: "other"
        }
      return DoorAnswer(code: code, message: String(cString: ductusErrorMessage(error)))
    }
    defer { ductusRecognizerFree(recognizer) }
    let text = try #require(ductusRecognizeJSON(recognizer, requestText(ink, nil)))
    defer { ductusStringFree(text) }
    return try DoorAnswer(json: Data(String(cString: text).utf8))
  }

  /// The recognisers of the editor. Its language is a setting, `en_US` if an app sets none.
  func editor(_ ink: Ink, _ name: String?, _ kind: DoorKind) throws -> DoorAnswer {
    let models = ProvidedModels(library)
    let recognizer =
      switch kind {
      case .line: try models.textRecognizer(bundle: name ?? "en_US", name: "text")
      case .glyph: try models.shapeRecognizer(name: name ?? "shapes")
      }
    return DoorAnswer(try recognizer.recognize(ink, context: .init(), maximumCandidates: 5))
  }

  // MARK: - Requests

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func request(_ ink: Ink, _ name: String?) -> String { requestText(ink, name) }

  private func requestText(_ ink: Ink, _ name: String?) -> String {
    let strokes = ink.strokes.map { stroke in
      let (x, y) = (stroke.points.map { "\($0.x)" }, stroke.points.map { "\($0.y)" })
      return #"{"x":[\#(x.joined(separator: ","))],"y":[\#(y.joined(separator: ","))]}"#
    }
    let model = name.map { #","model":"\#($0)""# } ?? ""
    return #"{"strokes":[\#(strokes.joined(separator: ","))]\#(model)}"#
  }
}

/// The models of a folder, by the names of the bundles' folders.
private struct FolderModels: ModelProvider {
  let folder: URL

  var models: [ModelDescription] { [] }

  func bundleURL(of identifier: String) -> URL? {
    let url = folder.appendingPathComponent("\(identifier).ductus")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
