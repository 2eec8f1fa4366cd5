import Evaluation

/// The section on disturbed ink; see ``Robustness``.
enum RobustnessTemplate {
  static let text = """
    {{#robustness}}
    <section id="robustness">
    <h2>Disturbed ink</h2>
    <p class="lead">The same inks as other people, pens and programs would have made them, and how many \
    {{units}} are wrong then. The drawing is one of them.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors on disturbed ink">
    <table><thead><tr><th scope="col">Ink</th><th scope="col">Errors</th><th scope="col">More</th>\
    <th scope="col" class="list">For example</th></tr></thead>
    <tbody>
    {{#rows}}<tr><th scope="row">{{title}}</th><td>{{errors}}</td><td>{{more}}</td>\
    <td class="list">{{{drawing}}}</td></tr>
    {{/rows}}
    </tbody></table></div>
    </section>

    {{/robustness}}
    """
}
