import Networks
import Testing

@Suite("Architectures that make no network")
struct NetworkErrorTests {
  @Test("A sequence network is refused with the faulty layer, before memory is allocated")
  func sequences() throws {
    var architecture = SequenceArchitecture(
      channels: 3, layers: [.lstm(hidden: 4), .convolution(channels: 8, kernel: 3, stride: 2)],
      classes: 4)
    #expect(try SequenceNetwork(architecture).stride == 2)
    architecture.layers[1] = .convolution(channels: 8, kernel: 4, stride: 2)
    let error = #expect(throws: NetworkError.self) { try SequenceNetwork(architecture) }
    #expect(error?.what == "layer 1")
    for strides in [[0], [1], [-2], [65], [.max], [9, 8]] {
      architecture.layers = strides.map { .meanPool(stride: $0) }
      let error = #expect(throws: NetworkError.self) { try SequenceNetwork(architecture) }
      #expect(error?.what == "layer \(strides.count - 1)")
    }
    architecture.layers = [.meanPool(stride: 8), .meanPool(stride: 8)]
    #expect(try SequenceNetwork(architecture).outputSteps(65) == 2)
    architecture = SequenceArchitecture(channels: 0, layers: [], classes: 1)
    #expect(
      throws: NetworkError(
        what: "architecture", expected: "1 to 8192 channels, 2 to 65536 classes, 64 layers",
        found: "0, 1 and 0")
    ) { try SequenceNetwork(architecture) }
  }

  @Test("A glyph network without a last dense layer is refused")
  func glyphs() {
    let architecture = GlyphArchitecture(
      sequence: Shape(steps: 8, channels: 2), trunk: [], maps: 0, side: [], globals: 0, context: [],
      head: [.dropout(rate: 0.5)])
    #expect(
      throws: NetworkError(
        what: "head", expected: "a dense layer as the last layer", found: "another layer")
    ) { try GlyphNetwork(architecture) }
  }
}
