import Evaluation

extension InkDrawing {
  /// The CSS of all drawings of a page, for light and dark.
  public static let styleSheet: String = {
    // Blue, vermilion, green, purple, amber, cyan: apart from each other for the colour-blind too
    // (after Okabe and Ito 2008), dark enough on white and light enough on black.
    let light = ["#1d4fd8", "#c2410c", "#15803d", "#8b2fc9", "#a16207", "#0e7490"]
    let dark = ["#7aa7ff", "#ff8a5c", "#5fd38d", "#cf9bff", "#f0c419", "#5cc8e6"]
    return """
      .ink{display:block;max-width:100%;height:auto}
      .ink path{fill:none;stroke-width:24;stroke-linecap:round;stroke-linejoin:round}
      .ink .area{stroke:currentColor;stroke-width:8;stroke-linecap:butt;opacity:.28}
      .ink text{font:700 92px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central;\
      paint-order:stroke;stroke:var(--card,#fff);stroke-width:34px;stroke-linejoin:round}
      \(rules(light))
      @media(prefers-color-scheme:dark){\(rules(dark))}
      """
  }()

  private static func rules(_ colors: [String]) -> String {
    colors.enumerated().map { index, color in
      ".ink .s\(index){stroke:\(color)}.ink .d\(index),.ink .n\(index){fill:\(color)}"
    }.joined()
  }
}
