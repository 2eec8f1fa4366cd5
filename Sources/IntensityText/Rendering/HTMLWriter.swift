import Foundation

extension RenderedText {
  /// Returns the text as an HTML document with its styles, animated with CSS. O(n).
  ///
  /// Text is escaped. Links with other schemes than http, https, mailto and tel are shown as text.
  public func html(title: String = "") -> String {
    var writer = HTMLWriter(self, usesClasses: true)
    let body = writer.body()
    let style = writer.styleSheet
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <title>\(Markup.escaped(title))</title>
      <style>
      \(style)</style>
      </head>
      <body>
      \(body)
      </body>
      </html>

      """
  }

  /// Returns the text as one HTML element with styles of its own, still or animated, to put into a
  /// page. O(n).
  public func htmlFragment() -> String {
    var writer = HTMLWriter(self, usesClasses: false)
    return writer.body()
  }
}

/// Writes runs as elements of HTML.
private struct HTMLWriter {
  private let rendered: RenderedText
  private let units: [UInt16]
  private let usesClasses: Bool
  /// The classes by their styles, in the order of their first use.
  private var classes: [TextStyle: String] = [:]
  private var rules: [String] = []

  /// The display of attachments in a layer; `alone` is for a layer whose text is invisible.
  private enum AttachmentDisplay { case shown, hidden, alone }

  /// The widest attachment, in points.
  private static let attachmentWidth = 320.0

  init(_ rendered: RenderedText, usesClasses: Bool) {
    self.rendered = rendered
    self.usesClasses = usesClasses
    units = Array(rendered.text.utf16)
  }

  var styleSheet: String { rules.map { $0 + "\n" }.joined() }

  mutating func body() -> String {
    guard let bottom = rendered.bottom, let layers = rendered.layers else {
      let text = spans(rendered.runs, attachments: .shown)
      return "<div style=\"white-space:pre-wrap\">\(text)</div>"
    }
    // Attachments do not fade with the text: they are in a layer that stays. The other layers keep
    // their places empty.
    let isTopSteady = layers.top == (1, 1)
    let isBottomSteady = !isTopSteady && layers.bottom == (1, 1)
    let over = "position:absolute;inset:0"
    let below = layer(
      bottom, layers.bottom, name: "bottom", over, isBottomSteady ? .shown : .hidden)
    let above = layer(
      rendered.runs, layers.top, name: "top", "position:relative", isTopSteady ? .shown : .hidden)
    var images = ""
    if !isTopSteady, !isBottomSteady, rendered.runs.contains(where: { $0.attachment != nil }) {
      let pictures = spans(rendered.runs, attachments: .alone)
      images = "<div style=\"\(over);visibility:hidden\">\(pictures)</div>"
    }
    var keyframes = ""
    for (name, ends) in [("top", layers.top), ("bottom", layers.bottom)] where ends.from != ends.to
    {
      let frames =
        "@keyframes \(animationName(name, ends))"
        + "{from{opacity:\(Markup.number(ends.from))}to{opacity:\(Markup.number(ends.to))}}"
      if usesClasses { rules.append(frames) } else { keyframes += frames }
    }
    let style = keyframes.isEmpty ? "" : "<style>\(keyframes)</style>"
    return "\(style)<div style=\"position:relative;white-space:pre-wrap\">"
      + "\(below)\(above)\(images)</div>"
  }

  /// The same opacities have the same name, so that several texts fit on one page.
  private func animationName(_ layer: String, _ ends: (from: Double, to: Double)) -> String {
    "intensity-\(layer)-\(Int(100 * ends.from))-\(Int(100 * ends.to))"
  }

  private mutating func layer(
    _ runs: [StyleRun], _ ends: (from: Double, to: Double), name: String, _ place: String,
    _ attachments: AttachmentDisplay
  ) -> String {
    var style = place
    if ends.from == ends.to {
      if ends.from != 1 { style += ";opacity:\(Markup.number(ends.from))" }
    } else {
      let animation = rendered.animation
      style +=
        ";animation:\(animationName(name, ends)) \(Markup.number(animation.duration))s "
        + "ease-in-out \(Markup.number(-animation.offset))s infinite alternate"
    }
    // The text is read aloud once.
    let hidden = name == "bottom" ? " aria-hidden=\"true\"" : ""
    return "<div style=\"\(style)\"\(hidden)>\(spans(runs, attachments: attachments))</div>"
  }

  private mutating func spans(_ runs: [StyleRun], attachments: AttachmentDisplay) -> String {
    var result = ""
    var names: [Int: String] = [:]
    for run in runs {
      if let attachment = run.attachment {
        result += element(attachment, attachments)
        continue
      }
      let link = run.link.flatMap(Markup.safe)
      if let link { result += "<a href=\"\(Markup.escaped(link))\">" }
      result += "<span "
      let name = names[run.styleNumber] ?? attribute(run.style)
      names[run.styleNumber] = name
      result += name
      result += ">"
      Markup.escape(units[run.range], into: &result)
      result += link == nil ? "</span>" : "</span></a>"
    }
    return result
  }

  private mutating func attribute(_ style: TextStyle) -> String {
    guard usesClasses else { return "style=\"\(Self.css(style))\"" }
    if let known = classes[style] { return known }
    let name = "class=\"s\(classes.count)\""
    rules.append(".s\(classes.count){\(Self.css(style))}")
    classes[style] = name
    return name
  }

  private static func css(_ style: TextStyle) -> String {
    var parts = [
      "font-weight:\(style.font.weight.cssValue)", "font-size:\(Markup.number(style.font.size))px",
    ]
    if style.font.isItalic { parts.append("font-style:italic") }
    if style.color != .black { parts.append("color:\(Markup.css(style.color))") }
    let lines = [
      style.isUnderlined ? "underline" : nil, style.isStruckThrough ? "line-through" : nil,
    ].compactMap(\.self)
    if !lines.isEmpty { parts.append("text-decoration:\(lines.joined(separator: " "))") }
    if let shadow = style.shadow {
      parts.append(
        "text-shadow:0 0 \(Markup.number(shadow.radius))px \(Markup.css(shadow.color))")
    }
    if style.scale != 1 {
      parts.append("display:inline-block;transform:scale(\(Markup.number(style.scale)))")
    }
    return parts.joined(separator: ";")
  }

  private func element(_ attachment: Attachment, _ display: AttachmentDisplay) -> String {
    let size = attachment.size(fitting: Self.attachmentWidth)
    let box =
      "display:inline-block;width:\(Markup.number(size.width))px;"
      + "height:\(Markup.number(size.height))px"
      + (display == .alone ? ";visibility:visible" : "")
    if display == .hidden { return "<span style=\"\(box)\"></span>" }
    let name = Markup.escaped(attachment.name)
    switch attachment.kind {
    case .image(let full, _, _, _):
      let source = Markup.source(full, mimeType: attachment.mimeType)
      return "<img style=\"\(box)\" alt=\"\(name)\" src=\"\(Markup.escaped(source))\">"
    case .place(let latitude, let longitude, _):
      return "<a style=\"\(box)\" href=\"geo:\(latitude),\(longitude)\">\(name)</a>"
    case .file: return "<span style=\"\(box)\">\(name)</span>"
    }
  }
}

/// Escapes and numbers of HTML and SVG.
enum Markup {
  /// Returns a text in which no character means anything to HTML or XML.
  static func escaped(_ text: String) -> String {
    var result = ""
    escape(Array(text.utf16)[...], into: &result)
    return result
  }

  /// Appends units, escaped. Control characters that no document may hold become U+FFFD.
  static func escape(_ units: ArraySlice<UInt16>, into result: inout String) {
    var start = units.startIndex
    func name(of unit: UInt16) -> String? {
      switch unit {
      case 0x26: "&amp;"
      case 0x3C: "&lt;"
      case 0x3E: "&gt;"
      case 0x22: "&quot;"
      case 0x27: "&#39;"
      case 0x09, 0x0A, 0x0D: nil
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: "\u{FFFD}"
      default: nil
      }
    }
    for index in units.indices {
      guard let name = name(of: units[index]) else { continue }
      result += String(decoding: units[start..<index], as: UTF16.self)
      result += name
      start = index + 1
    }
    result += String(decoding: units[start...], as: UTF16.self)
  }

  /// A number with at most three digits behind the point.
  static func number(_ value: Double) -> String {
    let thousandths = (value * 1000).rounded()
    guard thousandths.isFinite, abs(thousandths) < 1e15 else { return "0" }
    if thousandths.truncatingRemainder(dividingBy: 1000) == 0 {
      return "\(Int(thousandths / 1000))"
    }
    return "\(thousandths / 1000)"
  }

  /// A colour as CSS and SVG read it.
  static func css(_ color: TextColor) -> String {
    let (red, green, blue) = color.rgb
    return color.alpha == 1
      ? "rgb(\(red),\(green),\(blue))" : "rgba(\(red),\(green),\(blue),\(number(color.alpha)))"
  }

  private static let safeSchemes: Set<String> = ["http", "https", "mailto", "tel"]

  /// The address of a link that a page may follow; nil for one that could run a program.
  static func safe(_ url: URL) -> String? {
    guard let scheme = url.scheme?.lowercased(), safeSchemes.contains(scheme) else { return nil }
    return url.absoluteString
  }

  /// The address of an image: its bytes, or a reference without a scheme that could run a program.
  static func source(_ content: Attachment.Content, mimeType: String) -> String {
    switch content {
    case .data(let bytes):
      let isType = mimeType.utf8.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A)
          || [0x2B, 0x2D, 0x2E, 0x2F].contains($0)
      }
      return "data:\(isType ? mimeType : "application/octet-stream");base64,"
        + bytes.base64EncodedString()
    case .reference(let text):
      guard let colon = text.firstIndex(of: ":") else { return text }
      let scheme = text[..<colon].lowercased()
      return scheme == "http" || scheme == "https" ? text : ""
    }
  }
}
