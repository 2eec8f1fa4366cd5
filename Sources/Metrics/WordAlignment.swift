/// Which elements of a hypothesis an alignment with the fewest edits keeps.
public enum WordAlignment {
  /// For each element of the hypothesis whether it stands unchanged in the reference, by
  /// ``EditAlignment/counterparts(of:in:)``. O(n m) time and memory.
  public static func kept(reference: [String], hypothesis: [String]) -> [Bool] {
    var kept = [Bool](repeating: false, count: hypothesis.count)
    for (word, place) in zip(
      reference, EditAlignment.counterparts(of: reference, in: hypothesis))
    {
      if let place { kept[place] = hypothesis[place] == word }
    }
    return kept
  }
}
