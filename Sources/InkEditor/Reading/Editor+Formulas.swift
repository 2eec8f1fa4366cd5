import Foundation
import InkCore
import Recognition

/// A formula to read, with its present ink and settings.
struct FormulaJob {
  /// The generations of all readings and of those of formulas.
  var generation: Int
  var formulaGeneration: Int
  var block: String
  /// The ink that the reading belongs to.
  var key: FormulaInk
  var items: [Int]
  var ink: Ink
  /// The symbols that strokes of the ink are, because they are typed.
  var known: [Int: String]
  /// The name of the model.
  var model: String
  var calculation: FormulaCalculation
  var candidates: Int
}

extension Editor {
  /// Reads a formula. Do not call under the lock.
  func read(_ job: FormulaJob) {
    let outcome = Self.calling { formulas(job) }
    locked { state in
      state.document?.formulas.end(job.key)
      guard state.readingGeneration == job.generation, let document = state.document,
        document.formulas.generation == job.formulaGeneration,
        let block = document.block(of: job.key)
      else { return }
      switch outcome {
      case .success(let formulas):
        document.take(formulas, of: job.key)
        state.notices = state.notices.filter { $0.block != job.block || $0.subject != .reading }
        document.changes.update(block)
      case .failure(let notice):
        document.take([], of: job.key)
        // On a page without a model for them, formulas are ink.
        if notice.code != .modelNotFound || document.type == .math { state.tell(notice) }
      }
    }
  }

  private func formulas(_ job: FormulaJob) -> Result<[RecognizedFormula], EditorNotice> {
    let models = engine.models
    let recognizer: any Recognizer
    do {
      recognizer = try engine.formulas.reader(job.model) { () throws(any Error) in
        try models.formulaRecognizer(name: job.model)
      }
    } catch {
      return .failure(
        EditorNotice(
          block: job.block, code: error is MissingModel ? .modelNotFound : .resourceNotFound,
          message: "\(error)"))
    }
    do {
      var context = RecognitionContext()
      context.knownSymbols = job.known
      let result = try recognizer.recognize(
        job.ink, context: context, maximumCandidates: job.candidates)
      return .success(
        result.candidates.compactMap(\.formula).map { formula in
          var formula = formula.calculated(job.calculation)
          for symbol in formula.symbols.indices {
            formula.symbols[symbol].strokes = formula.symbols[symbol].strokes.map { job.items[$0] }
          }
          return formula
        })
    } catch {
      return .failure(EditorNotice(block: job.block, code: .inkRejected, message: "\(error)"))
    }
  }
}

extension Editor {
  /// Returns whether a block, or the root if nil, is a formula.
  func isFormula(_ block: ContentBlock?) throws(EditorError) -> Bool {
    try withNode(orRoot: block) { (_, _, node) throws(EditorError) in node.type == .math }
  }

  /// The best reading of a formula; nil if nothing was read.
  ///
  /// - Throws: ``EditorError/notIdle`` while ink is being read.
  func formula(_ block: ContentBlock?) throws(EditorError) -> RecognizedFormula? {
    try idle(block) { (_, document, node) throws(EditorError) in
      document.formulas(of: node).first
    }
  }
}

extension EditorState {
  /// Returns the next formula to read.
  mutating func formulaJob(_ document: Document) -> FormulaJob? {
    guard let (block, key, strokes) = document.nextFormula() else { return nil }
    document.formulas.begin(key)
    return FormulaJob(
      generation: readingGeneration, formulaGeneration: document.formulas.generation,
      block: block.id, key: key, items: strokes.map(\.id),
      ink: Ink(strokes: strokes.map(\.formulaStroke)),
      known: Dictionary(
        strokes.enumerated().compactMap { index, stroke in
          stroke.formulaSymbol.map { (index, $0) }
        }, uniquingKeysWith: { first, _ in first }),
      model: string("math.configuration.formulas"),
      calculation: document.formulas.calculation,
      candidates: Int(number("recognition.candidates")))
  }

  /// The values of variables: `x=3` gives x the value 3.
  private var solverVariables: [String: String] {
    mutating get {
      let pairs = strings("math.solver.variables").map {
        $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return Dictionary(
        pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  /// Sets how formulas are calculated, and whether they are read. In raw content the settings decide
  /// on that; elsewhere they always are.
  mutating func decideOnFormulas(_ document: Document) {
    document.formulas.calculation = FormulaCalculation(
      usesDegrees: string("math.solver.angle-unit") == "deg",
      fractionDigits: Int(number("math.solver.fractional-part-digits")),
      variables: solverVariables)
    document.formulas.isEnabled =
      document.type != .rawContent || strings("raw-content.recognition.types").contains("math")
  }
}
