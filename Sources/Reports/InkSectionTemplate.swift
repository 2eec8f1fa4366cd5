import Evaluation

/// A section of drawn inks with what is said of each; see ``InkSection``.
enum InkSectionTemplate {
  static let text = """
    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasInks}}
    <p class="lead">{{note}}</p>
    <div class="{{^isOfLines}}cards{{/isOfLines}}">
    {{#inks}}
    <figure class="{{^isOfLines}}card{{/isOfLines}}{{#isOfLines}}line{{/isOfLines}}">{{{drawing}}}\
    <figcaption>{{#rows}}<div><span class="tag">{{tag}}</span> <bdi class="{{class}}">{{text}}</bdi>\
    {{#figure}} {{figure}}{{/figure}}</div>{{/rows}}{{#problem}}<div class="by">{{problem}}</div>\
    {{/problem}}{{#by}}<p class="by"><bdi>{{by}}</bdi></p>{{/by}}</figcaption></figure>
    {{/inks}}
    </div>
    {{#omitted}}<p class="lead">And {{omitted}} more.</p>{{/omitted}}
    {{/hasInks}}
    {{^hasInks}}<p class="lead">{{absence}}</p>{{/hasInks}}
    </section>

    """
}
