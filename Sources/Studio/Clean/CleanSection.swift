import Foundation
import InkDatasets
import Recognition

/// `/v1/data`: data as walls of ink, suspect labels, and decisions about them.
struct CleanSection: StudioSection {
  private let context: StudioContext
  private let walls: OpenWalls

  /// The most inks of one answer, and the most decisions of one request.
  private static let (mostInks, mostDecisions) = (512, 10_000)

  init(_ context: StudioContext) {
    self.context = context
    walls = OpenWalls(context.project, context.data)
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/data") { _ in
        try .json(["data": context.data.allowed + context.data.files()])
      },
      StudioRoute(.POST, "/v1/data/open", mostBytes: 64 << 10, open),
      StudioRoute(.GET, "/v1/data/:wall") { request in
        try .json(WallStatus(wall(request), lists: request.query["lists"] == "1"))
      },
      StudioRoute(.GET, "/v1/data/:wall/inks", inks),
      StudioRoute(.GET, "/v1/data/:wall/inks/:ink", ink),
      StudioRoute(.POST, "/v1/data/:wall/read", mostBytes: 64 << 10, read),
      StudioRoute(.POST, "/v1/data/:wall/examine", mostBytes: 64 << 10, examine),
      StudioRoute(.POST, "/v1/data/:wall/cancel") { request in
        let wall = try wall(request)
        wall.work?.cancel()
        return try .json(WallStatus(wall, lists: false))
      },
      StudioRoute(.GET, "/v1/data/:wall/suspects", suspects),
      StudioRoute(.GET, "/v1/data/:wall/decisions", decisions),
      StudioRoute(.POST, "/v1/data/:wall/decisions", decide),
      StudioRoute(.DELETE, "/v1/data/:wall/decisions/:fingerprint/:nth") { request in
        let key = try DecisionValue.key(
          request.parameter("fingerprint"), request.number("nth"), "decision")
        return try decide([DecisionEntry(key, nil)], on: wall(request))
      },
    ]
  }

  private func wall(_ request: StudioRequest) throws(StudioError) -> InkWall {
    try walls.wall(request.parameter("wall"))
  }

  // MARK: - Looking

  @Sendable private func open(_ request: StudioRequest) throws -> StudioAnswer {
    struct Body: Decodable {
      var data: String
    }
    return try .json(WallStatus(walls.open(request.decoded(Body.self).data), lists: false))
  }

  /// The answer with inks of a range.
  private struct Inks: Encodable {
    var revision: Int
    var total: Int
    var from: Int
    var inks: [WallInk]
  }

  @Sendable private func inks(_ request: StudioRequest) throws -> StudioAnswer {
    let filter = try WallFilter(request.query)
    let from = try request.queryNumber("from", in: 0...1_000_000_000) ?? 0
    let count = try request.queryNumber("count", in: 0...Self.mostInks) ?? 100
    let found = try wall(request).inks(of: filter, at: request.queryNumber("at"))
    let range = min(from, found.inks.count)..<min(from + count, found.inks.count)
    return try .json(
      Inks(
        revision: found.revision, total: found.inks.count, from: from,
        inks: found.inks[range].map { WallInk(Int($0), found.state, .thumbnail) }))
  }

  @Sendable private func ink(_ request: StudioRequest) throws -> StudioAnswer {
    let state = try wall(request).ready()
    let ink = try request.number("ink")
    guard ink < state.table.count else {
      throw StudioError(.notFound, "expected an ink of this data, found another", field: "ink")
    }
    return try .json(WallInk(ink, state, .large).placed(in: state.table))
  }

  /// The answer with the findings of the data doctor.
  private struct Suspects: Encodable {
    var findings: WallFindings.Summary?
    var total: Int
    /// Those about which nothing was decided.
    var open: Int
    var inks: [WallInk]
  }

  @Sendable private func suspects(_ request: StudioRequest) throws -> StudioAnswer {
    let from = try request.queryNumber("from", in: 0...1_000_000_000) ?? 0
    let count = try request.queryNumber("count", in: 0...Self.mostInks) ?? 100
    let state = try wall(request).ready()
    let order = state.findings?.order ?? []
    return try .json(
      Suspects(
        findings: state.findings?.summary, total: order.count,
        open: order.count { state.decisionOf[$0] == nil },
        inks: order[min(from, order.count)..<min(from + count, order.count)]
          .map { WallInk($0, state, nil) }))
  }

  // MARK: - Work

  private struct ModelBody: Decodable {
    var model: String?
  }

  @Sendable private func read(_ request: StudioRequest) throws -> StudioAnswer {
    let wall = try wall(request)
    guard let model = try request.decoded(ModelBody.self).model else {
      throw StudioError(.invalidValue, "expected the name of a model", field: "model")
    }
    try wall.read(with: recognizer(model), named: model)
    return try .json(WallStatus(wall, lists: false), status: .accepted)
  }

  @Sendable private func examine(_ request: StudioRequest) throws -> StudioAnswer {
    let wall = try wall(request)
    let model = request.body.isEmpty ? nil : try request.decoded(ModelBody.self).model
    try wall.examine(with: model.map { (try recognizer($0), $0) })
    return try .json(WallStatus(wall, lists: false), status: .accepted)
  }

  private func recognizer(_ model: String) throws -> any Recognizer {
    do {
      return try context.configuration.library.reader(for: ReadingSpecification(model: model))
    } catch let error as RecognitionError {
      throw StudioError(.notFound, "\(error)", field: "model")
    }
  }

  // MARK: - Deciding

  @Sendable private func decisions(_ request: StudioRequest) throws -> StudioAnswer {
    struct Answer: Encodable {
      var file: String
      var unmatched: Int
      var decisions: [DecisionValue]
    }
    let wall = try wall(request)
    let state = try wall.ready()
    return try .json(
      Answer(
        file: wall.file.path, unmatched: state.unmatched,
        decisions: state.decisionOf.sorted { $0.key < $1.key }.prefix(Self.mostDecisions)
          .map { DecisionValue(state.table.keys[$0.key], $0.value, id: $0.key) }))
  }

  @Sendable private func decide(_ request: StudioRequest) throws -> StudioAnswer {
    struct Body: Decodable {
      var decisions: [DecisionValue]
    }
    let values = try request.decoded(Body.self).decisions
    guard (1...Self.mostDecisions).contains(values.count) else {
      throw StudioError(
        .invalidValue, "expected 1 to \(Self.mostDecisions) decisions", field: "decisions")
    }
    let entries = try values.enumerated().map { try $1.entry("decisions[\($0)]") }
    return try decide(entries, on: wall(request))
  }

  /// The answer after a decision.
  private struct Decided: Encodable {
    var status: WallStatus
    /// The inks as they are now.
    var inks: [WallInk]
  }

  private func decide(_ entries: [DecisionEntry], on wall: InkWall) throws -> StudioAnswer {
    try wall.decide(entries)
    let state = try wall.ready()
    return try .json(
      Decided(
        status: WallStatus(wall, lists: false),
        inks: entries.compactMap { state.ink(of: $0.key) }.map { WallInk($0, state, nil) }))
  }
}
