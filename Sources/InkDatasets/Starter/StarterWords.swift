import Foundation

/// The texts that `starter:words` writes.
struct StarterWords: Sendable {
  /// The texts, none empty, of characters that have prototypes, and single spaces.
  let texts: [String]

  /// Checks texts, one per line.
  ///
  /// Runs of spaces become one; empty lines are skipped.
  ///
  /// - Throws: ``DataError`` of code `invalidValue` for a character without prototypes, and where
  ///   there is no text at all.
  init(parsing text: String, name: String, library: PrototypeLibrary) throws(DataError) {
    var texts: [String] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      for character in words.joined() where library.prototypes[String(character)] == nil {
        let code = character.unicodeScalars.map { "U+" + String($0.value, radix: 16) }
        throw DataError(
          .invalidValue, in: "\(name):\(index + 1)", expected: "printable ASCII characters",
          found: code.joined(separator: " "))
      }
      if !words.isEmpty { texts.append(words.joined(separator: " ")) }
    }
    guard !texts.isEmpty else {
      throw DataError(
        .invalidValue, in: name, expected: "a text file with a word or text per line",
        found: "no text")
    }
    self.texts = texts
  }

  /// Reads a file.
  init(path: String, library: PrototypeLibrary) throws(DataError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw DataError(
        .invalidValue, in: path, expected: "a readable file of words", found: "none there")
    }
    try self.init(
      parsing: String(decoding: bytes, as: UTF8.self), name: path, library: library)
  }

  /// The words written where no file is named: frequent and short words, every letter in both
  /// cases, numbers and punctuation.
  static let builtIn = """
    the
    of
    and
    to
    in
    that
    was
    for
    with
    on
    is
    as
    by
    at
    from
    it
    are
    which
    this
    have
    one
    been
    not
    but
    they
    were
    her
    all
    she
    there
    would
    their
    we
    him
    when
    who
    will
    more
    no
    if
    out
    so
    said
    what
    up
    its
    about
    into
    than
    them
    can
    only
    other
    new
    some
    could
    time
    these
    two
    may
    then
    do
    first
    any
    my
    now
    such
    like
    our
    over
    man
    even
    most
    made
    after
    also
    did
    many
    before
    must
    through
    back
    years
    where
    much
    your
    way
    well
    down
    should
    because
    each
    just
    those
    people
    how
    too
    little
    state
    good
    very
    make
    world
    still
    own
    see
    men
    work
    long
    here
    get
    both
    between
    life
    being
    under
    never
    day
    same
    another
    know
    while
    last
    might
    great
    old
    year
    off
    come
    since
    against
    go
    came
    right
    used
    take
    three
    quiz
    jazz
    zebra
    oxygen
    quick
    fjord
    waxy
    vivid
    kayak
    jumble
    quartz
    puzzle
    expect
    ink
    pen
    paper
    letter
    stroke
    hand
    write
    Anna
    Berlin
    Carl
    Dublin
    Emma
    Frank
    Greece
    Henry
    India
    Japan
    Karin
    London
    Mary
    Nina
    Oslo
    Paris
    Quito
    Rome
    Spain
    Tom
    Ulm
    Vera
    William
    Xenia
    York
    Zoe
    Monday
    Tuesday
    Friday
    January
    March
    August
    October
    I'm
    don't
    it's
    yes,
    no.
    why?
    stop!
    (see
    below)
    well-known
    10
    25
    1987
    2,350
    3.14
    17:45
    50%
    $20
    A4
    "Yes"
    and/or
    A
    I
    """
}
