import Evaluation

/// The sections that end the page of an evaluation; see ``EvaluationSections``.
enum EvaluationSectionsTemplate {
  static let text = """
    {{> confidence}}
    {{> writerSection}}
    {{> speed}}
    {{> robustness}}

    """
}
