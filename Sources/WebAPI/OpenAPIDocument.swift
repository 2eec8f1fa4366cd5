import Exports
import Recognition

/// The OpenAPI 3.1 document of the HTTP interface. `GET /v1/openapi.json` answers with it, and
/// `Tests/WebAPITests/openapi.json` is the committed copy.
package enum OpenAPIDocument {
  /// Returns the document with the limits of a server.
  package static func text(
    limits: ExchangeLimits = WebAPIConfiguration().limits
  ) -> String {
    """
    {
      "openapi": "3.1.0",
      "info": {
        "title": "Ductus", "version": "1",
        "description": "Handwriting recognition on this machine: strokes to text.",
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
      },
      "servers": [{"url": "http://127.0.0.1:8765"}],
      "security": [{}, {"token": []}],
      "paths": {
    \(recognize(limits)),
    \(export(limits)),
    \(lists)
      },
      "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "schemas": {
    \(ExchangeSchema.definitions(at: "#/components/schemas/", limits: limits)),
    \(modelSchemas)
        }
      }
    }
    """
  }

  private static func failures(_ statuses: [(Int, String)]) -> String {
    statuses.map { status, text in
      """
      "\(status)": {"description": "\(text)", "content": {"application/json": \
      {"schema": {"$ref": "#/components/schemas/Failure"}}}}
      """
    }.joined(separator: ",\n          ")
  }

  private static func recognize(_ limits: ExchangeLimits) -> String {
    """
        "/v1/recognize": {
          "post": {
            "operationId": "recognize", "summary": "Read one ink, or several.",
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
              {"$ref": "#/components/schemas/Request"},
              {"type": "array", "maxItems": \(limits.batch),
                "items": {"anyOf": [{"$ref": "#/components/schemas/Request"},
                  {"description": "Anything else is answered with an error in its place."}]}}]}}}},
            "responses": {
              "200": {"description": "The candidates; for several inks an answer for each, which may \
    be an error.", "content": {"application/json": {"schema": {"anyOf": [
                {"$ref": "#/components/schemas/Reading"},
                {"type": "array", "items": {"$ref": "#/components/schemas/Answer"}}]}}}},
              \(failures([
                (400, "The body is not JSON."), (401, "The token is missing or wrong."),
                (403, "Another host or origin."), (404, "No such model or lexicon."),
                (409, "The model cannot do what the request asks."), (413, "Too much ink."),
                (415, "The content type is not application/json."),
                (422, "A member is missing or unknown, or has an invalid value."),
                (500, "An internal error of the server."), (503, "Too many requests at once."),
                (504, "Reading took too long."),
              ]))
            }
          }
        }
    """
  }

  private static func export(_ limits: ExchangeLimits) -> String {
    func parameter(
      _ name: String, _ schema: String, _ text: String, isNeeded: Bool = false
    ) -> String {
      """
      {"name": "\(name)", "in": "query", "required": \(isNeeded), "schema": \(schema),
      "description": "\(text)"}
      """
    }
    let names = ExportFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    let parameters = [
      parameter("format", "{\"enum\": [\(names)]}", "The format.", isNeeded: true),
      parameter("title", "{\"type\": \"string\", \"maxLength\": 50}", "The name of the document."),
      parameter(
        "dpi", "{\"type\": \"number\", \"minimum\": 10, \"maximum\": 600}",
        "The pixels of an inch of png and jpeg."),
      parameter(
        "scale", "{\"type\": \"number\", \"minimum\": 0.000001, \"maximum\": 1000000}",
        "Millimetres of a unit of the ink. Without it, the writing gets a usual height."),
      parameter(
        "ink", "{\"type\": \"boolean\"}", "html: also draw the ink. markdown: draw figures."),
      parameter(
        "withoutStruckWords", "{\"type\": \"boolean\"}",
        "Leave out words that are struck through."),
    ]
    let types = Set(ExportFormat.allCases.map(\.mediaType)).sorted().map { "\"\($0)\": {}" }
    return """
          "/v1/export": {
            "post": {
              "operationId": "export", "summary": "Read ink and write it as a file.",
              "parameters": [
                \(parameters.joined(separator: ",\n          "))],
              "requestBody": {"required": true, "description": "One ink, or several as pages.",
                "content": {"application/json": {"schema": {"anyOf": [
                {"$ref": "#/components/schemas/Request"},
                {"type": "array", "maxItems": \(limits.batch),
                  "items": {"$ref": "#/components/schemas/Request"}}]}}}},
              "responses": {
                "200": {"description": "The file.", "content": {\(types.joined(separator: ", "))}},
                \(failures([
                (400, "The body is not JSON."), (401, "The token is missing or wrong."),
                (403, "Another host or origin."), (404, "No such model or lexicon."),
                (409, "The model cannot do what the request asks."), (413, "Too much ink."),
                (415, "The content type is not application/json."),
                (422, "A member or parameter is missing or unknown, or the format cannot hold this."),
                (500, "An internal error of the server."), (503, "Too many requests at once."),
                (504, "Reading took too long."),
              ]))
              }
            },
            "get": {
              "operationId": "listFormats", "summary": "The formats of exports.",
              "responses": {
                "200": {"description": "Done.", "content": {"application/json": {"schema":
                  {"$ref": "#/components/schemas/Formats"}}}},
                \(failures([
                (401, "The token is missing or wrong."), (403, "Another host or origin."),
              ]))
              }
            }
          }
      """
  }

  private static var lists: String {
    func get(_ path: String, _ id: String, _ summary: String, _ content: String) -> String {
      """
          "\(path)": {
            "get": {
              "operationId": "\(id)", "summary": "\(summary)",
              "responses": {
                "200": {"description": "Done.", "content": {\(content)}},
                \(failures([
                  (401, "The token is missing or wrong."), (403, "Another host or origin."),
                ]))
              }
            }
          }
      """
    }
    let models = ##""application/json": {"schema": {"$ref": "#/components/schemas/Models"}}"##
    let health = ##""application/json": {"schema": {"$ref": "#/components/schemas/Health"}}"##
    let document = ##""application/json": {"schema": {"type": "object"}}"##
    return [
      get("/v1/models", "listModels", "The models that can be used.", models),
      get("/v1/openapi.json", "describe", "This document.", document),
      get("/healthz", "health", "Check that the server answers.", health),
      get(
        "/metrics", "metrics", "Figures in the text format of Prometheus.",
        #""text/plain": {"schema": {"type": "string"}}"#),
    ].joined(separator: ",\n")
  }

  private static var modelSchemas: String {
    """
          "Models": {
            "type": "object", "required": ["models", "defaultModel", "lexicons"],
            "properties": {
              "models": {"type": "array", "items": {"$ref": "#/components/schemas/Model"}},
              "defaultModel": {"type": "string"},
              "lexicons": {"type": "array", "items": {"type": "string"}}
            }
          },
          "Model": {
            "type": "object", "required": ["identifier", "name", "kind", "version", "languages"],
            "properties": {
              "identifier": {"type": "string"}, "name": {"type": "string"},
              "kind": {"enum": ["glyph", "line", "formula"]}, "version": {"type": "integer"},
              "languages": {"type": "array", "items": {"type": "string"}}
            }
          },
          "Formats": {
            "type": "object", "required": ["formats"],
            "properties": {
              "formats": {"type": "array", "items": {"$ref": "#/components/schemas/Format"}}
            }
          },
          "Format": {
            "type": "object",
            "required": ["name", "ending", "mediaType", "holdsOnePage", "isAvailable"],
            "properties": {
              "name": {"type": "string"}, "ending": {"type": "string"},
              "mediaType": {"type": "string"}, "holdsOnePage": {"type": "boolean"},
              "isAvailable": {"type": "boolean"}
            }
          },
          "Health": {
            "type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}
          }
    """
  }
}
