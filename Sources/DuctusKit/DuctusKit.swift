// The umbrella that an app imports: ink, recognition, and the models for it.
//
//     import DuctusKit
//
// brings `Ink`, `Stroke`, `StrokePoint` and `WritingArea` of InkCore, `DigitalInkRecognizer`,
// `Recognizer` and their results of Recognition, and `ModelManager` of ModelStore. Nothing of
// training, evaluation, serving or the command line comes with it.

@_exported import InkCore
@_exported import ModelStore
@_exported import Recognition
