import AllocationCounter
import Files
import LinearAlgebra
import Testing
import Training

// Each test runs in a process of its own, because allocations of all threads are counted.
@Suite(
  "No allocation in training steps once warm",
  .enabled(if: ac_counts(), "no allocations are counted here"))
struct AllocationTests {
  @Test("Allocations of other threads are counted")
  func counter() async {
    await #expect(processExitsWith: .success) {
      ac_start_everywhere()
      WorkerPool(count: 2).run(2) { _ in AlignedBuffer(count: 10).clear() }
      #expect(ac_stop_everywhere() >= 2)
    }
  }

  @Test("A whole step of glyph training allocates nothing, but to start a second worker")
  func glyphSteps() async {
    await #expect(processExitsWith: .success) {
      for precision in TrainingPrecision.available {
        for workers in [1, 2] {
          var configuration = GlyphTrainingConfiguration.tiny
          configuration.precision = precision
          let set = try SyntheticInk.set(151, seed: 81)
          let trainer = try GlyphTrainer(
            configuration: configuration, training: set, validation: set, workers: workers)
          // Trajectories grow to the longest ink seen by either worker.
          trainer.time(steps: 40)
          ac_start_everywhere()
          trainer.time(steps: 40)
          // Workers start three times in a step, each time with a closure that Dispatch puts on the
          // heap, and a block around it.
          let starts = workers == 1 ? 0 : 40 * 3
          #expect(ac_stop_everywhere() <= 2 * starts, "\(precision), \(workers) workers")
        }
      }
    }
  }

  @Test("A whole step of line training allocates nothing, but to start a second worker")
  func lineSteps() async {
    await #expect(processExitsWith: .success) {
      for precision in TrainingPrecision.available {
        for workers in [1, 2] {
          var configuration = LineTrainingConfiguration.tiny()
          configuration.precision = precision
          configuration.augmentation.maskedShare = 0.2
          configuration.cutsLines = false
          configuration.layers.stride = 2
          let trainer = try LineTrainer(
            configuration: configuration, training: .words(count: 80),
            validation: .words(count: 80), workers: workers)
          // Lines grow to the longest seen by either worker.
          trainer.time(steps: 11 * trainer.stepsPerEpoch)
          ac_start_everywhere()
          trainer.time(steps: trainer.stepsPerEpoch)
          // Each start is a closure that Dispatch puts on the heap, and a block around it.
          let starts = workers == 1 ? 0 : trainer.stepsPerEpoch * 3
          let allocations = ac_stop_everywhere()
          #expect(allocations <= 2 * starts, "\(precision), \(workers) workers")
        }
      }
    }
  }
}
