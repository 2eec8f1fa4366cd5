import Evaluation

/// The page of a comparison of two models.
enum ComparisonTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    <p class="lead"><b>A</b> is <code>{{first}}</code>, <b>B</b> is <code>{{second}}</code>. Both read \
    every ink before the next, one thread, either first in turn.</p>
    {{> tiles}}
    {{#unknown}}<p class="lead">{{.}}.</p>
    {{/unknown}}
    <div class="scroll" tabindex="0" role="region" aria-label="Figures of both models">
    <table><thead><tr><th scope="col">Figure</th><th scope="col">A</th><th scope="col">B</th>\
    <th scope="col">B − A</th><th scope="col">95 % interval</th></tr></thead>
    <tbody>
    {{#figures}}<tr><th scope="row">{{name}}</th><td>{{first}}</td><td>{{second}}</td>\
    <td>{{difference}}</td><td>{{interval}}</td></tr>
    {{/figures}}
    </tbody></table></div>
    </section>

    <section id="writers">
    <h2>Writers</h2>
    {{#hasWriters}}
    <div class="charts">
    <figure>{{{writerChart}}}<figcaption>{{writerNote}}</figcaption></figure>
    <dl class="facts">{{#spread}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/spread}}</dl>
    </div>
    {{/hasWriters}}
    {{^hasWriters}}<p class="lead">The data names too few writers.</p>{{/hasWriters}}
    </section>
    {{#parts}}
    {{> inkSection}}
    {{/parts}}
    {{> foot}}
    """
}
