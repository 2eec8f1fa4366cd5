import DuctusTool
import Foundation
import Testing

@Suite("The cost model of training on several machines")
struct ScalingModelTests {
  /// Gradients of 1 MB, a step of 102 ms: 2 ms of it are not divided, and every shard takes 1 ms.
  private let model = ScalingModel(
    gradientBytes: 1_000_000, updateSeconds: 0.002, shardSeconds: 0.001, dividedSeconds: 0.096,
    shards: 4, mostShards: 16)
  private let link = ScalingModel.Link(gigabits: 8, latencySeconds: 0.001)

  @Test("One node sends nothing")
  func alone() {
    for exchange in ScalingModel.Exchange.allCases {
      #expect(model.messageSeconds(nodes: 1, shards: 4, exchange, link) == 0)
      #expect(model.multipliedStep(nodes: 1, exchange, link) == model.stepSeconds)
    }
  }

  @Test("The messages of two nodes, by hand")
  func twoNodes() {
    // 8 Gbit/s are 10^9 bytes per second: half of the gradients take 0.5 ms.
    let ordered = model.messageSeconds(nodes: 2, shards: 2, .ordered, link)
    #expect(abs(ordered - (2 * 0.001 + 3 * (5e-6 + 0.0005))) < 1e-12)
    let ring = model.messageSeconds(nodes: 2, shards: 2, .ring, link)
    #expect(abs(ring - (2 * 0.001 + 2 * 0.0005)) < 1e-12)
    let tree = model.messageSeconds(nodes: 2, shards: 2, .tree, link)
    #expect(abs(tree - 2 * (0.001 + 0.001)) < 1e-12)
  }

  @Test("A divided batch stops gaining when every shard has its node")
  func limit() {
    let free = ScalingModel.Link(gigabits: 1e9, latencySeconds: 0)
    let (sixteen, more) = (
      model.dividedStep(nodes: 16, .ring, free), model.dividedStep(nodes: 64, .ring, free)
    )
    #expect(abs(sixteen - (0.002 + 0.001 + 0.096 / 16)) < 1e-6)
    #expect(abs(more - sixteen) < 1e-6)
    // Three nodes share four shards: one computes two of them.
    #expect(abs(model.dividedStep(nodes: 3, .ring, free) - (0.002 + 2 * 0.025)) < 1e-6)
    #expect(abs(model.stepSeconds - 0.102) < 1e-12)
  }

  @Test("The workers of a node compute one shard each at a time")
  func workers() {
    var model = model
    model.workers = 3
    model.slowdown = 1.5
    // Four shards in two rounds.
    #expect(abs(model.stepSeconds - (0.002 + 2 * 0.025 * 1.5)) < 1e-12)
    // Two nodes with three workers have six shards.
    let two = model.dividedStep(nodes: 2, .ordered, .free)
    #expect(abs(two - (0.002 + (0.001 + 0.016) * 1.5 + 4 * 5e-6)) < 1e-9)
  }

  @Test("A slower network never makes a step faster")
  func monotone() {
    for exchange in ScalingModel.Exchange.allCases {
      for nodes in ScalingModel.nodeCounts {
        let times = ScalingModel.Link.usual.map { model.multipliedStep(nodes: nodes, exchange, $0) }
        #expect(times == times.sorted(by: >))
      }
    }
  }
}
