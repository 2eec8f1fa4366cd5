/// The page of an evaluation of a line model.
enum LinesTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    </section>

    <section id="errors">
    <h2>Worst lines</h2>
    {{#hasErrors}}
    <p class="lead">The lines with the most wrong characters: the ink, what was written, and what was \
    read. Colour and number give the order of the strokes.</p>
    {{#errors}}
    <figure class="line">{{{drawing}}}<figcaption><div><span class="tag">written</span> \
    <bdi class="truth">{{reference}}</bdi></div><div><span class="tag">read</span> \
    <bdi class="read">{{hypothesis}}</bdi> <b>{{edits}}</b></div></figcaption></figure>
    {{/errors}}
    {{/hasErrors}}
    {{^hasErrors}}<p class="lead">None: every line was read as it was written.</p>{{/hasErrors}}
    </section>
    </main>
    </body>
    </html>

    """
}
