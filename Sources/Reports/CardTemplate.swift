import Evaluation

/// An error, drawn, with its label and its candidates.
enum CardTemplate {
  static let text = """
    <figure class="card">
    {{{drawing}}}
    <figcaption>
    <p><bdi class="truth">{{label}}</bdi>{{#predicted}} <span class="as">read as</span> \
    <bdi class="read">{{predicted}}</bdi>{{/predicted}}{{^predicted}} <span class="as">no answer\
    </span>{{/predicted}}</p>
    <ol>{{#candidates}}<li{{#isTrue}} class="true"{{/isTrue}} style="--p:{{share}}%"><bdi>{{text}}\
    </bdi><span>{{probability}}</span></li>{{/candidates}}</ol>
    {{#writer}}<p class="by">writer <bdi>{{writer}}</bdi></p>{{/writer}}
    </figcaption>
    </figure>

    """
}
