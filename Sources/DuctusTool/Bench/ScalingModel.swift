import Foundation

/// A cost model of one training step on several machines, called nodes.
///
/// A step has a part that every node does for itself (the norm and the update of the weights), and
/// shards. A shard takes a time of its own and a share of the batch's time. The workers of a node compute
/// one shard each at a time. Nothing overlaps, so that it is an upper bound: gradients are in fact sent
/// while the next shard is computed. For P parameters, n nodes, s shards per node, b bytes per
/// second, and a latency L, the messages take
///
/// - in order: 2 L + (s + 1) ((n - 1) o + 4 P (n - 1) / (n b)). Every shard goes to the owners
///   of its ranges, and the sums go to all. o is the work of the sender for one message. This is the
///   exchange of Ductus: the order of the sums does not depend on the number of nodes.
/// - in a ring: 2 (n - 1) L + 8 P (n - 1) / (n b).
/// - in a tree: 2 log2(n) (L + 4 P / b).
///
/// The last two add the shards of a node first. They are what other programs use, and change the last
/// bits with the number of nodes.
package struct ScalingModel: Hashable, Sendable {
  /// The way in which gradients are summed over the nodes.
  package enum Exchange: String, Codable, CaseIterable, Sendable {
    case ordered
    case ring
    case tree
  }

  /// A network between nodes.
  package struct Link: Hashable, Codable, Sendable {
    /// 10^9 bits per second.
    package var gigabits: Double
    /// The time of a message without content.
    package var latencySeconds: Double

    /// Makes a link.
    package init(gigabits: Double, latencySeconds: Double) {
      (self.gigabits, self.latencySeconds) = (gigabits, latencySeconds)
    }

    /// A link on which messages take no time.
    package static let free = Link(gigabits: .infinity, latencySeconds: 0)

    var bytesPerSecond: Double { gigabits * 1e9 / 8 }

    /// The usual latencies: TCP on Ethernet for the first two, InfiniBand for the last.
    package static let usual = [
      Link(gigabits: 1, latencySeconds: 50e-6), Link(gigabits: 10, latencySeconds: 20e-6),
      Link(gigabits: 100, latencySeconds: 3e-6),
    ]
  }

  /// The numbers of nodes of a prediction.
  package static let nodeCounts = [2, 4, 8, 16, 32, 64, 128, 256]
  /// The work of a sender for one message: about the time of a call of the library and of the system.
  static let messageSeconds = 5e-6

  /// Bytes of the gradients of a shard.
  package var gradientBytes: Int
  /// Seconds of the part of a step that every node does for itself.
  package var updateSeconds: Double
  /// Seconds that every shard takes, whatever its size.
  package var shardSeconds: Double
  /// Seconds of all shards on one worker beside those.
  package var dividedSeconds: Double
  /// The shards of a step.
  package var shards: Int
  /// The most shards that the batch can be cut into.
  package var mostShards: Int
  /// The workers of a node.
  package var workers: Int
  /// The time of a shard when all workers compute, in times of a worker alone: they share memory.
  package var slowdown: Double

  /// Makes the model of a step.
  package init(
    gradientBytes: Int, updateSeconds: Double, shardSeconds: Double, dividedSeconds: Double,
    shards: Int, mostShards: Int, workers: Int = 1, slowdown: Double = 1
  ) {
    self.gradientBytes = gradientBytes
    self.updateSeconds = updateSeconds
    self.shardSeconds = shardSeconds
    self.dividedSeconds = dividedSeconds
    self.shards = shards
    self.mostShards = max(shards, mostShards)
    self.workers = workers
    self.slowdown = slowdown
  }

  /// Seconds of computing shards on one node.
  ///
  /// - Parameters:
  ///   - own: The shards of the node.
  ///   - all: The shards of the batch.
  package func computing(own: Int, of all: Int) -> Double {
    let rounds = Double((own + workers - 1) / workers)
    return rounds * (shardSeconds + dividedSeconds / Double(all)) * slowdown
  }

  /// Seconds of a step on one node.
  package var stepSeconds: Double { updateSeconds + computing(own: shards, of: shards) }

  /// Seconds of the messages of a step.
  ///
  /// - Parameter shards: The shards of one node.
  package func messageSeconds(
    nodes: Int, shards: Int, _ exchange: Exchange, _ link: Link
  ) -> Double {
    guard nodes > 1 else { return 0 }
    let (others, bytes) = (Double(nodes - 1), Double(gradientBytes))
    let part = bytes * others / Double(nodes) / link.bytesPerSecond
    switch exchange {
    case .ordered:
      return 2 * link.latencySeconds
        + Double(shards + 1) * (others * Self.messageSeconds + part)
    case .ring: return 2 * others * link.latencySeconds + 2 * part
    case .tree:
      let levels = log2(Double(nodes)).rounded(.up)
      return 2 * levels * (link.latencySeconds + bytes / link.bytesPerSecond)
    }
  }

  /// Seconds of a step whose batch is divided among the nodes. The number of shards grows with the
  /// workers of all nodes up to ``mostShards``; more than that have nothing to compute.
  package func dividedStep(nodes: Int, _ exchange: Exchange, _ link: Link) -> Double {
    let all = min(max(shards, nodes * workers), mostShards)
    let own = (all + nodes - 1) / nodes
    return updateSeconds + computing(own: own, of: all)
      + messageSeconds(nodes: nodes, shards: own, exchange, link)
  }

  /// Seconds of a step in which every node computes a whole batch.
  package func multipliedStep(nodes: Int, _ exchange: Exchange, _ link: Link) -> Double {
    stepSeconds + messageSeconds(nodes: nodes, shards: shards, exchange, link)
  }
}
