import Evaluation

/// The end of every page, from the end of its sections.
enum FootTemplate {
  static let text = """
    </main>
    {{#hash}}<footer><p>Data, SHA-256 of the labelled records: <code>{{hash}}</code></p></footer>
    {{/hash}}</body>
    </html>

    """
}
