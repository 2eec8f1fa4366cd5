import Evaluation

/// The section on writers; see ``WriterSection``.
enum WriterTemplate {
  static let text = """
    {{#writerSection}}
    <section id="writers">
    <h2>Writers</h2>
    {{#hasWriters}}
    <div class="charts">
    <figure><h3>{{heading}}</h3>{{{chart}}}<figcaption>{{note}}</figcaption></figure>
    <dl class="facts">{{#spread}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/spread}}</dl>
    </div>
    <table><thead><tr><th scope="col">Writer</th><th scope="col">{{unit}}</th>\
    <th scope="col">Errors</th><th scope="col">{{rateName}}</th></tr></thead>
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
    {{/writerSection}}

    """
}
