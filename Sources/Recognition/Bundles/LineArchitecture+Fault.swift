import Features
import Networks

extension LineArchitecture {
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
    var (width, weights) = (channels, 0)
    for (index, layer) in layers.enumerated() {
      let isSound: Bool
      switch layer {
      case .convolution(let outputs, let kernel, let stride):
        isSound =
          sizes.contains(outputs) && (1...255).contains(kernel) && kernel % 2 == 1
          && (1...64).contains(stride)
        if isSound { weights += kernel * width * outputs }
        width = outputs
      case .bidirectionalLSTM(let hidden):
        isSound = (1...4096).contains(hidden)
        if isSound { weights += 8 * hidden * (width + hidden) }
        width = isSound ? 2 * hidden : width
      case .dense(let units):
        isSound = sizes.contains(units)
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
          expected: "sizes that make a layer, at most \(GlyphArchitecture.maximumTotal) weights",
          found: "others")
      }
    }
    return nil
  }
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
