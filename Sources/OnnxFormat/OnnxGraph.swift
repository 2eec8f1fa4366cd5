import Files
import Foundation

/// A network in ONNX, while it is put together: nodes in the order of computation, and tensors.
///
/// The numbers of fields and types are those of `onnx.proto` of ONNX 1.12 (IR version 8).
struct OnnxGraph {
  /// A tensor that the file holds.
  struct Tensor: Hashable, Sendable {
    /// The values, by type.
    enum Values: Hashable, Sendable {
      case floats([Float])
      case integers([Int])
    }

    /// The name, unique in the graph.
    var name: String
    /// The sizes, outermost first.
    var shape: [Int]
    /// The values in row-major order.
    var values: Values
  }

  /// An attribute of a node.
  enum Attribute: Sendable {
    case integer(Int)
    case integers([Int])
    case float(Float)
    case text(String)
  }

  /// A size of an input or output: a number, or the name of a size that is free.
  enum Size: Sendable {
    case fixed(Int)
    case free(String)
  }

  /// The version of the operators.
  static let opset = 17
  /// The version of the file format that belongs to it.
  private static let intermediateRepresentation = 8
  /// The prefix of tensors that are no parameters of the network.
  static let constantPrefix = "const."
  /// The numbers of the types of elements.
  static let (floatType, integerType) = (1, 7)

  private(set) var tensors: [Tensor] = []
  private var nodes: [[UInt8]] = []
  private var inputs: [[UInt8]] = []
  private var outputs: [[UInt8]] = []
  private var count = 0

  /// Adds a tensor and returns its name.
  @discardableResult
  mutating func add(_ tensor: Tensor) -> String {
    tensors.append(tensor)
    return tensor.name
  }

  /// Adds whole numbers, such as a shape, and returns their name.
  mutating func constant(_ values: [Int]) -> String {
    count += 1
    return add(
      Tensor(
        name: "\(Self.constantPrefix)\(count)", shape: [values.count], values: .integers(values)))
  }

  /// Adds floats and returns their name.
  mutating func constant(_ values: [Float], shape: [Int]) -> String {
    count += 1
    return add(
      Tensor(name: "\(Self.constantPrefix)\(count)", shape: shape, values: .floats(values)))
  }

  /// Adds an operation and returns the name of its first output.
  ///
  /// - Parameters:
  ///   - operation: The name of the operator.
  ///   - inputs: The names of its inputs.
  ///   - attributes: Its attributes, by name.
  ///   - output: The name of the output; nil for a new one.
  mutating func node(
    _ operation: String, _ inputs: [String], _ attributes: [(String, Attribute)] = [],
    output: String? = nil
  ) -> String {
    count += 1
    let name = output ?? "\(operation).\(count)"
    var node = ProtobufWriter()
    for input in inputs { node.string(1, input) }
    node.string(2, name)
    node.string(3, "node.\(count)")
    node.string(4, operation)
    for (name, attribute) in attributes { node.message(5) { attribute.append(name, to: &$0) } }
    nodes.append(node.bytes)
    return name
  }

  /// Declares an input of floats.
  mutating func input(_ name: String, _ sizes: [Size]) -> String {
    inputs.append(Self.value(name, sizes))
    return name
  }

  /// Declares an output of floats.
  mutating func output(_ name: String, _ sizes: [Size]) { outputs.append(Self.value(name, sizes)) }

  private static func value(_ name: String, _ sizes: [Size]) -> [UInt8] {
    var value = ProtobufWriter()
    value.string(1, name)
    value.message(2) { type in
      type.message(1) { tensor in
        tensor.integer(1, floatType)
        tensor.message(2) { shape in
          for size in sizes {
            shape.message(1) {
              switch size {
              case .fixed(let count): $0.integer(1, count)
              case .free(let name): $0.string(2, name)
              }
            }
          }
        }
      }
    }
    return value.bytes
  }

  /// The bytes of the file.
  ///
  /// - Parameters:
  ///   - name: The name of the graph.
  ///   - text: What the model is, for people.
  ///   - metadata: Further texts, by key.
  func serialized(name: String, text: String, metadata: [(key: String, value: String)]) -> [UInt8] {
    var graph = ProtobufWriter()
    for node in nodes { graph.data(1, node) }
    graph.string(2, name)
    for tensor in tensors { graph.data(5, tensor.bytes) }
    for input in inputs { graph.data(11, input) }
    for output in outputs { graph.data(12, output) }
    var model = ProtobufWriter()
    model.integer(1, Self.intermediateRepresentation)
    model.string(2, "Ductus")
    model.string(6, text)
    model.data(7, graph.bytes)
    model.message(8) {
      // The domain of the operators of ONNX itself.
      $0.string(1, "")
      $0.integer(2, Self.opset)
    }
    for (key, value) in metadata {
      model.message(14) {
        $0.string(1, key)
        $0.string(2, value)
      }
    }
    return model.bytes
  }
}

extension OnnxGraph.Attribute {
  /// Appends the fields of `AttributeProto`. The last one is the type.
  fileprivate func append(_ name: String, to message: inout ProtobufWriter) {
    message.string(1, name)
    switch self {
    case .float(let value):
      message.float(2, value)
      message.integer(20, 1)
    case .integer(let value):
      message.integer(3, value)
      message.integer(20, 2)
    case .text(let value):
      message.string(4, value)
      message.integer(20, 3)
    case .integers(let values):
      for value in values { message.integer(8, value) }
      message.integer(20, 7)
    }
  }
}

extension OnnxGraph.Tensor {
  /// The fields of `TensorProto`.
  fileprivate var bytes: [UInt8] {
    var tensor = ProtobufWriter()
    for size in shape { tensor.integer(1, size) }
    var raw: [UInt8] = []
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { raw.append(contentsOf: $0) }
    }
    switch values {
    case .floats(let values):
      tensor.integer(2, OnnxGraph.floatType)
      raw.reserveCapacity(4 * values.count)
      for value in values { append(value.bitPattern) }
    case .integers(let values):
      tensor.integer(2, OnnxGraph.integerType)
      for value in values { append(Int64(value)) }
    }
    tensor.string(8, name)
    tensor.data(9, raw)
    return tensor.bytes
  }
}
