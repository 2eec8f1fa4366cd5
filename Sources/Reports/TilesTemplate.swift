import Evaluation

/// Headline figures.
enum TilesTemplate {
  static let text = """
    <dl class="tiles">
    {{#tiles}}
    <div class="tile{{#isMain}} main{{/isMain}}"><dt>{{name}}</dt><dd>{{value}}</dd>{{#note}}<p>\
    {{note}}</p>{{/note}}</div>
    {{/tiles}}
    </dl>

    """
}
