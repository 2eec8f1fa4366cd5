/// The page of what is odd about data.
enum FindingsTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    {{#unjudged}}<p class="lead">Not judged: {{unjudged}}.</p>{{/unjudged}}
    </section>
    {{#parts}}

    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasInks}}
    <p class="lead">{{note}}</p>
    <div class="{{^isLine}}cards{{/isLine}}">
    {{#inks}}
    <figure class="{{^isLine}}card{{/isLine}}{{#isLine}}line{{/isLine}}">{{{drawing}}}<figcaption>\
    <div><span class="tag">label</span> <bdi class="read">{{label}}</bdi></div>\
    {{#suggested}}<div><span class="tag">looks like</span> <bdi class="truth">{{suggested}}</bdi> \
    {{score}}</div>{{/suggested}}{{#problem}}<div class="by">{{problem}}</div>{{/problem}}\
    <p class="by">record {{index}}{{#writer}}, writer <bdi>{{writer}}</bdi>{{/writer}}</p>\
    </figcaption></figure>
    {{/inks}}
    </div>
    {{#more}}<p class="lead">And {{more}} more.</p>{{/more}}
    {{/hasInks}}
    {{^hasInks}}<p class="lead">None.</p>{{/hasInks}}
    </section>
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
    </main>
    <footer><p>Data, SHA-256 of the labelled records: <code>{{hash}}</code></p></footer>
    </body>
    </html>

    """
}
