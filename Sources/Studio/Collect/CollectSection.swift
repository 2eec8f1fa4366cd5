import FlyingFox
import Foundation

/// The requests of the page Collect.
///
/// | Request | Effect |
/// |---|---|
/// | `GET /v1/collect` | lists sessions and texts |
/// | `POST /v1/collect` | makes a session |
/// | `POST /v1/collect-preview` | returns the prompts that a source gives |
/// | `GET /v1/collect/NAME?after=K` | the state, and the next prompt after K |
/// | `GET /v1/collect/NAME/prompts?from=K&count=N` | prompts |
/// | `GET /v1/collect/NAME/samples?last=N` | the last samples with their ink |
/// | `GET`, `PUT`, `DELETE /v1/collect/NAME/samples/K` | one sample |
/// | `PUT`, `DELETE /v1/collect/NAME/skipped/K` | skips a prompt, or not |
/// | `PUT /v1/collect/NAME/options` | guide lines, writing area, pseudonym |
struct CollectSection: StudioSection {
  private let store: CollectStore
  private let texts: CollectTexts

  init(_ context: StudioContext) {
    store = CollectStore(context.project)
    texts = CollectTexts(context.project)
  }

  /// Makes a section with other texts, for tests.
  init(store: CollectStore, texts: CollectTexts) {
    (self.store, self.texts) = (store, texts)
  }

  /// The most prompts or samples of one answer.
  static let mostItems = 500
  /// The most samples with their ink of one answer.
  static let mostSamples = 50
  /// The most prompts that a preview shows.
  static let previewed = 60

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/collect") { _ in try await list() },
      StudioRoute(.POST, "/v1/collect") { try await create($0) },
      StudioRoute(.POST, "/v1/collect-preview") { try preview($0) },
      StudioRoute(.GET, "/v1/collect/:name") { try await state($0) },
      StudioRoute(.GET, "/v1/collect/:name/prompts") { try await prompts($0) },
      StudioRoute(.GET, "/v1/collect/:name/samples") { try await samples($0) },
      StudioRoute(.GET, "/v1/collect/:name/samples/:prompt") { try await sample($0) },
      StudioRoute(.PUT, "/v1/collect/:name/samples/:prompt", mostBytes: CollectSample.mostBytes) {
        try await put($0)
      },
      StudioRoute(.DELETE, "/v1/collect/:name/samples/:prompt") { try await delete($0) },
      StudioRoute(.PUT, "/v1/collect/:name/skipped/:prompt") { try await skip($0, true) },
      StudioRoute(.DELETE, "/v1/collect/:name/skipped/:prompt") { try await skip($0, false) },
      StudioRoute(.PUT, "/v1/collect/:name/options") { try await change($0) },
    ]
  }

  // MARK: - Sessions

  private func list() async throws -> StudioAnswer {
    struct List: Encodable {
      var sessions: [CollectStore.Summary]
      var files: [CollectTexts.File]
      var languages: [CollectTexts.Language]
      var lists = CollectTexts.BuiltIn.allCases.map(\.rawValue)
    }
    return try .json(
      List(
        sessions: try await store.list(), files: texts.files(),
        languages: texts.installedLanguages()))
  }

  private func create(_ request: StudioRequest) async throws -> StudioAnswer {
    struct New: Decodable {
      var name: String
      var writer: String?
      var source: CollectSource
      var options: CollectPlan.Options?
    }
    let new = try request.decoded(New.self)
    let plan = try CollectPlan(
      writer: new.writer ?? "", options: new.options ?? .init(),
      prompts: try new.source.prompts(from: texts))
    return try .json(try await store.create(new.name, plan), status: .created)
  }

  private func preview(_ request: StudioRequest) throws -> StudioAnswer {
    struct Wanted: Decodable { var source: CollectSource }
    struct Count: Encodable {
      var character: String
      var count: Int
    }
    struct Preview: Encodable {
      var count: Int
      var prompts: [CollectPrompt]
      var characters: [Count]
    }
    let prompts = try request.decoded(Wanted.self).source.prompts(from: texts)
    let counts = BalancedCorpus.counts(prompts.map(\.label))
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return try .json(
      Preview(
        count: prompts.count, prompts: Array(prompts.prefix(Self.previewed)),
        characters: counts.map { Count(character: String($0.key), count: $0.value) }))
  }

  private func state(_ request: StudioRequest) async throws -> StudioAnswer {
    let after = try request.queryNumber("after") ?? -1
    return try .json(
      try await store.with(request.parameter("name")) {
        $0.state(after: min(after, CollectPlan.mostPrompts))
      })
  }

  private func change(_ request: StudioRequest) async throws -> StudioAnswer {
    struct Change: Decodable {
      var options: CollectPlan.Options?
      var writer: String?
    }
    let change = try request.decoded(Change.self)
    return try .json(
      try await store.with(request.parameter("name")) { session in
        try session.change(change.options, writer: change.writer)
        return session.state()
      })
  }

  private func prompts(_ request: StudioRequest) async throws -> StudioAnswer {
    struct Page: Encodable { var prompts: [CollectSession.Prompt] }
    let from = try request.queryNumber("from", in: 0...CollectPlan.mostPrompts) ?? 0
    let count = try request.queryNumber("count", in: 1...Self.mostItems) ?? 50
    return try .json(
      try await store.with(request.parameter("name")) {
        Page(prompts: $0.prompts(from..<(from + count)))
      })
  }

  // MARK: - Samples

  private func samples(_ request: StudioRequest) async throws -> StudioAnswer {
    let count = try request.queryNumber("last", in: 1...Self.mostSamples) ?? 12
    let lines = try await store.with(request.parameter("name")) { try $0.last(count) }
    // The lines are JSON already.
    var bytes = Data(#"{"samples":["#.utf8)
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(line)
    }
    bytes.append(Data("]}".utf8))
    return .bytes(bytes, type: "application/json")
  }

  private func sample(_ request: StudioRequest) async throws -> StudioAnswer {
    let prompt = try request.number("prompt")
    return .bytes(
      try await store.with(request.parameter("name")) { try $0.line(of: prompt) },
      type: "application/json")
  }

  private func put(_ request: StudioRequest) async throws -> StudioAnswer {
    struct Stored: Encodable {
      var id: String
      var prompt: Int
      var warnings: [CollectWarning]
      var isRepeated: Bool
      var state: CollectSession.State
    }
    let prompt = try request.number("prompt")
    let sample = try request.decoded(CollectSample.self)
    return try await answer(request, prompt) { session in
      let stored = try session.put(sample, at: prompt)
      return Stored(
        id: sample.id, prompt: prompt, warnings: stored.warnings, isRepeated: stored.isRepeated,
        state: session.state(after: prompt))
    }
  }

  private func delete(_ request: StudioRequest) async throws -> StudioAnswer {
    let prompt = try request.number("prompt")
    guard let id = request.query["id"], CollectSample.isIdentifier(id) else {
      throw StudioError(
        .invalidValue, "expected the identifier of the sample in the query", field: "id")
    }
    return try await answer(request, prompt) { session in
      try session.delete(prompt, id: id)
      return session.state(after: prompt - 1)
    }
  }

  private func skip(_ request: StudioRequest, _ isSkipped: Bool) async throws -> StudioAnswer {
    let prompt = try request.number("prompt")
    return try await answer(request, prompt) { session in
      try session.skip(prompt, isSkipped)
      return session.state(after: isSkipped ? prompt : prompt - 1)
    }
  }

  /// The answer if another page changed the prompt.
  private struct Conflict: Encodable {
    struct Fault: Encodable {
      var code = StudioError.Code.conflict.rawValue
      var message: String
    }
    var error: Fault
    var prompt: CollectSession.Prompt
    var state: CollectSession.State
  }

  /// Answers with the value of an action on a session. If another page changed the prompt, the
  /// answer is a conflict that includes the present state, so that the page can go on.
  private func answer(
    _ request: StudioRequest, _ prompt: Int,
    _ action: @Sendable (CollectSession) throws -> some Encodable & SendableMetatype
  ) async throws -> StudioAnswer {
    return try await store.with(request.parameter("name")) { session in
      do {
        return try .json(try action(session))
      } catch let stale as CollectSession.Stale {
        return try .json(
          Conflict(
            error: .init(message: stale.message), prompt: session.prompt(prompt),
            state: session.state(after: prompt)),
          status: .conflict)
      }
    }
  }
}
