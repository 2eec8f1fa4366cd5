import Foundation

/// Content that takes the place of one character: an image, a place on a map, or a file.
public struct Attachment: Hashable, Sendable {
  /// Bytes, or the address of bytes that are kept elsewhere.
  public enum Content: Hashable, Sendable {
    /// The bytes themselves.
    case data(Data)
    /// The address of the bytes, such as a file name in the host's store.
    case reference(String)
  }

  /// The kinds of content.
  public enum Kind: Hashable, Sendable {
    /// An image with its size in points; the thumbnail is a smaller version for lists.
    case image(full: Content, thumbnail: Content?, width: Double, height: Double)
    /// A place on a map in degrees, with the span of the map.
    case place(latitude: Double, longitude: Double, span: Double)
    /// Any other content.
    case file(Content)
  }

  /// The content.
  public let kind: Kind
  /// The MIME type, such as `image/png`.
  public let mimeType: String
  /// A name for people, such as the name of the file.
  public let name: String

  /// Makes an image.
  ///
  /// - Throws: ``IntensityTextError`` for a size that is not above 0 and finite.
  public init(
    image full: Content, thumbnail: Content? = nil, width: Double, height: Double,
    mimeType: String = "image/png", name: String = ""
  ) throws(IntensityTextError) {
    for (field, number) in [("width", width), ("height", height)] {
      guard number.isFinite, number > 0 else {
        throw IntensityTextError(
          .invalidNumber, field, expected: "a finite number above 0", found: "\(number)")
      }
    }
    self.init(
      kind: .image(full: full, thumbnail: thumbnail, width: width, height: height),
      mimeType: mimeType, name: name)
  }

  /// Makes a place on a map.
  ///
  /// - Parameters:
  ///   - latitude: -90 ... 90 degrees.
  ///   - longitude: -180 ... 180 degrees.
  ///   - span: The height of the map in degrees, above 0.
  ///   - name: A name for people.
  /// - Throws: ``IntensityTextError`` for numbers out of range.
  public init(
    latitude: Double, longitude: Double, span: Double = 0.01, name: String = ""
  ) throws(IntensityTextError) {
    let limits = [
      ("latitude", latitude, -90.0, 90.0), ("longitude", longitude, -180, 180),
      ("span", span, Double.leastNormalMagnitude, 180),
    ]
    for (field, number, least, most) in limits where !(number >= least && number <= most) {
      throw IntensityTextError(
        .invalidNumber, field, expected: "\(least) ... \(most)", found: "\(number)")
    }
    self.init(
      kind: .place(latitude: latitude, longitude: longitude, span: span),
      mimeType: Self.placeType, name: name)
  }

  /// Makes an attachment of any other type.
  public init(file: Content, mimeType: String, name: String = "") {
    self.init(kind: .file(file), mimeType: mimeType, name: name)
  }

  private init(kind: Kind, mimeType: String, name: String) {
    self.kind = kind
    self.mimeType = mimeType
    self.name = name
  }

  /// The MIME type of places on a map.
  static let placeType = "application/vnd.geo-place"
  /// The size of maps and files, in points.
  private static let mapSize = (width: 200.0, height: 120.0)
  private static let fileSize = (width: 64.0, height: 64.0)

  /// The size that fits into a width: an image keeps its proportions, and nothing is enlarged.
  ///
  /// A view that hides an attachment, such as the layer that fades, reserves the same size.
  public func size(fitting width: Double) -> (width: Double, height: Double) {
    let own =
      switch kind {
      case .image(_, _, let width, let height): (width: width, height: height)
      case .place: Self.mapSize
      case .file: Self.fileSize
      }
    guard width.isFinite, width > 0, own.width > width else { return own }
    return (width, own.height * width / own.width)
  }

  /// The content to show in a width: the thumbnail where half of the image's width is enough.
  public func content(fitting width: Double) -> Content? {
    switch kind {
    case .image(let full, let thumbnail, let own, _): width <= own / 2 ? thumbnail ?? full : full
    case .place: nil
    case .file(let content): content
    }
  }
}

/// An attachment with its place in a text.
public struct PlacedAttachment: Hashable, Sendable {
  /// The UTF-16 index of its U+FFFC.
  public let index: Int
  /// The attachment.
  public let attachment: Attachment

  /// Makes a placed attachment.
  public init(index: Int, attachment: Attachment) {
    self.index = index
    self.attachment = attachment
  }
}
