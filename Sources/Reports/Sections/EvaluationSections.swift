import Evaluation

/// The last sections of an evaluation's page, for any kind of model: pages, letters, confidences, writers, speed,
/// disturbed ink. Their template is ``EvaluationSectionsTemplate``.
struct EvaluationSections {
  /// Nil if no record is a page.
  var pages: PageSection?
  /// Nil if no label has a letter beyond a to z.
  let letters: LetterSection?
  /// Nil if the answers have no confidences.
  let confidence: ConfidenceSection?
  let writers: WriterSection
  let speed: SpeedSection
  /// Nil if it was not requested.
  let robustness: RobustnessSection?

  /// The links to the sections, in the order of the page.
  var links: [(id: String, name: String)] {
    [pages?.link, letters?.link, confidence?.link, writers.link, speed.link, robustness?.link]
      .compactMap(\.self)
  }

  /// The values of the template.
  var values: [String: Any] {
    var values: [String: Any] = ["writerSection": writers.values, "speed": speed.values]
    if let pages { values["pageSection"] = pages.values }
    if let letters { values["letterSection"] = letters.values }
    if let confidence { values["confidence"] = confidence.values }
    if let robustness { values["robustness"] = robustness.values }
    return values
  }
}

/// The last sections of an evaluation's page; see ``EvaluationSections``.
enum EvaluationSectionsTemplate {
  static let text = """
    {{> pageSection}}
    {{> letterSection}}
    {{> confidence}}
    {{> writerSection}}
    {{> speed}}
    {{> robustness}}

    """
}
