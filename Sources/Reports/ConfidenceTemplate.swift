import Evaluation

/// The section on confidences; see ``ConfidenceSection``.
enum ConfidenceTemplate {
  static let text = """
    {{#confidence}}
    <section id="confidence">
    <h2>Confidence</h2>
    <div class="charts">
    <figure><h3>Calibration</h3>{{{reliability}}}<figcaption>On the dashed line a confidence of 90 % is \
    right 9 times out of 10; below it the model is too sure. Columns show how the answers are \
    spread over the confidences. Expected calibration error: {{ece}}.</figcaption></figure>
    <figure><h3>Accuracy against coverage</h3>{{{coverage}}}<figcaption>What is right when only the most \
    confident answers are accepted. {{coverageNote}}</figcaption></figure>
    </div>
    </section>
    {{/confidence}}

    """
}
