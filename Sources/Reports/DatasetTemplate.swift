import Evaluation

/// The page of one or several datasets.
enum DatasetTemplate {
  static let text = """
    {{> head}}
    {{#datasets}}
    <section id="{{id}}">
    {{#heading}}<h2><code>{{heading}}</code></h2>{{/heading}}
    {{> tiles}}
    <p class="hash">SHA-256 of the records: <code>{{hash}}</code></p>

    <h3>Classes</h3>
    <p class="lead">{{sampleNote}} Colour and number give the order of the strokes; a number stands \
    where its stroke begins. Faint lines are the writing area.</p>
    <div class="samples">
    {{#classes}}
    <div class="sample"><h4><bdi>{{label}}</bdi> <span>{{count}}</span></h4><div class="inks">\
    {{#drawings}}{{{.}}}{{/drawings}}</div></div>
    {{/classes}}
    </div>
    {{#otherClasses}}
    <details><summary>{{count}} more classes, without drawings</summary><p class="list">{{#labels}}\
    <span><bdi>{{label}}</bdi> {{count}}</span> {{/labels}}{{#omitted}}and {{omitted}} more\
    {{/omitted}}</p></details>
    {{/otherClasses}}

    <h3>Ink</h3>
    <div class="charts">
    {{#charts}}
    <figure><h4>{{name}}</h4>{{{chart}}}<figcaption>{{note}}</figcaption></figure>
    {{/charts}}
    </div>
    <dl class="facts wide">{{#channels}}<dt>{{name}}</dt><dd class="bar" style="--p:{{share}}%">\
    {{value}}</dd>{{/channels}}</dl>

    <h3>Writers</h3>
    <p class="lead">{{writerNote}}</p>
    {{#hasWriters}}<p class="list">{{#writers}}<span><bdi>{{writer}}</bdi> {{count}}</span> \
    {{/writers}}{{#moreWriters}}and {{moreWriters}} more{{/moreWriters}}</p>{{/hasWriters}}

    <h3>Bad records</h3>
    <p class="lead">{{badNote}}</p>
    {{#hasBad}}
    <div class="scroll" tabindex="0" role="region" aria-label="Bad records">
    <table class="text"><thead><tr><th scope="col">Where</th><th scope="col">Kind</th>\
    <th scope="col">Expected</th><th scope="col">Found</th></tr></thead>
    <tbody>
    {{#bad}}
    <tr><th scope="row"><code>{{location}}</code></th><td>{{kind}}</td><td>{{expected}}</td>\
    <td>{{found}}</td></tr>
    {{/bad}}
    </tbody></table></div>
    {{/hasBad}}
    </section>
    {{/datasets}}
    {{> foot}}
    """
}
