import LinearAlgebra

/// The divergence between what a network makes of two views of one sequence, whose steps agree:
/// consistency regularisation of CTC (Yao et al. 2025, CR-CTC).
///
/// For each step it is half the sum of both Kullback-Leibler divergences, each with a target that
/// is held fixed, so that the gradient of a view's logits is half of p - q: its probabilities less
/// the other's.
public struct ViewConsistency {
  private var difference = AlignedBuffer(count: 0)

  /// Makes one without memory; it grows to the longest sequence.
  public init() {}

  /// Takes the probabilities of two views, before their losses replace them by gradients.
  ///
  /// - Parameters:
  ///   - logProbabilities: [N, K].
  ///   - first: A sequence of the layout; the next one is its other view, of as many steps.
  ///   - scale: What ``addGradients(to:classes:first:of:)`` multiplies the gradient by.
  public mutating func load(
    _ logProbabilities: UnsafePointer<Float>, classes: Int, first: Int, of layout: PackedSequences,
    scale: Float
  ) {
    let steps = layout.lengths[first]
    precondition(layout.lengths[first + 1] == steps, "views must have the same steps")
    if difference.count < steps * classes {
      difference = AlignedBuffer(count: steps * classes * 5 / 4)
    }
    for step in 0..<steps {
      let row = logProbabilities + layout.row(sequence: first, step: step) * classes
      Kernels.expDifference(
        row, row + classes, scale: scale / 2, into: difference.pointer + step * classes,
        count: classes)
    }
  }

  /// Adds the gradients of the two views that were loaded to those of their logits [N, K].
  public func addGradients(
    to gradients: UnsafeMutablePointer<Float>, classes: Int, first: Int, of layout: PackedSequences
  ) {
    for step in 0..<layout.lengths[first] {
      let row = gradients + layout.row(sequence: first, step: step) * classes
      let values = difference.pointer + step * classes
      for column in 0..<classes {
        row[column] += values[column]
        row[column + classes] -= values[column]
      }
    }
  }
}
