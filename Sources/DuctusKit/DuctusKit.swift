// The umbrella that an app imports: ink, recognition, the models for it, and documents.
//
//     import DuctusKit
//
// brings `Ink`, `Stroke`, `StrokePoint` and `WritingArea` of InkCore, `DigitalInkRecognizer`,
// `Recognizer` and their results of Recognition, alphabets, lexicons and completions of
// LanguageModels, `ModelManager` of ModelStore, keys and manifests of ModelFormat, the engine of
// InkEditor, pen events of PenInput, JIIX of InkFormats, and text with an intensity per character of
// IntensityText. Nothing of training, evaluation, serving or the command line comes with it.

@_exported import InkCore
@_exported import InkEditor
@_exported import InkFormats
@_exported import IntensityText
@_exported import LanguageModels
@_exported import ModelFormat
@_exported import ModelStore
@_exported import PenInput
@_exported import Recognition
@_exported import SystemFonts
@_exported import Typesetting
