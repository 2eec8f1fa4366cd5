import Evaluation

/// Rows of the table of writers.
enum WriterRowsTemplate {
  static let text = """
    {{#rows}}
    <tr><th scope="row"><bdi>{{writer}}</bdi></th><td>{{samples}}</td><td>{{errors}}</td><td \
    class="bar" style="--p:{{share}}%">{{rate}}</td></tr>
    {{/rows}}

    """
}
