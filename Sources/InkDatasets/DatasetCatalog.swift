/// A public dataset that this version reads.
public struct PublicDataset: Hashable, Sendable, Codable {
  /// A short name.
  public let name: String
  /// What it holds.
  public let content: String
  /// How to cite it.
  public let citation: String
  /// Its licence.
  public let licence: String
  /// How to name it as data, with FOLDER for where it is unpacked.
  public let specification: String

  /// The public datasets that this version reads. Their files come from their owners.
  public static let all: [PublicDataset] = [
    PublicDataset(
      name: "UNIPEN train_r01_v07",
      content: "digits, letters, symbols, words and texts",
      citation: "Guyon et al., UNIPEN project of on-line data exchange and recognizer "
        + "benchmarks, ICPR 1994",
      licence: "CC BY 4.0 (Zenodo release)", specification: "unipen:FOLDER?category=1a"),
    PublicDataset(
      name: "IAM-OnDB", content: "English lines of text on a whiteboard",
      citation: "Liwicki, Bunke, IAM-OnDB, an on-line English sentence database acquired from "
        + "handwritten text on a whiteboard, ICDAR 2005",
      licence: "non-commercial research", specification: "iam-ondb:FOLDER?split=train"),
    PublicDataset(
      name: "$1 gestures", content: "16 unistroke gestures of 11 people",
      citation: "Wobbrock, Wilson, Li, Gestures without libraries, toolkits or training, UIST 2007",
      licence: "none stated", specification: "dollar:FOLDER"),
    PublicDataset(
      name: "MMG", content: "16 multistroke gestures of 20 people",
      citation: "Anthony, Wobbrock, $N-Protractor, Graphics Interface 2012",
      licence: "none stated", specification: "dollar:FOLDER"),
    PublicDataset(
      name: "NicIcon", content: "14 icons of 33 people",
      citation: "Niels, Willems, Vuurpijl, The NicIcon database of handwritten icons, ICFHR 2008",
      licence: "none stated: measurements only", specification: "ndjson:FILE?y=up"),
    PublicDataset(
      name: "LaViola", content: "48 mathematical symbols of 11 people",
      citation: "LaViola, Zeleznik, A practical approach for writer-dependent symbol "
        + "recognition, IEEE TPAMI 2007",
      licence: "none stated: measurements only", specification: "ndjson:FILE"),
    PublicDataset(
      name: "Quick, Draw!", content: "drawings of 345 classes",
      citation: "Ha, Eck, A neural representation of sketch drawings, ICLR 2018",
      licence: "CC BY 4.0", specification: "quickdraw:FOLDER"),
  ]
}
