// Decoder: converts a stream, fed in pieces of any size, to events: Hello, snapshots, batches. Never throws, never
// trusts a length in the stream, and returns everything before an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>

#include "core/base/result.h"
#include "core/model/fault_sample.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

struct StreamEnd {};  // the writer ended the stream deliberately
// Call feed(). At the end of a file: the stream was cut if bytesPending() > 0, else it stopped without an end mark.
struct NeedMoreBytes {};

// Pointers lead into the decoder and are valid until the next call of next().
using StreamEvent =
    std::variant<NeedMoreBytes, Hello, const Snapshot*, StreamEnd, const GameFrameBatch*, const FaultSampleBatch*>;

using SnapshotCompletion = std::function<void(Snapshot&)>;

class Decoder {
 public:
  // `complete` adds to each snapshot what its writer does not know.
  explicit Decoder(SnapshotCompletion complete = {});
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  void feed(std::span<const std::byte> bytes);

  // Error: not a Faultline stream, another major version, out of memory, or damage. After damage, next() continues at
  // the next intact key snapshot; any other error is repeated by every further call.
  [[nodiscard]] Result<StreamEvent> next();

  // True if the last error was not damage and will be repeated.
  [[nodiscard]] bool failed() const;

  [[nodiscard]] std::size_t bytesPending() const;     // fed and not decoded yet
  [[nodiscard]] std::uint64_t snapshotsLost() const;  // by damage; known once the next intact packet is read

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
