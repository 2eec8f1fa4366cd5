// The umbrella that an app imports: ink, and recognition with a model bundle.
//
//     import DuctusKit
//
// brings `Ink`, `Stroke`, `StrokePoint` and `WritingArea` of InkCore, and `GlyphClassifier`,
// `Recognizer` and their results of Recognition. Nothing of training, evaluation or the command
// line comes with it.

@_exported import InkCore
@_exported import Recognition
