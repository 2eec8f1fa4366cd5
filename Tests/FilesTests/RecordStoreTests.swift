import Files
import Foundation
import Testing

@Suite("Stores of records")
struct RecordStoreTests {
  private func record(_ index: Int) -> [UInt8] {
    (0..<(index * 37 % 5_000)).map { UInt8(truncatingIfNeeded: $0 &* index) }
  }

  private func read(_ store: RecordStore, _ place: RecordStore.Place, _ count: Int) -> [UInt8] {
    store.withBytes(at: place) { Array($0.prefix(count)) }
  }

  @Test("Records come back, from memory and from files")
  func records() {
    for limit in [1 << 30, 0] {
      let store = RecordStore(memory: limit)
      let places = (0..<10_000).map { index in
        let bytes = record(index)
        return store.append(count: bytes.count) { $0.copyBytes(from: bytes) }
      }
      #expect((store.bytesInFiles > 0) == (limit == 0))
      for index in stride(from: 0, to: places.count, by: 7) {
        let bytes = record(index)
        #expect(read(store, places[index], bytes.count) == bytes)
      }
    }
  }

  @Test("A record may be larger than a block")
  func large() {
    let store = RecordStore(memory: 0)
    let places = (0..<3).map { index in
      store.append(count: 9 << 20) { $0.initializeMemory(as: UInt8.self, repeating: UInt8(index)) }
    }
    for (index, place) in places.enumerated() {
      #expect(read(store, place, 9 << 20).allSatisfy { $0 == UInt8(index) })
    }
  }

  @Test("A folder that takes no files leaves the records in memory")
  func noFolder() {
    let store = RecordStore(memory: 0, folder: "/dev/null/none")
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let places = (0..<20).map { _ in store.append(count: bytes.count) { $0.copyBytes(from: bytes) }
    }
    #expect(store.bytesInFiles == 0)
    #expect(places.allSatisfy { read(store, $0, bytes.count) == bytes })
  }

  @Test("Threads add and read records at the same time")
  func threads() {
    let store = RecordStore(memory: 0)
    let wrong = Guarded(0)
    WorkerPool(count: 4).run(4) { thread in
      for index in 0..<4_000 {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: index + thread), count: 2_000)
        let place = store.append(count: bytes.count) { $0.copyBytes(from: bytes) }
        if read(store, place, bytes.count) != bytes { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }
}
