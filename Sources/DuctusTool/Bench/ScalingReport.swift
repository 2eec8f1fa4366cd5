import Evaluation
import Foundation
import LinearAlgebra

/// The report of `ductus bench --scaling`.
struct ScalingReport: Codable, Equatable {
  /// A step of one network.
  struct Network: Codable, Equatable {
    /// `glyphs` or `lines`.
    var kind: String
    var preset: String
    var parameters: Int
    /// Bytes of the gradients of a shard, as they are sent.
    var gradientBytes: Int
    var batchSize: Int
    /// The parts of a step.
    var shards: Int
    /// A step of one process with one worker.
    var stepSeconds: Spread
    /// The part of it that every process does for itself.
    var updateSeconds: Double
    /// The part of each shard that does not depend on its size.
    var shardSeconds: Double
    /// A step of one process with all workers of a node.
    var nodeSeconds: Spread
    /// Nil if it was not measured.
    var measured: Measured?
    var predictions: [Prediction]
  }

  /// A step of several processes with one worker each.
  struct Measured: Codable, Equatable {
    var ranks: Int
    var machines: Int
    var stepSeconds: Spread
    /// The same step of one process with as many workers.
    var processSeconds: Spread
    /// The share of the speed of that process.
    var shareOfProcess: Double { processSeconds.median / stepSeconds.median }
    /// The time of the step by the model, with the measured messages.
    var predictedSeconds: Double
  }

  /// A prediction for some nodes.
  struct Prediction: Codable, Equatable {
    var nodes: Int
    var link: ScalingModel.Link
    var exchange: ScalingModel.Exchange
    /// The share of the time that computes if every node computes a whole batch.
    var efficiency: Double
    /// The speed in single nodes if the batch of one node is divided.
    var speedUp: Double
  }

  /// Messages between two processes.
  struct Messages: Codable, Equatable {
    var latencySeconds: Double
    var bytesPerSecond: Double
  }

  var ductus: String
  var processor: String
  var cores: Int
  var blas: BLASLibrary
  var rounds: Int
  /// The workers of a node.
  var workers: Int
  var networks: [Network]
  /// Nil if they were not measured.
  var messages: Messages?
  /// The reason why several processes were not measured.
  var unmeasured: String?
}

// MARK: - As text

extension ScalingReport {
  /// The report as aligned lines.
  func text() -> String {
    let name = [blas.implementation.rawValue, blas.version, blas.core].compactMap(\.self)
    var lines = [
      "\(processor), \(cores) cores, \(name.joined(separator: " "))",
      "median (lowest ... highest) of \(rounds) rounds",
    ]
    if let messages {
      lines.append(
        String(
          format: "messages between two processes: %.0f µs, %.2f GB/s",
          1e6 * messages.latencySeconds, messages.bytesPerSecond / 1e9))
    }
    if let unmeasured { lines.append("several processes are not measured: \(unmeasured)") }
    for network in networks { lines += [""] + text(network) }
    return lines.joined(separator: "\n")
  }

  private func text(_ one: Network) -> [String] {
    var lines = [
      "\(one.kind), \(one.preset): \(one.parameters) parameters, batches of \(one.batchSize), "
        + "\(one.shards) shards, "
        + String(format: "%.2f MB of gradients each", Double(one.gradientBytes) / 1e6),
      "  a step, 1 worker    \(Self.milliseconds(one.stepSeconds)) ms, "
        + String(
          format: "of them %.1f ms not divided and %.1f ms for every shard",
          1000 * one.updateSeconds, 1000 * one.shardSeconds),
      "  a step, \(TerminalText.count(workers, "worker"))   "
        + "\(Self.milliseconds(one.nodeSeconds)) ms",
    ]
    if let measured = one.measured {
      let machines = TerminalText.count(measured.machines, "machine")
      lines += [
        "  measured, \(measured.ranks) ranks of 1 worker on \(machines) "
          + "\(Self.milliseconds(measured.stepSeconds)) ms; the model says "
          + String(format: "%.1f ms", 1000 * measured.predictedSeconds),
        "    one process with \(TerminalText.count(measured.ranks, "worker")) "
          + "\(Self.milliseconds(measured.processSeconds)) ms; "
          + String(format: "the ranks have %.2f times its speed", measured.shareOfProcess),
      ]
    }
    lines.append(
      "  predicted, for an exchange in order / ring / tree; nodes of "
        + TerminalText.count(workers, "worker"))
    lines.append("  every node computes a batch: share of the time that computes, %")
    lines += table(one) { String(format: "%.0f", 100 * $0.efficiency) }
    lines.append("  the batch is divided: times as fast as one node")
    lines += table(one) { String(format: "%.1f", $0.speedUp) }
    return lines
  }

  private func table(_ network: Network, _ cell: (Prediction) -> String) -> [String] {
    let links = ScalingModel.Link.usual
    let title = links.map { Self.padded(String(format: "%.0f Gbit/s", $0.gigabits)) }
    let rows = ScalingModel.nodeCounts.map { nodes in
      let cells = links.map { link in
        Self.padded(
          ScalingModel.Exchange.allCases.compactMap { exchange in
            network.predictions.first {
              $0.nodes == nodes && $0.link == link && $0.exchange == exchange
            }.map(cell)
          }.joined(separator: " / "))
      }
      return String(format: "    %5d  ", nodes) + cells.joined()
    }
    return ["    nodes  " + title.joined()] + rows
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 22 - text.count))
  }

  private static func milliseconds(_ seconds: Spread) -> String {
    String(
      format: "%.1f (%.1f ... %.1f)", 1000 * seconds.median, 1000 * seconds.low,
      1000 * seconds.high)
  }
}
