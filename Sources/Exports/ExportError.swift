import Foundation

/// An export that is not possible. It contains facts, never ink or text.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// PNG needs a library that is not there, and the app has no ``PicturePainter``.
  case noCairo
  /// JPEG needs a library that is not there, and the app has no ``PicturePainter``.
  case noJPEG
  /// The library or the painter could not make a picture.
  case failedPicture(reason: String)
  /// A side of a picture would have too many pixels.
  case tooManyPixels(width: Double, height: Double, most: Int)
  /// A picture would have too many pixels in all.
  case tooLargePicture(width: Double, height: Double, most: Int)
  /// The resolution is no number above 0.
  case unusableResolution(Double)
  /// The parts of a document file do not fit into it.
  case tooLarge(format: String)
  /// There is nothing of the sort that the format holds.
  case nothing(format: String, needs: String)
  /// A file of the format holds one page, and there are more.
  case severalPages(format: String, found: Int)
  /// The ending of a file is that of no format.
  case unknownEnding(String)
  /// The numbers of the ink are not those of strokes.
  case unusableInk(format: String)
  /// A file cannot be written. An existing one is unchanged.
  case unwritableFile(path: String, reason: String)

  private static func side(_ pixels: Double) -> String {
    pixels < 1e9 ? "\(Int(pixels))" : "more than 10^9"
  }

  /// The message: what happened, and what to do.
  public var description: String {
    switch self {
    case .noCairo:
      "PNG needs the library Cairo, which is not installed: apt-get install libcairo2 (Debian), "
        + "brew install cairo (macOS); or export SVG or PDF"
    case .noJPEG:
      "JPEG needs the libraries Cairo and TurboJPEG, which are not installed: apt-get install "
        + "libcairo2 libturbojpeg0 (Debian), brew install cairo jpeg-turbo (macOS); or export PNG"
    case .failedPicture(let reason):
      "the picture could not be made: \(reason); export SVG or PDF instead"
    case .tooManyPixels(let width, let height, let most):
      "expected a picture of at most \(most) pixels on a side, found \(Self.side(width)) x "
        + "\(Self.side(height)); choose a lower resolution"
    case .tooLargePicture(let width, let height, let most):
      "expected a picture of at most \(most) pixels in all, found \(Self.side(width)) x "
        + "\(Self.side(height)); choose a lower resolution"
    case .unusableResolution(let found):
      "expected pixels of an inch above 0, found \(found)"
    case .tooLarge(let format):
      "expected at most 4 GB for \(format), found more; export fewer pages"
    case .nothing(let format, let needs):
      "\(format) needs \(needs), and there is none; export PDF or text instead"
    case .severalPages(let format, let found):
      "expected one page for \(format), found \(found); export one page, or to a file, which gives "
        + "a file for each page"
    case .unknownEnding(let found):
      "expected a file with the ending of a format (\(ExportFormat.list)), found "
        + (found.isEmpty ? "none" : ".\(found)") + "; name the format"
    case .unusableInk(let format):
      "expected ink of finite numbers for \(format), found others; export PDF instead"
    case .unwritableFile(let path, let reason):
      "\(path): cannot be written: \(reason); check the folder, its permissions and the free space"
    }
  }
}

extension ExportError: LocalizedError {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}
