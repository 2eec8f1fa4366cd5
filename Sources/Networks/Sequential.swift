import LinearAlgebra

/// A sequence of layers.
package struct Sequential: Sendable {
  /// One sample's input.
  package let input: Shape
  /// One sample's output.
  package let output: Shape
  let layers: [any Layer]

  /// Makes the layers and allocates their parameters. The names are `<name>.<index>.<tensor>`.
  package init(
    _ specification: [LayerSpecification], input: Shape, name: String,
    allocator: inout ParameterAllocator
  ) {
    self.input = input
    var shape = input
    var layers: [any Layer] = []
    for (index, layer) in specification.enumerated() {
      allocator.prefix = "\(name).\(index)."
      layers.append(layer.makeLayer(input: shape, allocator: &allocator))
      shape = layers[index].output
    }
    self.layers = layers
    output = shape
  }

  /// The memory of one thread for batches of up to `batch` samples.
  package final class Workspace {
    let activations: [AlignedBuffer]
    let gradients: [AlignedBuffer]
    let scratch: [AlignedBuffer]

    init(_ layers: [any Layer], batch: Int, training: Bool) {
      activations = layers.map { AlignedBuffer(count: batch * $0.output.count) }
      scratch = layers.map { AlignedBuffer(count: $0.scratchCount(batch: batch)) }
      gradients = training ? layers.map { AlignedBuffer(count: batch * $0.output.count) } : []
    }
  }

  /// Allocates memory for batches of up to `batch` samples.
  package func makeWorkspace(batch: Int, training: Bool) -> Workspace {
    Workspace(layers, batch: batch, training: training)
  }

  /// Computes the output [B, T', C'] of x [B, T, C], valid until the next call. Returns x itself if
  /// there are no layers. Allocates nothing.
  package func forward(
    _ x: UnsafePointer<Float>, batch: Int, workspace: Workspace, context: LayerContext
  ) -> UnsafePointer<Float> {
    var current = x
    for index in layers.indices {
      let y = workspace.activations[index].pointer
      layers[index].forward(
        current, y, batch: batch, scratch: workspace.scratch[index].pointer,
        context: seeded(context, index))
      current = UnsafePointer(y)
    }
    return current
  }

  /// The buffer for the gradient of the output. The caller writes it before `backward`; nil if
  /// there are no layers.
  package func outputGradient(_ workspace: Workspace) -> UnsafeMutablePointer<Float>? {
    workspace.gradients.last?.pointer
  }

  /// Adds the gradients of the parameters to the context's gradients, and writes dx if it is not
  /// nil. Allocates nothing.
  package func backward(
    _ x: UnsafePointer<Float>, dx: UnsafeMutablePointer<Float>?, batch: Int, workspace: Workspace,
    context: LayerContext
  ) {
    for index in layers.indices.reversed() {
      let input = index == 0 ? x : UnsafePointer(workspace.activations[index - 1].pointer)
      let inputGradient = index == 0 ? dx : workspace.gradients[index - 1].pointer
      layers[index].backward(
        input, workspace.activations[index].pointer, workspace.gradients[index].pointer,
        inputGradient, batch: batch, scratch: workspace.scratch[index].pointer,
        context: seeded(context, index))
    }
  }

  private func seeded(_ context: LayerContext, _ index: Int) -> LayerContext {
    var result = context
    result.seed = context.seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
    return result
  }
}
