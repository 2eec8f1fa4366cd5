// swift-format-ignore-file
// The examples of docs/IntensityText.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleIntensityText1() async throws {
  var text = IntensityString("Please ", intensity: 30)
  text.append(IntensityString("listen", intensity: 95))
  text.options.scheme = "hue"
  print(text.averageIntensity)
  print(text.rendered().html())
  _ = text
}

func exampleIntensityText2() async throws {
  var schemes = IntensitySchemes()
  try schemes.register(ShadowScheme())
  let rendered = IntensityString("hard", intensity: 100).rendered(
    scheme: ShadowScheme(), smoothing: .word, animates: true)
  for run in rendered.runs { print(run.range, run.style.font.size) }
  _ = schemes
  _ = rendered
}
