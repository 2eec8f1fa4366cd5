import Foundation

/// A run of characters that look the same.
public struct StyleRun: Hashable, Sendable {
  /// The UTF-16 units.
  public let range: Range<Int>
  /// The look, which runs share: a text may have a run for each character.
  let look: RunLook

  /// The style.
  public var style: TextStyle { look.style }
  /// The base attributes, before intensity.
  public var base: BaseAttributes { look.base }
  /// The link of the run.
  public var link: URL? { look.link }
  /// The attachment, which the run holds alone.
  public var attachment: Attachment? { look.attachment }
  /// The same for all runs of a layer with the same style, so that writers need not compare styles.
  var styleNumber: Int { look.number }
}

/// The look of runs.
final class RunLook: Hashable, Sendable {
  let style: TextStyle
  let base: BaseAttributes
  let link: URL?
  let attachment: Attachment?
  let number: Int

  init(
    style: TextStyle, base: BaseAttributes, link: URL? = nil, attachment: Attachment? = nil,
    number: Int
  ) {
    (self.style, self.base, self.link) = (style, base, link)
    (self.attachment, self.number) = (attachment, number)
  }

  static func == (left: RunLook, right: RunLook) -> Bool {
    left === right
      || left.number == right.number && left.style == right.style && left.base == right.base
        && left.link == right.link && left.attachment == right.attachment
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(link)
  }
}

/// The runs of a text in a scheme: what a host draws.
///
///     var text = IntensityString("soft ", intensity: 10)
///     text.append(IntensityString("hard", intensity: 95))
///     let rendered = text.rendered(scheme: HueScheme(), smoothing: .word, animates: false)
///     for run in rendered.runs { print(run.range, run.style.color.rgb) }
///
/// Runs cover the text without gaps. An animated text has two layers with the same ranges and fonts.
public struct RenderedText: Hashable, Sendable {
  /// The text.
  public let text: String
  /// The runs; of an animated text, those of the layer above.
  public let runs: [StyleRun]
  /// The runs as they are when the text stays still.
  let still: [StyleRun]
  /// The runs of the layer below; nil if the text stays still.
  public let bottom: [StyleRun]?
  /// The opacities of the layers; nil if the text stays still.
  public let layers: SchemeLayers?
  /// The course of the animation: to and fro, with ease in and out.
  public let animation: AnimationOptions

  /// The units of a run.
  func text(of run: StyleRun, in units: [UInt16]) -> String {
    String(decoding: units[run.range], as: UTF16.self)
  }
}

extension IntensityString {
  /// Renders the text: smooths the intensities, bins them, and styles each run. O(n).
  ///
  /// - Parameters:
  ///   - scheme: The scheme.
  ///   - smoothing: The unit that shares one intensity.
  ///   - animates: True for two layers, if the scheme has them.
  public func rendered(
    scheme: any IntensityScheme, smoothing: IntensitySmoothing, animates: Bool
  ) -> RenderedText {
    let spans = spans(scheme: scheme, smoothing: smoothing)
    let layers = animates ? scheme.layers : nil
    let attachments = Dictionary(
      self.attachments.map { ($0.index, $0.attachment) }, uniquingKeysWith: { first, _ in first })
    func runs(_ layer: TextLayer?) -> [StyleRun] {
      // The plain look of each style; links and attachments have their own.
      var looks: [Int: RunLook] = [:]
      return spans.map { span in
        let number = span.bin << 12 | span.base.rawValue
        let plain =
          looks[number]
          ?? RunLook(
            style: scheme.layerStyle(span.bin, span.base, layer), base: span.base, number: number)
        looks[number] = plain
        let attachment = attachments.isEmpty ? nil : attachments[span.range.lowerBound]
        guard span.link != nil || attachment != nil else {
          return StyleRun(range: span.range, look: plain)
        }
        return StyleRun(
          range: span.range,
          look: RunLook(
            style: plain.style, base: span.base, link: span.link, attachment: attachment,
            number: number))
      }
    }
    let still = runs(nil)
    return RenderedText(
      text: string, runs: layers == nil ? still : runs(.top), still: still,
      bottom: layers == nil ? nil : runs(.bottom), layers: layers,
      animation: options.animation ?? .standard)
  }

  /// Renders the text as its options say, and as preferences say where they say nothing. O(n).
  public func rendered(
    _ preferences: IntensityPreferences = IntensityPreferences(),
    role: IntensityPreferences.Role = .viewer, schemes: IntensitySchemes = IntensitySchemes()
  ) -> RenderedText {
    let resolved = preferences.resolved(options, role: role)
    return rendered(
      scheme: schemes.scheme(named: resolved.scheme), smoothing: resolved.smoothing,
      animates: resolved.animates)
  }

  /// The longest ranges with one bin, base, link and attachment.
  private func spans(scheme: any IntensityScheme, smoothing: IntensitySmoothing) -> [Span] {
    let bins = (0...100).map { scheme.bin(of: $0) }
    let numbers = smoothed(by: smoothing)
    var cuts: [Int] = []
    var index = 1
    while index < numbers.count {
      if bins[Int(numbers[index])] != bins[Int(numbers[index - 1])] { cuts.append(index) }
      index += 1
    }
    let bases = attributes
    let links = self.links
    cuts += bases.map(\.range.lowerBound)
    cuts += links.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
    cuts += attachments.flatMap { [$0.index, $0.index + 1] }
    cuts.append(count)
    cuts.sort()
    var (start, base, link) = (0, 0, 0)
    var result: [Span] = []
    result.reserveCapacity(cuts.count)
    for cut in cuts where cut > start {
      while base + 1 < bases.count, bases[base].range.upperBound <= start { base += 1 }
      while link < links.count, links[link].range.upperBound <= start { link += 1 }
      let isLinked = link < links.count && links[link].range.contains(start)
      result.append(
        Span(
          range: start..<cut, bin: bins[Int(numbers[start])], base: bases[base].attributes,
          link: isLinked ? links[link].url : nil))
      start = cut
    }
    return result
  }
}

private struct Span {
  var range: Range<Int>
  var bin: Int
  var base: BaseAttributes
  var link: URL?
}

extension IntensityScheme {
  /// The style in a layer, with the font of the still text.
  fileprivate func layerStyle(
    _ bin: Int, _ base: BaseAttributes, _ layer: TextLayer?
  ) -> TextStyle {
    let still = style(bin: bin, base: base)
    guard let layer else { return still }
    var result = style(bin: bin, base: base, layer: layer)
    result.font = still.font
    return result
  }
}
