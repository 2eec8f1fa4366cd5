import Features
import Networks

extension SequenceArchitecture {
  /// The first member that does not make a network of reasonable size, or nil.
  ///
  /// Making a network of an architecture with a fault may trap: check what comes from a file.
  package var fault: DescriptionFault? {
    let sizes = 1...8192
    guard sizes.contains(channels), (2...65536).contains(classes), layers.count <= 64 else {
      return DescriptionFault(
        what: "architecture", expected: "1 to 8192 channels, 2 to 65536 classes, 64 layers",
        found: "\(channels), \(classes) and \(layers.count)")
    }
    var (width, weights, stride) = (channels, 0, 1)
    for (index, layer) in (layers + [.dense(units: classes)]).enumerated() {
      let isSound: Bool
      switch layer {
      case .convolution(let outputs, let kernel, let step):
        isSound =
          sizes.contains(outputs) && (1...255).contains(kernel) && kernel % 2 == 1
          && (1...Self.maximumStride).contains(step) && stride * step <= Self.maximumStride
        if isSound {
          weights += kernel * width * outputs
          stride *= step
        }
        width = outputs
      case .bidirectionalLSTM(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 8 * hidden * (width + hidden) }
        width = isSound ? 2 * hidden : width
      case .lstm(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 4 * hidden * (width + hidden) }
        width = isSound ? hidden : width
      case .dense(let units):
        isSound = sizes.contains(units) || index == layers.count
        if isSound { weights += width * units }
        width = units
      case .layerNormalization:
        isSound = true
      case .dropout(let rate):
        isSound = rate >= 0 && rate < 1
      }
      guard isSound, weights <= GlyphArchitecture.maximumTotal else {
        return DescriptionFault(
          what: "layer \(index)",
          expected: "sizes that make a layer, at most \(GlyphArchitecture.maximumTotal) weights "
            + "and \(Self.maximumStride) input steps to an output step",
          found: "\(layer)")
      }
    }
    return nil
  }

  /// What is too large for a sequence of so many steps, where there is no ``fault``: the values of all
  /// steps of one layer.
  package func fault(longest steps: Int) -> DescriptionFault? {
    var (rows, most) = (steps, steps * channels)
    for layer in layers + [.dense(units: classes)] {
      switch layer {
      case .convolution(let outputs, _, let stride):
        rows = (rows + stride - 1) / stride
        most = max(most, rows * outputs)
      case .bidirectionalLSTM(let hidden): most = max(most, rows * 8 * hidden)
      case .lstm(let hidden): most = max(most, rows * 4 * hidden)
      case .dense(let units): most = max(most, rows * units)
      case .layerNormalization, .dropout: break
      }
    }
    guard most <= Self.maximumValues else {
      return DescriptionFault(
        what: "layers", expected: "at most \(Self.maximumValues) values of \(steps) steps in each",
        found: "\(most)")
    }
    return nil
  }

  /// A quarter of a gibibyte.
  private static let maximumValues = 1 << 26
  /// Input steps to an output step; more leave nothing of a word.
  private static let maximumStride = 64
}

extension LinePipeline {
  /// The first member that cannot be applied, or nil.
  package var fault: DescriptionFault? {
    guard spacing.isFinite, (0.005...2).contains(spacing), (16...65536).contains(maximumSteps)
    else {
      return DescriptionFault(
        what: "features", expected: "a spacing of 0.005 to 2 and 16 to 65536 steps",
        found: "\(spacing) and \(maximumSteps)")
    }
    if let curveError, !(0.001...1).contains(curveError) {
      return DescriptionFault(
        what: "features", expected: "an error of curves of 0.001 to 1", found: "\(curveError)")
    }
    return nil
  }
}
