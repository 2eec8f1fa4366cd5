import Evaluation

/// The head of every page, down to its title.
enum HeadTemplate {
  // The policy forbids the page every script and every request, whatever its data holds.
  static let text = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
    'unsafe-inline'">
    <title>{{title}}</title>
    <style>{{{style}}}</style>
    </head>
    <body>
    <header>
    <p class="kind">{{kind}}</p>
    <h1>{{title}}</h1>
    {{#sources}}<p class="source"><code>{{.}}</code></p>
    {{/sources}}
    <nav>{{#links}}<a href="#{{id}}">{{name}}</a>{{/links}}</nav>
    </header>
    <main>

    """
}
