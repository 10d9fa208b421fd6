// Packs and reads the fault samples of a recording (format.md, kind 8): call stacks by name instead of registers and
// memory, and each text, call and combination of thread, mapping and call stack once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "core/model/fault_sample.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

inline constexpr std::size_t kMaxRecordedText = 1024;  // bytes
inline constexpr std::size_t kMaxCallDepth = 512;      // the innermost stack frames are recorded
// Of what a reader holds to understand later packets. A writer begins anew at half of it; a reader omits calls beyond.
inline constexpr std::size_t kMaxTableBytes = std::size_t{64} << 20U;

class RecordedSampleWriter {
 public:
  // Packs the first samples, as many as surely fit into a packet, and removes them from `samples`. Later packets
  // depend on this one.
  void pack(std::uint64_t lost, std::span<const FaultSample>& samples, Packer& out);

 private:
  // By their packed form. 0 is none, or the empty text.
  using Ids = std::unordered_map<std::string, std::uint64_t>;
  struct Packet;

  [[nodiscard]] std::uint64_t textId(std::string_view text, Packet& packet);
  [[nodiscard]] std::uint64_t callsId(const Calls& calls, Packet& packet);
  [[nodiscard]] std::uint64_t contextId(const FaultSample& sample, Packet& packet);
  [[nodiscard]] std::uint64_t idOf(Ids& ids, std::string packed, std::string& out);

  Ids m_texts, m_calls, m_contexts;
  std::size_t m_bytes = 0;  // that a reader holds
};

class RecordedSampleReader {
 public:
  // Overwrites `batch`. Skips samples that depend on packets that were lost. False if the value is not such a batch.
  [[nodiscard]] bool read(TokenReader in, FaultSampleBatch& batch);

 private:
  void readTexts(TokenReader& in);
  void readCalls(TokenReader& in);
  void readContexts(TokenReader& in, std::uint64_t before);
  [[nodiscard]] bool readSamples(TokenReader& in, FaultSampleBatch& batch) const;
  [[nodiscard]] std::string text(std::uint64_t id) const;
  [[nodiscard]] bool room(std::size_t bytes);

  std::unordered_map<std::uint64_t, std::string> m_texts;
  std::unordered_map<std::uint64_t, Calls> m_calls;
  std::unordered_map<std::uint64_t, FaultSample> m_contexts;  // without what differs from sample to sample
  std::size_t m_bytes = 0;
};

}  // namespace faultline::wire
