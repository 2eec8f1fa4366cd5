import Features
import Networks

/// What is wrong with a description read from a file or made of options.
package struct DescriptionFault: Hashable, Sendable {
  /// The member.
  package var what: String
  /// What it should be.
  package var expected: String
  /// What it is.
  package var found: String

  /// Says what is wrong.
  package init(what: String, expected: String, found: String) {
    self.what = what
    self.expected = expected
    self.found = found
  }
}

extension GlyphArchitecture {
  /// No activation or tensor of a network may have more floats than this: 16 Mi.
  static let maximumSize = 1 << 24
  /// All weights and activations of a network together may have at most this many floats: 64 Mi.
  static let maximumTotal = 1 << 26

  /// The number of classes: the units of the last layer, or nil where that is not a dense layer.
  var classes: Int? {
    guard case .dense(let units, _, _)? = head.last else { return nil }
    return units
  }

  /// The first member that does not make a network of reasonable size, or nil.
  ///
  /// Making a network of an architecture with a fault may trap: check what comes from a file.
  package var fault: DescriptionFault? {
    guard Self.isReasonable(sequence.steps, sequence.channels) else {
      return DescriptionFault(
        what: "sequence", expected: "sizes of 1 and more",
        found: "\(sequence.steps) x \(sequence.channels)")
    }
    guard (0...Self.maximumSize).contains(maps), (0...Self.maximumSize).contains(globals) else {
      return DescriptionFault(
        what: "maps and globals", expected: "sizes of 0 and more", found: "\(maps) and \(globals)")
    }
    guard classes != nil else {
      return DescriptionFault(what: "head", expected: "a dense layer at its end", found: "another")
    }
    var total = 0
    let (trunkOutput, trunkFault) = Self.follow(trunk, from: sequence, "trunk", &total)
    let (sideOutput, sideFault) = Self.followBranch(side, values: maps, "side", &total)
    let (contextOutput, contextFault) = Self.followBranch(
      context, values: globals, "context", &total)
    if let fault = trunkFault ?? sideFault ?? contextFault { return fault }
    let joined = trunkOutput.count + sideOutput.count + contextOutput.count
    return Self.follow(head, from: Shape(steps: 1, channels: joined), "head", &total).1
  }

  /// A branch over single values, which may be missing altogether.
  private static func followBranch(
    _ layers: [LayerSpecification], values: Int, _ name: String, _ total: inout Int
  ) -> (Shape, DescriptionFault?) {
    let input = Shape(steps: 1, channels: values)
    return values == 0 && layers.isEmpty ? (input, nil) : follow(layers, from: input, name, &total)
  }

  private static func isReasonable(_ sizes: Int...) -> Bool {
    var product = 1
    for size in sizes {
      guard size >= 1, size <= maximumSize else { return false }
      let (next, overflow) = product.multipliedReportingOverflow(by: size)
      guard !overflow, next <= maximumSize else { return false }
      product = next
    }
    return true
  }

  /// The output of layers, or the first that cannot be made; adds their floats to `total`.
  private static func follow(
    _ layers: [LayerSpecification], from input: Shape, _ name: String, _ total: inout Int
  ) -> (Shape, DescriptionFault?) {
    var shape = input
    for (index, layer) in layers.enumerated() {
      let isSound: Bool
      let inputChannels = shape.channels
      let inputCount = shape.count
      var weights = 0
      switch layer {
      case .convolution(let channels, let kernel, let bias, let relu):
        isSound =
          kernel % 2 == 1 && isReasonable(kernel, shape.channels, max(channels, shape.steps))
          && isReasonable(shape.steps, channels) && (bias || !relu)
        if isSound { weights = kernel * inputChannels * max(channels, shape.steps) }
        shape.channels = channels
      case .dense(let units, let bias, let relu):
        isSound = isReasonable(shape.steps, shape.channels, units) && (bias || !relu)
        if isSound { weights = inputCount * units }
        shape = Shape(steps: 1, channels: units)
      case .batchNormalization:
        isSound = true
      case .maxPool:
        isSound = true
        shape.steps = max(1, shape.steps / 2)
      case .dropout(let rate):
        guard rate >= 0, rate < 1 else {
          return (
            shape,
            DescriptionFault(
              what: "\(name) layer \(index)", expected: "a rate from 0, below 1", found: "\(rate)")
          )
        }
        isSound = true
      }
      guard isSound else {
        return (
          shape,
          DescriptionFault(
            what: "\(name) layer \(index)", expected: "sizes that make a layer",
            found: "sizes that do not")
        )
      }
      total += weights + shape.count
      guard total <= maximumTotal else {
        return (
          shape,
          DescriptionFault(
            what: "network", expected: "at most \(maximumTotal) weights and activations",
            found: "more by \(name) layer \(index)")
        )
      }
    }
    return (shape, nil)
  }
}

extension FeaturePipeline {
  /// No step may make more points, and no encoding more steps, than this.
  static let maximumPoints = 1 << 16

  /// The first member that cannot be applied, or nil.
  ///
  /// Applying a pipeline with a fault may trap: check what comes from a file.
  package var fault: DescriptionFault? {
    guard (1...Self.maximumPoints).contains(sequenceSteps) else {
      return DescriptionFault(
        what: "encoding", expected: "1 to \(Self.maximumPoints) steps", found: "\(sequenceSteps)")
    }
    if case .curves(let curves) = encoding, !(curves.maximumError > 0) {
      return DescriptionFault(
        what: "encoding", expected: "an error bound above 0", found: "\(curves.maximumError)")
    }
    if let maps, !(2...64).contains(maps.grid) {
      return DescriptionFault(
        what: "direction maps", expected: "a grid of 2 to 64 cells", found: "\(maps.grid)")
    }
    for (index, step) in steps.enumerated() where !step.isSound {
      return DescriptionFault(
        what: "step \(index)", expected: "numbers in its range", found: "others")
    }
    return nil
  }
}

extension FeaturePipeline.Step {
  fileprivate var isSound: Bool {
    switch self {
    case .removeDuplicates(let distance): distance >= 0 && distance.isFinite
    case .removeSpikes(let leg): leg >= 0 && leg.isFinite
    case .resampleByDistance(let spacing, let limit):
      spacing > 0 && spacing.isFinite && (1...FeaturePipeline.maximumPoints).contains(limit)
    case .resampleByTime(let interval, let limit):
      interval > 0 && interval.isFinite && (1...FeaturePipeline.maximumPoints).contains(limit)
    case .smooth(let passes): (0...64).contains(passes)
    case .removeSlant(let limit): limit >= 0 && limit.isFinite
    case .normalizeByBox, .normalizeByArea: true
    }
  }
}
