// The work of experiment pool: a reader hands compressed chunks to workers, which decompress a chunk behind its
// compressed form, search the text and release the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"

namespace faultline {

enum class PoolOrigin { System, Heap, Pool };

// The text of one chunk, and what a block has room for.
struct PoolChunks {
  std::vector<std::vector<std::byte>> packed;  // the chunks, which come in turn
  std::size_t text = 0;                        // bytes of each chunk's text
  std::size_t room = 0;                        // of its compressed form
  std::size_t count = 0;                       // chunks in all

  [[nodiscard]] std::size_t block() const { return room + text; }
  [[nodiscard]] std::size_t pages() const;  // that all chunks touch
};

// Chunks whose texts follow each other are always the same text. Error: there is no codec, or it packs too little.
[[nodiscard]] Result<PoolChunks> poolChunks(std::size_t text, std::size_t total);

inline constexpr std::size_t kPoolDepth = 8;  // chunks in the queue, at most

struct PoolOutcome {
  std::uint64_t found = 0;  // in all texts
  std::size_t blocks = 0;   // that the pool made; without a pool, one for each chunk
  std::uint64_t bytes = 0;  // asked from the system or malloc() in all
  std::size_t deepest = 0;  // of the queue
  double depth = 0;         // of the queue at each chunk, the mean
};

// Absent: memory ran out, or a chunk was damaged.
[[nodiscard]] std::optional<PoolOutcome> runPoolJob(const PoolChunks& chunks, PoolOrigin origin, std::size_t workers);

}  // namespace faultline
