import DuctusKit

/// The smallest app: it imports DuctusKit and nothing else.
@main
struct RecognizeOnly {
  static func main() {
    print("RecognizeOnly: DuctusKit linked")
  }
}
