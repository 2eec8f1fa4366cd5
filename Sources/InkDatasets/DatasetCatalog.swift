/// A public dataset that this version reads.
public struct PublicDataset: Hashable, Sendable, Codable {
  /// A short name.
  public let name: String
  /// What it holds.
  public let content: String
  /// Where its owners give it out.
  public let origin: String
  /// How to cite it.
  public let citation: String
  /// Its licence.
  public let licence: String
  /// How it is split into training and test.
  public let split: String
  /// How to name it as data, with FOLDER or FILE for where it is unpacked.
  public let specification: String
  /// The folder that it is looked for in, relative to the folder of all datasets.
  public let folder: String
  /// What lies in its folder.
  public let files: [DatasetFiles]

  /// The public datasets that this version reads. Their files come from their owners.
  public static let all: [PublicDataset] = [
    PublicDataset(
      name: "UNIPEN train_r01_v07",
      content: "digits, letters, symbols, words and texts",
      origin: "doi:10.5281/zenodo.1195803",
      citation: "Guyon et al., UNIPEN project of on-line data exchange and recognizer "
        + "benchmarks, ICPR 1994",
      licence: "CC BY 4.0 (Zenodo release)",
      split: "by writer, with splits=FILE; none is official",
      specification: "unipen:FOLDER?category=1a", folder: "unipen",
      files: ["1a", "1b", "1c", "1d", "7", "8"].map {
        DatasetFiles(path: "data/\($0)", suffix: ".dat")
      } + [DatasetFiles(path: "include", suffix: ".dat")]),
    PublicDataset(
      name: "IAM-OnDB", content: "English lines of text on a whiteboard",
      origin: "fki.tic.heia-fr.ch/databases/iam-on-line-handwriting-database",
      citation: "Liwicki, Bunke, IAM-OnDB, an on-line English sentence database acquired from "
        + "handwritten text on a whiteboard, ICDAR 2005",
      licence: "non-commercial research",
      split: "official: split=train, val1 (testset_v), val2 (testset_t)",
      specification: "iam-ondb:FOLDER?split=train", folder: "iam-ondb",
      files: [
        DatasetFiles(path: "lineStrokes", suffix: ".xml"),
        DatasetFiles(path: "ascii", suffix: ".txt"),
        DatasetFiles(path: "splits", suffix: ".txt"),
      ]),
    PublicDataset(
      name: "FC_A flowcharts", content: "419 flowcharts of 35 people: shapes, arrows, text",
      origin: "ivc.univ-nantes.fr/en/databases/Flowchart",
      citation: "Awal, Feng, Mouchere, Viard-Gaudin, First experiments on a new online handwritten "
        + "flowchart database, Proceedings of SPIE 7874, 2011",
      licence: "CC BY-NC-SA 3.0, research only", split: "by person, with fold=K/5",
      specification: "flowchart:FOLDER", folder: "flowchart",
      files: [DatasetFiles(path: "sources", suffix: ".inkml", count: 419)]),
    PublicDataset(
      name: "$1 gestures", content: "16 unistroke gestures of 11 people",
      origin: "depts.washington.edu/acelab/proj/dollar",
      citation: "Wobbrock, Wilson, Li, Gestures without libraries, toolkits or training, UIST 2007",
      licence: "none stated", split: "by person, with fold=K/11", specification: "dollar:FOLDER",
      folder: "dollar1", files: [DatasetFiles(path: "", suffix: ".xml", count: 5280)]),
    PublicDataset(
      name: "MMG", content: "16 multistroke gestures of 20 people",
      origin: "depts.washington.edu/acelab/proj/dollar/ndollar.html",
      citation: "Anthony, Wobbrock, $N-Protractor, Graphics Interface 2012",
      licence: "none stated", split: "by person, with fold=K/5", specification: "dollar:FOLDER",
      folder: "ndollar-mmg", files: [DatasetFiles(path: "", suffix: ".xml", count: 9598)]),
    PublicDataset(
      name: "NicIcon", content: "14 icons of 33 people",
      origin: "unipen.nici.ru.nl/NicIcon",
      citation: "Niels, Willems, Vuurpijl, The NicIcon database of handwritten icons, ICFHR 2008",
      licence: "none stated: measurements only", split: "by person, with fold=K/5",
      specification: "ndjson:FILE?y=up", folder: "nicicon",
      files: [DatasetFiles(path: "NicIcon.ndjson")]),
    PublicDataset(
      name: "LaViola", content: "48 mathematical symbols of 11 people",
      origin: "www.cs.ucf.edu/~jjl",
      citation: "LaViola, Zeleznik, A practical approach for writer-dependent symbol "
        + "recognition, IEEE TPAMI 2007",
      licence: "none stated: measurements only", split: "by person, with fold=K/11",
      specification: "ndjson:FILE", folder: "laviola",
      files: [DatasetFiles(path: "LaViola.ndjson")]),
    PublicDataset(
      name: "Quick, Draw!", content: "drawings of 345 classes",
      origin: "github.com/googlecreativelab/quickdraw-dataset",
      citation: "Ha, Eck, A neural representation of sketch drawings, ICLR 2018",
      licence: "CC BY 4.0", split: "by drawing, the people are not named",
      specification: "quickdraw:FOLDER", folder: "quickdraw",
      files: [DatasetFiles(path: "", suffix: ".ndjson", count: 345)]),
    PublicDataset(
      name: "Omniglot",
      content: "characters of 50 alphabets, each drawn by 20 people; the two small parts have 8",
      origin: "github.com/brendenlake/omniglot",
      citation: "Lake, Salakhutdinov, Tenenbaum, Human-level concept learning through "
        + "probabilistic program induction, Science 350, 2015",
      licence: "MIT", split: "by drawer, with fold=K/5", specification: "omniglot:FOLDER",
      folder: "omniglot", files: [DatasetFiles(path: "", suffix: "_01.txt")]),
  ]
}
