import Evaluation

/// The sections that end the page of an evaluation, of whatever kind of model: confidences, writers,
/// speed, disturbed ink. Their template is ``EvaluationSectionsTemplate``.
struct EvaluationSections {
  /// Nil where answers have none.
  let confidence: ConfidenceSection?
  let writers: WriterSection
  let speed: SpeedSection
  /// Nil where it was not asked for.
  let robustness: RobustnessSection?

  /// Where to jump to, in the order of the page.
  var links: [(id: String, name: String)] {
    [confidence?.link, writers.link, speed.link, robustness?.link].compactMap(\.self)
  }

  /// What the template needs.
  var values: [String: Any] {
    var values: [String: Any] = ["writerSection": writers.values, "speed": speed.values]
    if let confidence { values["confidence"] = confidence.values }
    if let robustness { values["robustness"] = robustness.values }
    return values
  }
}

/// The sections that end the page of an evaluation; see ``EvaluationSections``.
enum EvaluationSectionsTemplate {
  static let text = """
    {{> confidence}}
    {{> writerSection}}
    {{> speed}}
    {{> robustness}}

    """
}
