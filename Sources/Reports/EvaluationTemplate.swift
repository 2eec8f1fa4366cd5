import Evaluation

/// The page of an evaluation.
enum EvaluationTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{#known}}<p class="lead">{{.}}.</p>
    {{/known}}
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

    {{> evaluationSections}}
    {{> foot}}
    """
}
