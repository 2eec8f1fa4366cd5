import CHarfBuzz
import Foundation
import Typesetting

/// The fonts of the system, found by Fontconfig and measured by HarfBuzz: kerning, ligatures and the
/// joined forms of scripts such as Arabic count. Both libraries are opened when this is made; neither
/// is needed to build. Thread-safe.
///
///     editor.fonts = try SystemFonts()
public final class SystemFonts: FontProvider, @unchecked Sendable {
  // Unchecked because the lock guards the fonts that are open.

  /// A library is missing.
  public struct MissingLibrary: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The message: what is missing, and what to do.
    public var description: String {
      "the fonts of the system need HarfBuzz and Fontconfig, which were not found; install them "
        + "(Debian: libharfbuzz0b and libfontconfig1), or use the metrics that are built in"
    }

    /// The message.
    public var errorDescription: String? { description }

    package init() {}
  }

  private let library: OpaquePointer
  private let lock = NSLock()
  private var fonts: [FontFace: OpaquePointer?] = [:]
  private var fallbacks: [Fallback: OpaquePointer?] = [:]
  private var files: [String: OpaquePointer] = [:]

  private struct Fallback: Hashable {
    var face: FontFace
    var character: UInt32
  }

  /// Opens the libraries.
  ///
  /// - Throws: ``MissingLibrary``.
  public init() throws(MissingLibrary) {
    #if os(macOS) || os(iOS)
      let names = ("libharfbuzz.0.dylib", "libfontconfig.1.dylib")
    #else
      let names = ("libharfbuzz.so.0", "libfontconfig.so.1")
    #endif
    guard let library = ductus_fonts_open(names.0, names.1) else { throw MissingLibrary() }
    self.library = library
  }

  deinit {
    for font in files.values { ductus_font_close(library, font) }
  }

  /// Returns the heights of a face; those of the built-in metrics if the system has no fonts.
  public func metrics(of face: FontFace) -> FaceMetrics {
    lock.withLock {
      guard let font = font(face) else { return BundledFont().metrics(of: face) }
      var heights = [Double](repeating: 0, count: 5)
      ductus_font_heights(library, font, &heights)
      return FaceMetrics(
        ascent: heights[0], descent: heights[1], lineGap: heights[2], capitalHeight: heights[3],
        xHeight: heights[4])
    }
  }

  /// Returns the glyph of each character, shaped together. A character that the face lacks is looked
  /// for in other fonts.
  public func glyphs(of text: String, in face: FontFace) -> [GlyphMetrics?] {
    lock.withLock {
      guard let font = font(face) else { return BundledFont().glyphs(of: text, in: face) }
      var result = shaped(text, in: font)
      for (index, character) in text.enumerated() where result[index] == nil {
        let scalar = character.unicodeScalars.first?.value ?? 0
        guard let other = fallback(face, scalar), other != font else { continue }
        result[index] = shaped(String(character), in: other).first ?? nil
      }
      return result
    }
  }

  /// Returns the glyphs of a font by characters. A ligature is shared out over its characters.
  private func shaped(_ text: String, in font: OpaquePointer) -> [GlyphMetrics?] {
    let bytes = Array(text.utf8)
    var glyphs = [ductus_glyph](repeating: ductus_glyph(), count: 4 * bytes.count + 16)
    let count = bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        ductus_font_shape(library, font, $0.baseAddress, bytes.count, &glyphs, glyphs.count)
      }
    }
    // The index of the character of each byte.
    var owners: [Int] = []
    for (index, character) in text.enumerated() {
      owners += Array(repeating: index, count: character.utf8.count)
    }
    var result = [GlyphMetrics?](repeating: nil, count: text.count)
    var lacking: Set<Int> = []
    for glyph in glyphs.prefix(min(count, glyphs.count)) {
      guard owners.indices.contains(Int(glyph.cluster)) else { continue }
      let owner = owners[Int(glyph.cluster)]
      if glyph.glyph == 0 { lacking.insert(owner) }
      let own = GlyphMetrics(
        advance: glyph.advance, left: glyph.left, bottom: glyph.bottom, right: glyph.right,
        top: glyph.top)
      result[owner] = result[owner].map { $0.followed(by: own) } ?? own
    }
    for index in lacking { result[index] = nil }
    return shared(result, lacking)
  }

  /// Gives characters without a glyph a share of the one before, whose ligature they are part of.
  private func shared(_ glyphs: [GlyphMetrics?], _ lacking: Set<Int>) -> [GlyphMetrics?] {
    var result = glyphs
    var index = 0
    while index < glyphs.count {
      var end = index + 1
      while end < glyphs.count, glyphs[end] == nil, !lacking.contains(end), glyphs[index] != nil {
        end += 1
      }
      if end - index > 1, let whole = glyphs[index] {
        let count = Double(end - index)
        let part = whole.advance / count
        for place in index..<end {
          result[place] = GlyphMetrics(
            advance: part, left: place == index ? whole.left : 0, bottom: whole.bottom,
            right: place == end - 1 ? whole.right - part * (count - 1) : part, top: whole.top)
        }
      }
      index = end
    }
    return result
  }

  // MARK: - Files

  private func font(_ face: FontFace) -> OpaquePointer? {
    if let known = fonts[face] { return known }
    let found = open(face, character: 0)
    fonts[face] = found
    return found
  }

  private func fallback(_ face: FontFace, _ character: UInt32) -> OpaquePointer? {
    let key = Fallback(face: face, character: character)
    if let known = fallbacks[key] { return known }
    // A long text of rare characters must not fill the memory.
    if fallbacks.count > Self.mostFallbacks { fallbacks = [:] }
    let found = open(face, character: character)
    fallbacks[key] = found
    return found
  }

  private static let mostFallbacks = 10_000

  private func open(_ face: FontFace, character: UInt32) -> OpaquePointer? {
    var path = [CChar](repeating: 0, count: 4096)
    var index: Int32 = 0
    guard
      ductus_fonts_find(
        library, face.family, face.isBold ? 1 : 0, face.isItalic ? 1 : 0, character, &path,
        path.count, &index) != 0
    else { return nil }
    let name = String(
      decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let key = "\(index) \(name)"
    if let known = files[key] { return known }
    guard let font = ductus_font_open(library, name, index) else { return nil }
    files[key] = font
    return font
  }
}

extension GlyphMetrics {
  /// Returns the glyph with another behind it, as a letter with a mark.
  fileprivate func followed(by next: GlyphMetrics) -> GlyphMetrics {
    guard !next.isEmpty else {
      var result = self
      result.advance += next.advance
      return result
    }
    return GlyphMetrics(
      advance: advance + next.advance, left: min(left, advance + next.left),
      bottom: min(bottom, next.bottom), right: max(right, advance + next.right),
      top: max(top, next.top))
  }
}
