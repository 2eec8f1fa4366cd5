import InkCore
import Testing

@Suite("Trajectories as records of bytes")
struct TrajectoryRecordTests {
  private func record(_ trajectory: Trajectory) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: trajectory.recordSize)
    bytes.withUnsafeMutableBytes { trajectory.write(to: $0) }
    return bytes
  }

  private func ink(times: Bool) -> Ink {
    Ink(strokes: [
      Stroke(points: [
        StrokePoint(x: 1e6, y: -3, t: times ? 5 : nil), StrokePoint(x: 1e6 + 1, y: 0.1),
      ]),
      Stroke(points: []),
      Stroke(points: [StrokePoint(x: 1e6 + 0.3, y: 7, t: times ? 25 : nil)]),
    ])
  }

  @Test("A trajectory comes back from its record", arguments: [true, false])
  func roundTrip(times: Bool) throws {
    let trajectory = try Trajectory(ink(times: times))
    let bytes = record(trajectory)
    #expect(bytes.count == 40 + 2 * 4 + 3 * (times ? 12 : 8))
    var read = try Trajectory(ink(times: !times))
    // Records may start anywhere.
    for offset in [0, 1, 3] {
      let moved = [UInt8](repeating: 0, count: offset) + bytes
      moved.withUnsafeBytes { all in
        let record = UnsafeRawBufferPointer(rebasing: all[offset...])
        #expect(Trajectory.recordSize(at: record) == bytes.count)
        read.load(record: record)
      }
      #expect(read.x == trajectory.x && read.y == trajectory.y)
      #expect(read.time.map(\.bitPattern) == trajectory.time.map(\.bitPattern))
      #expect(read.strokeEnds == trajectory.strokeEnds && read.frame == trajectory.frame)
    }
  }

  @Test("Bytes that are no record are told")
  func noRecord() throws {
    let bytes = record(try Trajectory(ink(times: true)))
    for count in 0..<bytes.count {
      #expect(bytes[..<count].withUnsafeBytes { Trajectory.recordSize(at: $0) } == nil)
    }
    // The counts, the flag, the unit and the ends of the strokes.
    for place in [3, 7, 8, 39, 40, 44] {
      var damaged = bytes
      damaged[place] = 0xFF
      #expect(damaged.withUnsafeBytes { Trajectory.recordSize(at: $0) } == nil, "byte \(place)")
    }
  }
}
