/// The JSON schemas of request and answer (JSON Schema 2020-12), for validators and generators.
public enum ExchangeSchema {
  /// Returns one document with the definitions `Request`, `Answer` and those that they use.
  public static func document(limits: ExchangeLimits = ExchangeLimits()) -> String {
    """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Requests and answers of Ductus",
      "description": "One request is one line of `ductus recognize -` or one body of \
    POST /v1/recognize.",
      "anyOf": [{"$ref": "#/$defs/Request"}, {"$ref": "#/$defs/Answer"}],
      "$defs": {
    \(definitions(at: "#/$defs/", limits: limits))
      }
    }
    """
  }

  /// Returns the definitions as members of a JSON object.
  ///
  /// - Parameters:
  ///   - place: The prefix of a name in a reference: `#/components/schemas/`.
  ///   - limits: The limits that the definitions state.
  package static func definitions(
    at place: String, limits: ExchangeLimits = ExchangeLimits()
  ) -> String {
    [
      request(place, limits), ink(place, limits), answer(place), page(place), spans(place),
      errors(place),
    ]
    .joined(separator: ",\n")
  }

  private static func request(_ place: String, _ limits: ExchangeLimits) -> String {
    let name = #""type": ["string", "null"], "minLength": 1, "maxLength": 256"#
    return """
      "Request": {
        "type": "object", "required": ["strokes"], "additionalProperties": false,
        "properties": {
          "id": {"$ref": "\(place)Identifier"},
          "strokes": {"type": "array", "maxItems": \(limits.strokes),
            "items": {"$ref": "\(place)Stroke"}, "description": "In the order written; y grows \
      downward."},
          "model": {\(name), "description": "The identifier of a model, or a language."},
          "language": {\(name), "description": "A language tag (BCP 47), which finds a model where \
      none is named; two with a comma for words of both."},
          "area": {"anyOf": [{"$ref": "\(place)Area"}, {"type": "null"}]},
          "preContext": {"type": ["string", "null"], "maxLength": 10000,
            "description": "The text before the ink."},
          "alphabet": {"type": ["string", "null"], "minLength": 1, "maxLength": 10000,
            "description": "The only characters that may be read; \\\\p{Nd} means all with that \
      property of Unicode."},
          "lexicon": {"anyOf": [{"type": "array", "minItems": 1, "maxItems": \(limits.words),
            "items": {"type": "string", "minLength": 1, "maxLength": 200}},
            {\(name)}], "description": "The only words that may be read, or the name of a \
      lexicon."},
          "lexiconBonus": {"type": ["number", "null"], "minimum": -100, "maximum": 100,
            "description": "Do not confine texts to the words: add this to the score for each."},
          "layout": {"enum": ["auto", "page", "line", "glyph", "formula", null], "default": "auto"},
          "candidates": {"type": ["integer", "null"], "minimum": 1, "maximum": \(limits.candidates),
            "default": 5},
          "spans": {"type": ["boolean", "null"], "default": false,
            "description": "Whether words, characters and lines come with their strokes."},
          "label": {"type": ["string", "null"], "description": "Not used."},
          "writer": {"type": ["string", "null"], "description": "Not used."},
          "quality": {"type": ["string", "null"], "description": "Not used."}
        }
      },
      "Identifier": {"anyOf": [{"type": "string", "maxLength": 256}, {"type": "integer"},
        {"type": "null"}], "description": "The answer has the same one."}
      """
  }

  private static func ink(_ place: String, _ limits: ExchangeLimits) -> String {
    func column(_ text: String, isOptional: Bool) -> String {
      isOptional
        ? """
        {"type": ["array", "null"], "maxItems": \(limits.points), "items": \
        {"type": ["number", "null"], "minimum": -1e15, "maximum": 1e15}, "description": "\(text)"}
        """
        : """
        {"type": "array", "maxItems": \(limits.points), "items": \
        {"type": "number", "minimum": -1e9, "maximum": 1e9}, "description": "\(text)"}
        """
    }
    return """
      "Stroke": {
        "type": "object", "required": ["x", "y"], "additionalProperties": false,
        "description": "Columns of one length: a point is the values at one index.",
        "properties": {
          "x": \(column("To the right, in any unit.", isOptional: false)),
          "y": \(column("Downward, in the unit of x.", isOptional: false)),
          "t": \(column("Milliseconds since any origin of the ink.", isOptional: true)),
          "force": \(column("1 is an average touch.", isOptional: true)),
          "azimuth": \(column("Radians, 0 along +x, clockwise.", isOptional: true)),
          "altitude": \(column("Radians, 0 is flat.", isOptional: true))
        }
      },
      "Area": {
        "type": "object", "required": ["width", "height"], "additionalProperties": false,
        "description": "The line that the ink was written on, in the units of the ink.",
        "properties": {
          "x": {"type": "number", "minimum": -1e9, "maximum": 1e9, "default": 0},
          "y": {"type": "number", "minimum": -1e9, "maximum": 1e9, "default": 0},
          "width": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e9},
          "height": {"type": "number", "exclusiveMinimum": 0, "maximum": 1e9}
        }
      }
      """
  }

  private static func answer(_ place: String) -> String {
    """
    "Answer": {"oneOf": [{"$ref": "\(place)Reading"}, {"$ref": "\(place)Failure"}]},
    "Reading": {
      "type": "object", "required": ["id", "model", "candidates", "unreadStrokes"],
      "properties": {
        "id": {"$ref": "\(place)Identifier"},
        "index": {"type": "integer", "minimum": 0,
          "description": "The place of the ink in its file, from 0."},
        "model": {"type": "string", "description": "The identifier of the model that read the ink."},
        "language": {"type": "string", "description": "The tag of the language that was read."},
        "languageIsDefault": {"type": "boolean", "description": "True if the text did not tell its \
    language: it is too short, or no language explains it."},
        "candidates": {"type": "array", "items": {"$ref": "\(place)Candidate"},
          "description": "Best first; empty where there is nothing to read."},
        "lines": {"type": "array", "items": {"$ref": "\(place)Line"},
          "description": "In reading order; for a page, or with spans."},
        "drawing": {"$ref": "\(place)Strokes"},
        "blocks": {"type": "array", "items": {"$ref": "\(place)Block"},
          "description": "In reading order. Each stroke of a page is in one block, edge or mark."},
        "edges": {"type": "array", "items": {"$ref": "\(place)Edge"}},
        "marks": {"type": "array", "items": {"$ref": "\(place)Mark"}},
        "unreadStrokes": {"type": "integer", "minimum": 0,
          "description": "Strokes at the end that were too many for one line."}
      }
    },
    "Candidate": {
      "type": "object", "required": ["text", "score", "probability"],
      "properties": {
        "text": {"type": "string"},
        "score": {"type": "number", "maximum": 0,
          "description": "The natural logarithm of the probability."},
        "probability": {"type": "number", "minimum": 0, "maximum": 1},
        "words": {"type": "array", "items": {"$ref": "\(place)Word"}},
        "characters": {"type": "array", "items": {"type": "array",
          "items": {"$ref": "\(place)Part"}},
          "description": "For each character its runs of points; empty for glyphs."},
        "latex": {"type": "string", "description": "Of a formula."},
        "mathml": {"type": "string", "description": "Of a formula, as presentation MathML."},
        "result": {"type": "object", "required": ["text", "latex"],
          "description": "The value of a formula of numbers, or of one that ends with =.",
          "properties": {"text": {"type": "string"}, "latex": {"type": "string"}}},
        "isTrue": {"type": "boolean",
          "description": "Whether an equation or comparison of numbers holds."},
        "symbols": {"type": "array", "items": {"$ref": "\(place)Symbol"},
          "description": "Of a formula."}
      }
    },
    "Symbol": {
      "type": "object", "required": ["symbol", "strokes", "confidence"],
      "properties": {
        "symbol": {"type": "string", "description": "A character or a command of LaTeX."},
        "strokes": {"$ref": "\(place)Strokes"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "candidates": {"type": "array", "items": {"type": "string"},
          "description": "The symbols that the ink may be, likeliest first; left out if it is certain."}
      }
    }
    """
  }

  private static func page(_ place: String) -> String {
    func names<Kind: RawRepresentable<String> & CaseIterable>(_ kind: Kind.Type) -> String {
      kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }
    let index = #"{"type": "integer", "minimum": 0}"#
    let end = #"{"type": ["integer", "null"], "minimum": 0, "description": "A block."}"#
    return """
      "Block": {
        "type": "object", "required": ["kind", "bounds", "angle", "strokes", "lines"],
        "properties": {
          "kind": {"enum": [\(names(RecognizedBlock.Kind.self))]},
          "bounds": {"anyOf": [{"$ref": "\(place)Bounds"}, {"type": "null"}]},
          "angle": {"type": "number",
            "description": "The angle by which the lines are turned clockwise, in degrees."},
          "strokes": {"$ref": "\(place)Strokes"},
          "lines": {"type": "array", "items": \(index), "description": "Places in the lines."},
          "rows": {"type": "array", "items": {"type": "array", "items": {"type": "array",
            "items": \(index)}}, "description": "Of a table: the lines of each cell, row by row."},
          "columns": {"type": "integer", "minimum": 0},
          "heading": {"type": "integer", "minimum": 1,
            "description": "The level of a heading: 1 for the largest letters."},
          "text": {"type": "string", "description": "Of a formula that was read."},
          "latex": {"type": "string"}, "mathml": {"type": "string"},
          "result": {"type": "object"}, "isTrue": {"type": "boolean"},
          "symbols": {"type": "array", "items": {"$ref": "\(place)Symbol"}},
          "language": {"type": "string",
            "description": "The tag of its language where it differs from that of the answer."}
        }
      },
      "Bounds": {
        "type": "object", "required": ["x", "y", "width", "height"],
        "properties": {
          "x": {"type": "number"}, "y": {"type": "number"},
          "width": {"type": "number", "minimum": 0}, "height": {"type": "number", "minimum": 0}
        }
      },
      "Edge": {
        "type": "object", "required": ["from", "to", "arrow", "strokes"],
        "properties": {
          "from": \(end), "to": \(end),
          "arrow": {"enum": [\(names(RecognizedEdge.Arrow.self))]},
          "strokes": {"$ref": "\(place)Strokes"}
        }
      },
      "Mark": {
        "type": "object", "required": ["kind", "strokes", "words"],
        "properties": {
          "kind": {"enum": [\(names(RecognizedMark.Kind.self))]},
          "strokes": {"$ref": "\(place)Strokes"},
          "words": {"type": "array", "items": {
            "type": "object", "required": ["line", "word", "text"],
            "properties": {
              "line": \(index), "word": \(index), "text": {"type": "string"}
            }
          }}
        }
      }
      """
  }

  private static func spans(_ place: String) -> String {
    """
    "Strokes": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "Word": {
      "type": "object", "required": ["text", "start", "end", "confidence", "strokes"],
      "properties": {
        "text": {"type": "string"},
        "start": {"type": "integer", "minimum": 0, "description": "The first character."},
        "end": {"type": "integer", "minimum": 0, "description": "Behind the last character."},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "strokes": {"$ref": "\(place)Strokes"},
        "formula": {"$ref": "\(place)Formula"}
      }
    },
    "Formula": {
      "type": "object", "required": ["text", "latex", "mathml", "symbols"],
      "description": "The formula that stands between the words of a line.",
      "properties": {
        "text": {"type": "string", "description": "The text of the word."},
        "latex": {"type": "string"},
        "mathml": {"type": "string", "description": "Presentation MathML."},
        "result": {"type": "object"}, "isTrue": {"type": "boolean"},
        "symbols": {"type": "array", "items": {"$ref": "\(place)Symbol"}}
      }
    },
    "Part": {
      "type": "object", "required": ["stroke", "start", "end"],
      "description": "Points start ..< end of a stroke, all from 0.",
      "properties": {
        "stroke": {"type": "integer", "minimum": 0},
        "start": {"type": "integer", "minimum": 0},
        "end": {"type": "integer", "minimum": 0}
      }
    },
    "Line": {
      "type": "object", "required": ["text", "block", "strokes", "words", "candidates"],
      "properties": {
        "text": {"type": "string", "description": "That of the first candidate."},
        "block": {"type": "integer", "minimum": 0, "description": "Lines of one block belong together."},
        "level": {"type": "integer", "minimum": 1,
          "description": "The level of the item of a list that begins here: 1 at the left."},
        "strokes": {"$ref": "\(place)Strokes"},
        "words": {"type": "array", "items": {"$ref": "\(place)Word"},
          "description": "Those of the first candidate."},
        "candidates": {"type": "array", "items": {"$ref": "\(place)Candidate"}}
      }
    }
    """
  }

  private static func errors(_ place: String) -> String {
    let codes = ExchangeError.Code.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return """
      "Failure": {
        "type": "object", "required": ["id", "error"],
        "properties": {
          "id": {"$ref": "\(place)Identifier"},
          "error": {"$ref": "\(place)Error"}
        }
      },
      "Error": {
        "type": "object", "required": ["code", "message", "field"],
        "properties": {
          "code": {"enum": [\(codes)]},
          "message": {"type": "string"},
          "field": {"type": ["string", "null"],
            "description": "The member that is wrong, as strokes[0].x[3]."}
        }
      }
      """
  }
}
