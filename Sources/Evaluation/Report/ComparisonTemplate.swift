/// The page of a comparison of two models.
enum ComparisonTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    <p class="lead"><b>A</b> is <code>{{first}}</code>, <b>B</b> is <code>{{second}}</code>. Both read \
    every ink before the next, one thread, either first in turn.</p>
    {{> tiles}}
    <div class="scroll" tabindex="0" role="region" aria-label="Figures of both models">
    <table><thead><tr><th scope="col">Figure</th><th scope="col">A</th><th scope="col">B</th>\
    <th scope="col">B − A</th><th scope="col">95 % interval over writers</th></tr></thead>
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

    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasInks}}
    <p class="lead">{{note}}</p>
    <div class="{{^isLine}}cards{{/isLine}}">
    {{#inks}}
    <figure class="{{^isLine}}card{{/isLine}}{{#isLine}}line{{/isLine}}">{{{drawing}}}<figcaption>\
    <div><span class="tag">written</span> <bdi class="truth">{{reference}}</bdi></div>\
    <div><span class="tag">A</span> <bdi class="{{firstClass}}">{{first}}</bdi></div>\
    <div><span class="tag">B</span> <bdi class="{{secondClass}}">{{second}}</bdi></div>\
    {{#writer}}<p class="by">writer <bdi>{{writer}}</bdi></p>{{/writer}}</figcaption></figure>
    {{/inks}}
    </div>
    {{/hasInks}}
    {{^hasInks}}<p class="lead">None.</p>{{/hasInks}}
    </section>
    {{/parts}}
    </main>
    <footer><p>Data, SHA-256 of the labelled records: <code>{{hash}}</code></p></footer>
    </body>
    </html>

    """
}
