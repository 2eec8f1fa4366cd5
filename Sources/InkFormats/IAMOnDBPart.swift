/// A part of the IAM-OnDB benchmark task, named by its file.
public enum IAMOnDBPart: String, Hashable, Sendable, CaseIterable {
  /// What a model learns from.
  case train = "trainset.txt"
  /// The first validation set.
  case val1 = "testset_v.txt"
  /// The second validation set.
  case val2 = "testset_t.txt"
  /// The final test set.
  case test = "testset_f.txt"
}
