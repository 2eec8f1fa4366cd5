/// The page of an evaluation of a line model.
enum LinesTemplate {
  static let text = """
    {{> head}}
    <section id="figures">
    {{> tiles}}
    </section>

    {{#errors}}
    {{> inkSection}}
    {{/errors}}
    {{> robustness}}
    {{> foot}}
    """
}
