import Evaluation

/// Rows of the table of classes.
enum ClassRowsTemplate {
  static let text = """
    {{#rows}}
    <tr><th scope="row"><bdi>{{label}}</bdi></th><td>{{support}}</td><td class="bar" \
    style="--p:{{recallShare}}%">{{recall}}</td><td class="bar" style="--p:{{precisionShare}}%">\
    {{precision}}</td><td class="list">{{#readAs}}<span><bdi>{{label}}</bdi> {{count}}</span> \
    {{/readAs}}</td></tr>
    {{/rows}}

    """
}
