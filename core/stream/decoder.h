// Decoder: bytes in pieces of any size to Hello and snapshots. Never throws, never trusts a length, never loses what
// came before an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "core/base/result.h"
#include "core/model/fault_sample.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

struct StreamEnd {};  // the writer ended the stream on purpose
struct NeedMoreBytes {
};  // feed() more; at the end of a file it means the stream was cut (bytesPending() > 0) or just stopped

// Snapshots and batches are handed out by pointer into the decoder, valid until the next call of next().
using StreamEvent =
    std::variant<NeedMoreBytes, Hello, const Snapshot*, StreamEnd, const GameFrameBatch*, const FaultSampleBatch*>;

// Where the event returned last came from.
struct FrameInfo {
  std::uint64_t offset = 0;  // of its frame in the stream
  bool key = false;          // a snapshot that stands alone: reading may start here, see jump()
};

class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  void feed(std::span<const std::byte> bytes);

  // Error: not a Faultline stream, a newer major version, or damage. After damage, next() goes on at the next key frame
  // that can be found; after the other two it repeats the error.
  [[nodiscard]] Result<StreamEvent> next();

  // The last error was not damage: it will be repeated.
  [[nodiscard]] bool failed() const;

  // The bytes fed next are those at `offset` of the same stream, where a key frame begins. What was fed before is
  // forgotten.
  void jump(std::uint64_t offset);

  [[nodiscard]] FrameInfo lastFrame() const;
  [[nodiscard]] std::size_t bytesPending() const;     // fed and not yet decoded
  [[nodiscard]] std::uint64_t snapshotsLost() const;  // to damage; known once a whole frame after it is reached

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
