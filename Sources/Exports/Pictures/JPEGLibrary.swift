import CCairo

/// The library TurboJPEG, which packs and unpacks JPEG. It is opened at the first use.
package struct JPEGLibrary: @unchecked Sendable {
  // Unchecked because the table never changes after it was made.
  private let library: OpaquePointer

  /// The library of this machine; nil if there is none.
  package static let shared = JPEGLibrary(names: names)

  /// The names of the library on Linux and macOS.
  private static let names = [
    "libturbojpeg.so.0", "libturbojpeg.0.dylib", "/opt/homebrew/lib/libturbojpeg.0.dylib",
    "/usr/local/lib/libturbojpeg.0.dylib",
  ]

  /// The most pixels of a side of a JPEG.
  private static let mostPixels: Int32 = 32_767

  /// Opens the first library of some names; nil if there is none.
  package init?(names: [String]) {
    for name in names {
      if let library = ductus_jpeg_open(name) {
        self.library = library
        return
      }
    }
    return nil
  }

  /// Packs pixels of 4 bytes: blue, green, red and one that is ignored. Nil if it fails.
  func pack(
    _ pixels: UnsafePointer<UInt8>?, width: Int32, stride: Int32, height: Int32, quality: Int32
  ) -> [UInt8]? {
    guard let pixels else { return nil }
    var packed: UnsafeMutablePointer<UInt8>?
    let count = ductus_jpeg_pack(library, pixels, width, stride, height, quality, &packed)
    guard count > 0, let packed else { return nil }
    defer { ductus_jpeg_free(library, packed) }
    return Array(UnsafeBufferPointer(start: packed, count: Int(count)))
  }

  /// Returns the width and height of a JPEG; nil if it is none.
  func size(of bytes: [UInt8]) -> (width: Int32, height: Int32)? {
    var (width, height): (Int32, Int32) = (0, 0)
    let status = ductus_jpeg_size(library, bytes, UInt(bytes.count), &width, &height)
    guard status == 0, (1...Self.mostPixels).contains(width),
      (1...Self.mostPixels).contains(height)
    else { return nil }
    return (width, height)
  }

  /// Unpacks a JPEG to pixels of 4 bytes: blue, green, red, 255. Returns false if it fails.
  func unpack(
    _ bytes: [UInt8], width: Int32, stride: Int32, height: Int32,
    to pixels: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    ductus_jpeg_unpack(library, bytes, UInt(bytes.count), width, stride, height, pixels) == 0
  }
}
