import Mustache

/// The templates of reports. They are compiled in, so that a binary can be moved on its own.
package struct ReportTemplates {
  /// A page's template.
  package enum Page: String, CaseIterable {
    case evaluation
    case dataset
    case lines
    case comparison
    case findings
    case formulas
  }

  private static let sources = [
    "head": HeadTemplate.text,
    "foot": FootTemplate.text,
    "tiles": TilesTemplate.text,
    "card": CardTemplate.text,
    "inkSection": InkSectionTemplate.text,
    "evaluationSections": EvaluationSectionsTemplate.text,
    "letterSection": LetterTemplate.text,
    "letterRows": LetterRowsTemplate.text,
    "pageSection": PageTemplate.text,
    "confidence": ConfidenceTemplate.text,
    "writerSection": WriterTemplate.text,
    "speed": SpeedTemplate.text,
    "robustness": RobustnessTemplate.text,
    "areas": AreaTemplate.text,
    "classRows": ClassRowsTemplate.text,
    "writerRows": WriterRowsTemplate.text,
    Page.evaluation.rawValue: EvaluationTemplate.text,
    Page.dataset.rawValue: DatasetTemplate.text,
    Page.lines.rawValue: LinesTemplate.text,
    Page.comparison.rawValue: ComparisonTemplate.text,
    Page.findings.rawValue: FindingsTemplate.text,
    Page.formulas.rawValue: FormulasTemplate.text,
  ]

  private let library: MustacheLibrary

  /// Parses the templates.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package init() throws(ReportError) {
    // The library's own escaping misses a quotation mark with a combining accent.
    MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
    var library = MustacheLibrary()
    for (name, text) in Self.sources {
      do {
        try library.register("{{% CONTENT_TYPE: \(HTMLEscaping.name)}}" + text, named: name)
      } catch {
        throw .unusableTemplate(name: name, reason: "\(error)")
      }
    }
    self.library = library
  }

  /// Renders a page. Two braces escape; three do not, and are for our own SVG and CSS.
  ///
  /// - Throws: ``ReportError/unusableTemplate(name:reason:)``.
  package func render(
    _ page: Page, _ head: ReportHead, _ values: [String: Any]
  ) throws(ReportError) -> String {
    var values = values.merging(head.values) { value, _ in value }
    values["style"] = ReportStyleSheet.text + InkDrawing.styleSheet
    guard let text = library.render(values, withTemplate: page.rawValue) else {
      throw .unusableTemplate(name: page.rawValue, reason: "it is missing")
    }
    return text
  }
}
