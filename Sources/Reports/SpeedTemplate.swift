import Evaluation

/// The section on speed and size; see ``SpeedSection``.
enum SpeedTemplate {
  static let text = """
    {{#speed}}
    <section id="speed">
    <h2>Speed</h2>
    <div class="charts">
    <figure><h3>Latency</h3>{{{latency}}}<figcaption>From raw points to calibrated candidates, one \
    {{unit}} at a time on one thread.</figcaption></figure>
    <dl class="facts">{{#facts}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/facts}}</dl>
    </div>
    </section>
    {{/speed}}

    """
}
