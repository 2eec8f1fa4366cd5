import Evaluation

/// The page of an evaluation of a line model.
enum LinesTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{#known}}<p class="lead">{{.}}.</p>
    {{/known}}
    {{> tiles}}
    </section>

    {{#errors}}
    {{> inkSection}}
    {{/errors}}

    <section id="kinds">
    <h2>Kinds of errors</h2>
    {{#lists}}
    <h3>{{title}}</h3>
    <dl class="facts">{{#rows}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/rows}}</dl>
    {{/lists}}
    {{> areas}}
    </section>

    {{> evaluationSections}}
    {{> foot}}
    """
}
