import Evaluation

/// The page of what is odd about data.
enum FindingsTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    {{#unjudged}}<p class="lead">Not judged: {{unjudged}}.</p>{{/unjudged}}
    </section>
    {{#parts}}
    {{> inkSection}}
    {{/parts}}
    {{#lists}}

    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasRows}}
    <p class="lead">{{note}}</p>
    <p class="list">{{#rows}}<span><bdi>{{name}}</bdi> {{value}}</span> {{/rows}}</p>
    {{#more}}<p class="lead">And {{more}} more.</p>{{/more}}
    {{/hasRows}}
    {{^hasRows}}<p class="lead">None.</p>{{/hasRows}}
    </section>
    {{/lists}}
    {{> foot}}
    """
}
