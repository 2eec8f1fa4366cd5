import Files

/// A value of an event with its name, which `/` divides into groups: the message `Summary.Value`.
package struct EventValue: Sendable {
  private enum Content: Sendable {
    case scalar(Float)
    case histogram(EventHistogram)
    case image(width: Int, height: Int, png: [UInt8])
    case text(String)
  }

  private let name: String
  private let content: Content
  private let description: String?

  /// A number.
  package static func scalar(_ name: String, _ value: Double) -> EventValue {
    EventValue(name: name, content: .scalar(Float(value)), description: nil)
  }

  /// The distribution of many numbers.
  package static func histogram(_ name: String, _ histogram: EventHistogram) -> EventValue {
    EventValue(name: name, content: .histogram(histogram), description: nil)
  }

  /// A grey picture.
  ///
  /// - Parameter description: What it shows; Markdown.
  package static func image(
    _ name: String, _ picture: GrayPicture, description: String? = nil
  ) -> EventValue? {
    guard let png = picture.png else { return nil }
    return EventValue(
      name: name, content: .image(width: picture.width, height: picture.height, png: png),
      description: description)
  }

  /// A text in Markdown.
  package static func text(_ name: String, _ text: String) -> EventValue {
    EventValue(name: name, content: .text(text), description: nil)
  }

  /// Appends the fields of the message.
  func append(to message: inout ProtobufWriter) {
    message.string(1, name)
    switch content {
    case .scalar(let value):
      message.float(2, value)
      metadata("scalars", &message)
    case .histogram(let histogram):
      message.message(5, histogram.append)
      metadata("histograms", &message)
    case .image(let width, let height, let png):
      message.message(4) {
        $0.integer(1, height)
        $0.integer(2, width)
        // One channel: grey.
        $0.integer(3, 1)
        $0.data(4, png)
      }
      metadata("images", &message)
    case .text(let text):
      // A tensor of one string; 7 is DT_STRING.
      message.message(8) {
        $0.integer(1, 7)
        $0.message(2) { $0.message(2) { $0.integer(1, 1) } }
        $0.string(8, text)
      }
      metadata("text", &message)
    }
  }

  /// Appends `SummaryMetadata`: the plugin that shows the value, and the description.
  private func metadata(_ plugin: String, _ message: inout ProtobufWriter) {
    guard plugin == "text" || description != nil else { return }
    message.message(9) {
      // Scalars, histograms and images in the older form are known by their fields.
      if plugin == "text" { $0.message(1) { $0.string(1, plugin) } }
      if let description { $0.string(3, description) }
    }
  }
}

/// The distribution of numbers: the message `HistogramProto`.
package struct EventHistogram: Hashable, Sendable {
  /// The number of values in each bucket.
  package private(set) var counts: [Int]
  /// The upper limit of each bucket.
  package private(set) var limits: [Double]
  /// The number of finite values.
  package private(set) var count = 0
  private var least = Double.infinity
  private var greatest = -Double.infinity
  private var sum = 0.0
  private var sumOfSquares = 0.0

  /// The most buckets.
  package static let buckets = 64

  /// Counts values in buckets of equal width. Values that are not finite are left out. O(values).
  package init(_ values: some Collection<Float>) {
    for value in values where value.isFinite {
      let value = Double(value)
      least = min(least, value)
      greatest = max(greatest, value)
      sum += value
      sumOfSquares += value * value
      count += 1
    }
    guard count > 0 else {
      (counts, limits) = ([], [])
      return
    }
    let width = (greatest - least) / Double(Self.buckets)
    guard width > 0 else {
      (counts, limits) = ([count], [greatest])
      return
    }
    var counts = [Int](repeating: 0, count: Self.buckets)
    for value in values where value.isFinite {
      counts[min(Self.buckets - 1, Int((Double(value) - least) / width))] += 1
    }
    self.counts = counts
    let least = least
    limits = (1...Self.buckets).map { least + width * Double($0) }
    limits[Self.buckets - 1] = greatest
  }

  /// Appends the fields of the message.
  func append(to message: inout ProtobufWriter) {
    message.double(1, count > 0 ? least : 0)
    message.double(2, count > 0 ? greatest : 0)
    message.double(3, Double(count))
    message.double(4, sum)
    message.double(5, sumOfSquares)
    message.doubles(6, limits)
    message.doubles(7, counts.map(Double.init))
  }
}
