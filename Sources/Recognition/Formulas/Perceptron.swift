import Formulas
import Foundation
import InkCore
import LinearAlgebra
import SafeTensors

/// A multilayer perceptron over rows of numbers and of class indices, which are embedded.
///
/// Shapes: N rows, D dense inputs, C class inputs, E floats of an embedding, K outputs. A row of the
/// first layer is the dense inputs followed by the embeddings. Hidden layers are rectified.
package struct Perceptron: Sendable {
  /// The layers' sizes.
  package struct Shape: Hashable, Codable, Sendable {
    /// D, the dense inputs of a row.
    package var dense: Int
    /// The number of values of each class input.
    package var classes: [Int]
    /// E, the floats of each embedding.
    package var embedding: Int
    /// The widths of the hidden layers.
    package var hidden: [Int]
    /// K.
    package var outputs: Int

    /// The widths of all layers, from the joined input to the output.
    package var widths: [Int] { [dense + classes.count * embedding] + hidden + [outputs] }
  }

  /// The sizes.
  package let shape: Shape
  /// The embedding tables, then for each layer weights [out, in] and biases [out].
  package var parameters: [Float]

  /// Makes a network with random weights.
  package init(_ shape: Shape, seed: UInt64) {
    self.shape = shape
    var generator = SeededGenerator(seed: seed, 71)
    parameters = []
    for count in shape.classes {
      for _ in 0..<(count * shape.embedding) { parameters.append(0.3 * generator.normal()) }
    }
    let widths = shape.widths
    for layer in 1..<widths.count {
      let scale = (2 / Float(widths[layer - 1])).squareRoot()
      let gain: Float = layer == widths.count - 1 ? 0.3 : 1
      for _ in 0..<(widths[layer] * widths[layer - 1]) {
        parameters.append(gain * scale * generator.normal())
      }
      parameters += [Float](repeating: 0, count: widths[layer])
    }
  }

  /// Makes a network of known weights; nil if their number is wrong or one is not finite.
  package init?(_ shape: Shape, parameters: [Float]) {
    let widths = shape.widths
    let tables = shape.classes.reduce(0, +) * shape.embedding
    let layers = (1..<widths.count).reduce(0) { $0 + widths[$1] * (widths[$1 - 1] + 1) }
    guard parameters.count == tables + layers, parameters.allSatisfy(\.isFinite) else { return nil }
    self.shape = shape
    self.parameters = parameters
  }

  /// Rows of input.
  package struct Input: Sendable {
    /// [N, D]
    package var dense: [Float] = []
    /// [N, C]
    package var classes: [Int32] = []
    /// N.
    package var rows = 0

    /// Makes an empty input.
    package init() {}

    /// Adds a row.
    package mutating func append(_ dense: [Float], _ classes: [Int]) {
      self.dense += dense
      self.classes += classes.map { Int32($0) }
      rows += 1
    }
  }

  /// The values of all layers for one input, which the gradient needs.
  package struct Activations: Sendable {
    /// [N, width] of each layer; the last are the outputs.
    package var layers: [[Float]]

    /// [N, K]
    package var outputs: [Float] { layers.last ?? [] }
  }

  /// The position of a layer's weights.
  private func offset(of layer: Int) -> Int {
    let widths = shape.widths
    return shape.classes.reduce(0, +) * shape.embedding
      + (1..<layer).reduce(0) { $0 + widths[$1] * (widths[$1 - 1] + 1) }
  }

  /// Computes the outputs. O(N parameters).
  package func forward(_ input: Input) -> Activations {
    let widths = shape.widths
    var layers = [joined(input)]
    guard input.rows > 0 else {
      return Activations(layers: widths.map { _ in [] })
    }
    for layer in 1..<widths.count {
      let (inner, outer) = (widths[layer - 1], widths[layer])
      let start = offset(of: layer)
      var values = [Float](repeating: 0, count: input.rows * outer)
      values.withUnsafeMutableBufferPointer { values in
        parameters.withUnsafeBufferPointer { parameters in
          layers[layer - 1].withUnsafeBufferPointer { below in
            guard let out = values.baseAddress, let weights = parameters.baseAddress,
              let below = below.baseAddress
            else { return }
            let biases = weights + start + inner * outer
            Matrix(out, rows: input.rows, columns: outer).multiply(
              Matrix(reading: below, rows: input.rows, columns: inner),
              Matrix(reading: weights + start, rows: outer, columns: inner).transposed)
            let isHidden = layer < widths.count - 1
            for row in 0..<input.rows {
              for column in 0..<outer {
                let value = out[row * outer + column] + biases[column]
                out[row * outer + column] = isHidden ? max(value, 0) : value
              }
            }
          }
        }
      }
      layers.append(values)
    }
    return Activations(layers: layers)
  }

  /// [N, D + C E]
  private func joined(_ input: Input) -> [Float] {
    let width = shape.widths[0]
    var result = [Float](repeating: 0, count: input.rows * width)
    for row in 0..<input.rows {
      for column in 0..<shape.dense {
        result[row * width + column] = input.dense[row * shape.dense + column]
      }
      forEachEmbedding(of: input, row: row) { column, place in
        for index in 0..<shape.embedding {
          result[row * width + column + index] = parameters[place + index]
        }
      }
    }
    return result
  }

  private func forEachEmbedding(
    of input: Input, row: Int, _ body: (_ column: Int, _ place: Int) -> Void
  ) {
    var table = 0
    for (index, count) in shape.classes.enumerated() {
      let value = Int(input.classes[row * shape.classes.count + index])
      body(shape.dense + index * shape.embedding, table + min(value, count - 1) * shape.embedding)
      table += count * shape.embedding
    }
  }

  /// Adds the gradient of the parameters.
  ///
  /// - Parameters:
  ///   - gradient: The gradient of the outputs, [N, K].
  ///   - sum: The gradient of all parameters, to which is added.
  package func backward(
    _ input: Input, _ activations: Activations, _ gradient: [Float], into sum: inout [Float]
  ) {
    guard input.rows > 0 else { return }
    let widths = shape.widths
    var above = gradient
    for layer in stride(from: widths.count - 1, through: 1, by: -1) {
      let (inner, outer) = (widths[layer - 1], widths[layer])
      let start = offset(of: layer)
      var below = [Float](repeating: 0, count: input.rows * inner)
      below.withUnsafeMutableBufferPointer { below in
        above.withUnsafeBufferPointer { above in
          activations.layers[layer - 1].withUnsafeBufferPointer { values in
            parameters.withUnsafeBufferPointer { parameters in
              sum.withUnsafeMutableBufferPointer { sum in
                guard let below = below.baseAddress, let above = above.baseAddress,
                  let values = values.baseAddress, let weights = parameters.baseAddress,
                  let sum = sum.baseAddress
                else { return }
                let rows = Matrix(reading: above, rows: input.rows, columns: outer)
                Matrix(sum + start, rows: outer, columns: inner).multiply(
                  rows.transposed, Matrix(reading: values, rows: input.rows, columns: inner),
                  beta: 1)
                let biases = sum + start + inner * outer
                for row in 0..<input.rows {
                  for column in 0..<outer { biases[column] += above[row * outer + column] }
                }
                Matrix(below, rows: input.rows, columns: inner).multiply(
                  rows, Matrix(reading: weights + start, rows: outer, columns: inner))
                guard layer > 1 else { return }
                for index in 0..<(input.rows * inner) where values[index] <= 0 { below[index] = 0 }
              }
            }
          }
        }
      }
      above = below
    }
    for row in 0..<input.rows {
      forEachEmbedding(of: input, row: row) { column, place in
        for index in 0..<shape.embedding {
          sum[place + index] += above[row * widths[0] + column + index]
        }
      }
    }
  }
}
