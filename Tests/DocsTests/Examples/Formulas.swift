// swift-format-ignore-file
// The examples of docs/Formulas.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleFormulas1(_ editor: Editor) async throws {
  let formula = editor.rootBlock?.formulas.first
  let latex = formula?.latex           // "2 + 3 ="
  let result = formula?.result?.text   // "5"
  let tree = formula?.expression       // = with the operand +, which has the operands 2 and 3
  let text = try editor.export(as: .latex)
  _ = formula
  _ = latex
  _ = result
  _ = tree
  _ = text
}
