import Distributed
import Evaluation
import Foundation
import InkCore
import InkDatasets
import LinearAlgebra
import Training

/// Measures training steps for `ductus bench --scaling`: of this process, and of several that mpirun
/// starts. Without mpirun the command starts itself under mpirun with two processes.
struct BenchScaling {
  private let plan: BenchPlan
  private let ranks: MPIRanks?
  private let workers: Int

  init(_ plan: BenchPlan, ranks: MPIRanks?) {
    self.plan = plan
    self.ranks = ranks
    workers = min(plan.workers, RankedRun.processors)
  }

  /// Measures. All ranks call it.
  ///
  /// - Returns: The report; in ranks but the first it has no figures of use.
  func measured() throws -> ScalingReport {
    var report = ScalingReport(
      ductus: Ductus.configuration.version,
      processor: Processor.current.modelName.isEmpty
        ? "unknown processor" : Processor.current.modelName,
      cores: Processor.current.logicalCores, blas: BLASLibrary.current, rounds: plan.rounds,
      workers: workers, networks: [])
    let glyphs = try Glyphs()
    let lines = try Lines()
    if let ranks { report.messages = try messages(ranks) }
    report.networks = [
      try network(
        kind: "glyphs", preset: "standard", mostShards: glyphs.mostShards,
        messages: report.messages, glyphs.trainer),
      try network(
        kind: "lines", preset: "base", mostShards: lines.mostShards, messages: report.messages,
        lines.trainer),
    ]
    if ranks == nil { addRanks(to: &report) }
    return report
  }

  /// A trainer whose steps are timed.
  private final class Timed {
    let parameters: Int
    let floats: Int
    let batchSize: Int
    let shards: Int
    /// Takes some passes over the data; the seconds of one step.
    private let pass: (Int) -> Double
    private let steps: Int
    private let ranks: MPIRanks?
    /// The seconds of a step; nil before the first.
    private var known: Double?
    private var seconds: [Double] = []

    init<Task>(_ trainer: Trainer<Task>, ranks: MPIRanks?) {
      parameters = trainer.task.tensors.reduce(0) { $1.role == .statistic ? $0 : $0 + $1.count }
      floats = trainer.task.parameterCount
      batchSize = trainer.configuration.batchSize
      shards = trainer.configuration.shards
      self.ranks = ranks
      let steps = max(1, trainer.stepsPerEpoch)
      self.steps = steps
      // Whole passes, so that every measurement has the same batches.
      pass = { trainer.time(steps: steps * $0).time / .seconds(1) / Double(steps * $0) }
    }

    /// Takes steps for about some seconds.
    func measure(_ duration: Double) throws {
      let step = known ?? pass(1)
      known = step
      var passes = max(1, Int(duration / max(step * Double(steps), 1e-6)))
      if let ranks { passes = try ranks.exchange(passes)[0] }
      seconds.append(pass(passes))
    }

    /// The seconds of a step.
    var step: Spread { Spread(seconds) }
  }

  /// The size of a trainer: of the batch, and the shards of a step, in those of the preset.
  private struct Size {
    var batch = 1.0
    var shards = 1
  }

  /// Measures the steps of a network.
  ///
  /// - Parameter make: Makes a trainer of a size with a number of workers, and ranks.
  private func network(
    kind: String, preset: String, mostShards: Int, messages: ScalingReport.Messages?,
    _ make: (Size, _ workers: Int, _ ranks: MPIRanks?) throws -> Timed
  ) throws -> ScalingReport.Network {
    // A step takes u + s a + d: an update, s shards, and a part that is linear in the batch.
    let whole = try make(Size(), 1, nil)
    let half = try make(Size(batch: 0.5), 1, nil)
    let finer = try make(Size(shards: 2), 1, nil)
    let node = workers == 1 ? whole : try make(Size(), workers, nil)
    let several = try ranks.map { ranks in
      (
        ranks, try make(Size(), 1, ranks),
        ranks.count == workers ? node : try make(Size(), ranks.count, nil)
      )
    }
    var alone = [whole, half, finer, node]
    if let several { alone.append(several.2) }
    alone = alone.enumerated().filter { place, one in
      !alone[..<place].contains { $0 === one }
    }.map(\.element)
    for _ in 0..<plan.rounds {
      if (ranks?.rank ?? 0) == 0 {
        for one in alone { try one.measure(plan.trainingSeconds) }
      }
      guard let (ranks, together, _) = several else { continue }
      // The others wait until the first has measured.
      _ = try ranks.exchange(0)
      try together.measure(plan.trainingSeconds)
    }
    let step = whole.step
    let shards = whole.shards
    let undivided = min(step.median, max(0, 2 * half.step.median - step.median))
    let shard = min(
      undivided / Double(shards), max(0, (finer.step.median - step.median) / Double(shards)))
    var network = ScalingReport.Network(
      kind: kind, preset: preset, parameters: whole.parameters, gradientBytes: 4 * whole.floats,
      batchSize: whole.batchSize, shards: shards, stepSeconds: step,
      updateSeconds: undivided - Double(shards) * shard, shardSeconds: shard,
      nodeSeconds: node.step, predictions: [])
    if let (ranks, together, process) = several, let messages {
      let machines = Set(ranks.hosts).count
      let model = model(of: network, mostShards: mostShards, workers: 1)
      // Ranks of one machine share its memory, as the workers of a process do.
      let computing =
        machines == 1 ? process.step.median : model.dividedStep(nodes: ranks.count, .ordered, .free)
      network.measured = ScalingReport.Measured(
        ranks: ranks.count, machines: machines, stepSeconds: together.step,
        processSeconds: process.step,
        predictedSeconds: computing
          + model.messageSeconds(
            nodes: ranks.count, shards: (shards + ranks.count - 1) / ranks.count, .ordered,
            .init(
              gigabits: 8 * messages.bytesPerSecond / 1e9,
              latencySeconds: messages.latencySeconds)))
    }
    network.predictions = predictions(for: network, mostShards: mostShards)
    return network
  }

  /// The cost model of a network on nodes with some workers.
  private func model(
    of network: ScalingReport.Network, mostShards: Int, workers: Int
  ) -> ScalingModel {
    let step = network.stepSeconds.median
    var model = ScalingModel(
      gradientBytes: network.gradientBytes, updateSeconds: network.updateSeconds,
      shardSeconds: network.shardSeconds,
      dividedSeconds: step - network.updateSeconds
        - Double(network.shards) * network.shardSeconds, shards: network.shards,
      mostShards: mostShards, workers: workers)
    let ideal = model.computing(own: network.shards, of: network.shards)
    if workers > 1, ideal > 0 {
      model.slowdown = max(1, (network.nodeSeconds.median - network.updateSeconds) / ideal)
    }
    return model
  }

  /// The predictions for nodes of all workers.
  private func predictions(
    for network: ScalingReport.Network, mostShards: Int
  ) -> [ScalingReport.Prediction] {
    let model = model(of: network, mostShards: mostShards, workers: workers)
    let node = model.stepSeconds
    return ScalingModel.nodeCounts.flatMap { nodes in
      ScalingModel.Link.usual.flatMap { link in
        ScalingModel.Exchange.allCases.map { exchange in
          ScalingReport.Prediction(
            nodes: nodes, link: link, exchange: exchange,
            efficiency: node / model.multipliedStep(nodes: nodes, exchange, link),
            speedUp: node / model.dividedStep(nodes: nodes, exchange, link))
        }
      }
    }
  }

  // MARK: - Messages

  /// Measures messages between the first two ranks, as training sends them.
  private func messages(_ ranks: MPIRanks) throws -> ScalingReport.Messages? {
    guard ranks.count > 1 else { return nil }
    let (empty, full) = (try roundTrip(ranks, bytes: 8), try roundTrip(ranks, bytes: 1 << 24))
    // A round trip has two messages.
    let latency = empty / 2
    return .init(
      latencySeconds: latency, bytesPerSecond: Double(1 << 24) / max(full / 2 - latency, 1e-9))
  }

  /// The shortest of some round trips, in seconds.
  private func roundTrip(_ ranks: MPIRanks, bytes: Int) throws -> Double {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    defer { memory.deallocate() }
    var shortest = Double.infinity
    if ranks.rank < 2 {
      let other = 1 - ranks.rank
      for _ in 0..<(bytes > 1000 ? 5 : 50) {
        let start = ContinuousClock.now
        for isSending in ranks.rank == 0 ? [true, false] : [false, true] {
          if isSending {
            ranks.send(.init(memory), to: other, tag: .bytes)
          } else {
            ranks.receive(into: memory, from: other, tag: .bytes)
          }
          try ranks.finish()
        }
        shortest = min(shortest, (ContinuousClock.now - start) / .seconds(1))
      }
    }
    _ = try ranks.exchange(0)
    return shortest
  }

  // MARK: - Trainers

  /// The default glyph network on inks of a seed.
  private struct Glyphs {
    private var set = GlyphTrainingSet(labels: BenchInks.labels)
    private let configuration = GlyphPreset.standard.configuration

    init() throws {
      for record in try BenchInks(count: 512, seed: 1).records { try set.append(record) }
    }

    /// A shard has at least 8 inks.
    var mostShards: Int { configuration.batchSize / 8 }

    func trainer(_ size: Size, workers: Int, ranks: MPIRanks?) throws -> Timed {
      var configuration = configuration
      configuration.batchSize = Int(Double(configuration.batchSize) * size.batch)
      configuration.shards *= size.shards
      let task = try GlyphTask(
        configuration: configuration, training: set, validation: set, workers: workers)
      return Timed(try GlyphTrainer(task, ranks: ranks), ranks: ranks)
    }
  }

  /// The line network of the default preset on synthetic lines.
  private struct Lines {
    private var set: LineTrainingSet
    private var configuration = LinePreset.base.configuration

    init() throws {
      let data = try DataSpecification(parsing: "starter:words?length=5&split=all&limit=32")
      let lines = try data.records().map { try $0.get().labeled }
      set = LineTrainingSet(labels: Set(lines.flatMap { $0.label.map(String.init) }).sorted())
      for line in lines { set.append(try Trajectory(line.ink), text: line.label, for: .training) }
      configuration.batchSize = 32
      configuration.cutsLines = false
    }

    /// A shard has at least one line.
    var mostShards: Int { configuration.batchSize }

    func trainer(_ size: Size, workers: Int, ranks: MPIRanks?) throws -> Timed {
      var configuration = configuration
      configuration.batchSize = Int(Double(configuration.batchSize) * size.batch)
      configuration.shards *= size.shards
      let task = try LineTask(
        configuration: configuration, training: set, validation: set, workers: workers)
      return Timed(try LineTrainer(task, ranks: ranks), ranks: ranks)
    }
  }

  // MARK: - Two processes

  /// Runs this command under mpirun with two processes, and takes what it measured.
  private func addRanks(to report: inout ScalingReport) {
    do {
      let found = try Self.ranked(isQuick: plan.isQuick)
      report.messages = found.messages
      for index in report.networks.indices {
        report.networks[index].measured =
          found.networks.first { $0.kind == report.networks[index].kind }?.measured
      }
    } catch {
      report.unmeasured = "\(error)"
    }
  }

  private static func ranked(isQuick: Bool) throws -> ScalingReport {
    guard let tool = Bundle.main.executableURL?.path else {
      throw ToolError.failed("the path of this program is not known")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["mpirun"] + (geteuid() == 0 ? ["--allow-run-as-root"] : [])
      + [
        "--oversubscribe", "--bind-to", "none", "-n", "2", tool, "bench", "--scaling", "--json",
        "-",
      ]
      + (isQuick ? ["--quick"] : [])
    let (output, errors) = (Pipe(), FileManager.default.temporaryDirectory)
    let log = errors.appendingPathComponent("ductus-scaling-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: log) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus != 127 else {
      throw ToolError.failed("no mpirun; 'scripts/setup --mpi' installs Open MPI")
    }
    guard process.terminationStatus == 0 else {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      let first = text.split(separator: "\n").first { $0.contains { $0.isLetter } }
      throw ToolError.failed("mpirun failed: \(first ?? "it says nothing")")
    }
    return try JSONDecoder().decode(ScalingReport.self, from: bytes)
  }
}
