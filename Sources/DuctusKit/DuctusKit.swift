// The umbrella that an app imports: ink, recognition, the models for it, and documents.
//
//     import DuctusKit
//
// brings `Ink`, `Stroke`, `StrokePoint` and `WritingArea` of InkCore, `DigitalInkRecognizer`,
// `Recognizer` and their results of Recognition, alphabets, lexicons and completions of
// LanguageModels, `ModelManager` of ModelStore, and the engine of InkEditor. Nothing of training,
// evaluation, serving or the command line comes with it.

@_exported import InkCore
@_exported import InkEditor
@_exported import LanguageModels
@_exported import ModelStore
@_exported import Recognition
