/// The page of an evaluation.
enum EvaluationTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    </section>

    <section id="errors">
    <h2>Most confident errors</h2>
    {{#hasErrors}}
    <p class="lead">The answers that were wrong with the most confidence. Where a model is this sure, \
    look at the label too. Colour and number give the order of the strokes; a number stands where \
    its stroke begins. Faint lines are the writing area.</p>
    <div class="cards">
    {{#errors}}
    {{> card}}
    {{/errors}}
    </div>
    {{#moreErrors}}
    <details><summary>{{count}} more</summary>
    <div class="cards">
    {{#cards}}
    {{> card}}
    {{/cards}}
    </div></details>
    {{/moreErrors}}
    {{/hasErrors}}
    {{^hasErrors}}<p class="lead">None: every answer was right.</p>{{/hasErrors}}
    {{#hasRefused}}
    <h3>Without an answer</h3>
    <div class="cards">
    {{#refused}}
    {{> card}}
    {{/refused}}
    </div>
    {{/hasRefused}}
    </section>

    <section id="confusions">
    <h2>Confusions</h2>
    {{#hasConfusions}}
    <p class="lead">The most frequent errors: what was written, what was read, how often.</p>
    <ol class="pairs">{{#confusions}}<li><bdi class="truth">{{label}}</bdi> <span class="as">→</span> \
    <bdi class="read">{{predicted}}</bdi> <b>{{count}}</b></li>{{/confusions}}</ol>
    {{/hasConfusions}}
    <p class="lead">A row for each label written, a column for each label read. Green is right, red \
    wrong, each by its share of the row.{{#matrixOmitted}} {{matrixOmitted}} labels with fewer errors are left \
    out.{{/matrixOmitted}}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">{{{matrix}}}</div>
    </section>

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

    <section id="classes">
    <h2>Classes</h2>
    <p class="lead">Worst recall first. Recall is the share of a label's inks that were read as it; \
    precision is the share of the answers of a label that were right.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Figures by class">
    <table><thead><tr><th scope="col">Label</th><th scope="col">Inks</th><th scope="col">Recall</th>\
    <th scope="col">Precision</th><th scope="col" class="list">Read as</th></tr></thead>
    <tbody>
    {{#classes}}
    {{> classRows}}
    {{/classes}}
    </tbody></table></div>
    {{#moreClasses}}
    <details><summary>{{count}} more{{#omitted}}; {{omitted}} with better recall are left out\
    {{/omitted}}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Figures of more classes">
    <table><tbody>
    {{> classRows}}
    </tbody></table></div></details>
    {{/moreClasses}}
    </section>

    <section id="writers">
    <h2>Writers</h2>
    {{#hasWriters}}
    <div class="charts">
    <figure><h3>Accuracy by writer</h3>{{{writerChart}}}<figcaption>{{writerNote}}</figcaption></figure>
    <dl class="facts">{{#spread}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/spread}}</dl>
    </div>
    <table><thead><tr><th scope="col">Writer</th><th scope="col">Inks</th><th scope="col">Errors</th>\
    <th scope="col">Top-1</th></tr></thead>
    <tbody>
    {{#writers}}
    {{> writerRows}}
    {{/writers}}
    </tbody></table>
    {{#moreWriters}}
    <details><summary>{{count}} more{{#omitted}}; {{omitted}} that were read better are left out\
    {{/omitted}}</summary>
    <table><tbody>
    {{> writerRows}}
    </tbody></table></details>
    {{/moreWriters}}
    {{/hasWriters}}
    {{^hasWriters}}<p class="lead">The data names no writers.</p>{{/hasWriters}}
    </section>

    <section id="speed">
    <h2>Speed</h2>
    <div class="charts">
    <figure><h3>Latency</h3>{{{latency}}}<figcaption>From raw points to calibrated candidates, one ink at \
    a time on one thread.</figcaption></figure>
    <dl class="facts">{{#speed}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/speed}}</dl>
    </div>
    </section>
    {{> robustness}}
    {{> foot}}
    """
}
