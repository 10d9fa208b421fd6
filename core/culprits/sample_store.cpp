#include "core/culprits/sample_store.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace faultline {
namespace {

constexpr std::size_t kMostRegisters = 64;  // as the stream has it
constexpr std::size_t kOfHeap = 16;         // bytes that an allocation takes for itself

constexpr std::uint8_t kMajor = 1;
constexpr std::uint8_t kInKernel = 2;
constexpr std::uint8_t kTimed = 4;
constexpr std::uint8_t kAccess = 8;
constexpr std::uint8_t kWrite = 16;
constexpr std::uint8_t kPresent = 32;
constexpr std::uint8_t kExecute = 64;

std::uint8_t bitsOf(const FaultSample& sample) {
  const FaultAccess access = sample.access.value_or(FaultAccess{});
  const auto bit = [](bool set, std::uint8_t bit) { return set ? unsigned{bit} : 0U; };
  return static_cast<std::uint8_t>(bit(sample.major, kMajor) | bit(sample.inKernel, kInKernel) |
                                   bit(sample.took.has_value(), kTimed) | bit(sample.access.has_value(), kAccess) |
                                   bit(access.write, kWrite) | bit(access.present, kPresent) |
                                   bit(access.execute, kExecute));
}

std::unique_ptr<std::uint64_t[]> differing(const std::vector<std::uint64_t>& from,
                                           const std::vector<std::uint64_t>& registers) {
  const std::size_t count = std::min(registers.size(), kMostRegisters);
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < count; ++i) mask |= std::uint64_t{registers[i] != from[i]} << i;
  if (mask == 0) return nullptr;
  auto kept = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(std::popcount(mask)) + 1);
  std::uint64_t* next = kept.get();
  *next++ = mask;
  for (; mask != 0; mask &= mask - 1) *next++ = registers[static_cast<std::size_t>(std::countr_zero(mask))];
  return kept;
}

// Two operations for eight bytes: xxHash takes three times as many instructions.
std::uint64_t hashOfMemory(const std::vector<std::byte>& memory, std::uint64_t seed) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::byte* at = memory.data();
  const auto mix = [&at](std::uint64_t& lane) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, kWord);
    lane = (lane ^ word) * kOdd;
    at += kWord;
  };
  std::uint64_t a = seed;
  std::uint64_t b = 1;
  std::uint64_t c = 2;
  std::uint64_t d = memory.size();
  std::size_t left = memory.size();
  for (; left >= 4 * kWord; left -= 4 * kWord) {
    mix(a);
    mix(b);
    mix(c);
    mix(d);
  }
  for (; left >= kWord; left -= kWord) mix(a);
  for (; left > 0; --left) b = (b ^ std::to_integer<std::uint64_t>(*at++)) * kOdd;
  std::uint64_t hash = 0;
  for (const std::uint64_t lane : {a, b, c, d}) hash = (std::rotl(hash, 29) ^ lane ^ lane >> 32U) * kOdd;
  return hash;
}

std::uint64_t hashOfText(std::string_view text, std::uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

}  // namespace

std::uint64_t SampleStore::Stack::hashOf(const FaultSample& sample) {
  const std::uint64_t seed = sample.registers.size() + reinterpret_cast<std::uintptr_t>(sample.calls.get());
  return hashOfMemory(sample.stack, seed);
}

bool SampleStore::Stack::isOf(const FaultSample& sample) const {
  return registers.size() == sample.registers.size() && calls == sample.calls && memory.size() == sample.stack.size() &&
         (memory.empty() || std::memcmp(memory.data(), sample.stack.data(), memory.size()) == 0);
}

std::uint64_t SampleStore::Place::hashOf(const FaultSample& sample) {
  const std::uint64_t hash = hashOfText(sample.threadName, sample.thread);
  return sample.mapping ? hashOfText(sample.mapping->name, hash + sample.mapping->begin) : hash;
}

bool SampleStore::Place::isOf(const FaultSample& sample) const {
  return thread == sample.thread && mapping == sample.mapping && threadName == sample.threadName;
}

template <class Part>
std::uint32_t SampleStore::Table<Part>::keep(const FaultSample& sample, std::size_t& bytes) {
  const auto isOf = [&](const Row& row) { return row.users > 0 && row.part.isOf(sample); };
  if (m_last >= m_rows.size() || !isOf(m_rows[m_last])) {
    const std::uint64_t hash = Part::hashOf(sample);
    const auto [first, last] = m_places.equal_range(hash);
    const auto known = std::find_if(first, last, [&](const auto& place) { return isOf(m_rows[place.second]); });
    if (known != last) {
      m_last = known->second;
    } else {
      m_last = static_cast<std::uint32_t>(m_rows.size());
      if (m_free.empty()) {
        m_rows.emplace_back();
      } else {
        m_last = m_free.back();
        m_free.pop_back();
      }
      m_rows[m_last] = {.part = Part::of(sample), .hash = hash};
      m_places.emplace(hash, m_last);
      bytes += bytesOf(m_rows[m_last]);
    }
  }
  ++m_rows[m_last].users;
  return m_last;
}

template <class Part>
void SampleStore::Table<Part>::drop(std::uint32_t part, std::size_t& bytes) {
  Row& row = m_rows[part];
  if (--row.users > 0) return;
  bytes -= bytesOf(row);
  const auto [first, last] = m_places.equal_range(row.hash);
  m_places.erase(std::find_if(first, last, [&](const auto& place) { return place.second == part; }));
  row = {};
  m_free.push_back(part);
}

std::size_t SampleStore::bytesOf(const PackedSample& packed) {
  if (packed.registers == nullptr) return sizeof(PackedSample);
  const auto values = static_cast<std::size_t>(std::popcount(packed.registers[0])) + 1;
  return sizeof(PackedSample) + kOfHeap + values * sizeof(std::uint64_t);
}

PackedSample SampleStore::pack(const FaultSample& sample) {
  const std::size_t before = m_bytes;
  PackedSample packed{.time = sample.time,
                      .address = sample.address,
                      .weight = sample.weight,
                      .took = sample.took.value_or(Nanoseconds(0)),
                      .registers = nullptr,
                      .stack = m_stacks.keep(sample, m_bytes),
                      .place = m_places.keep(sample, m_bytes),
                      .bits = bitsOf(sample)};
  packed.registers = differing(m_stacks.at(packed.stack).registers, sample.registers);
  m_bytes += bytesOf(packed);
  packed.bytes = static_cast<std::uint32_t>(m_bytes - before);
  return packed;
}

FaultSample SampleStore::unpack(const PackedSample& packed) const {
  const auto has = [&](std::uint8_t bit) { return (packed.bits & bit) != 0; };
  const Place& place = m_places.at(packed.place);
  const Stack& stack = m_stacks.at(packed.stack);
  FaultSample sample{.time = packed.time,
                     .thread = place.thread,
                     .threadName = place.threadName,
                     .address = packed.address,
                     .weight = packed.weight,
                     .major = has(kMajor),
                     .inKernel = has(kInKernel),
                     .took = has(kTimed) ? std::optional(packed.took) : std::nullopt,
                     .access = std::nullopt,
                     .mapping = place.mapping,
                     .registers = stack.registers,
                     .stack = stack.memory,
                     .calls = stack.calls};
  if (has(kAccess)) sample.access = {.write = has(kWrite), .present = has(kPresent), .execute = has(kExecute)};
  if (packed.registers != nullptr)
    for (std::size_t i = 0, next = 1; i < kMostRegisters; ++i)
      if ((packed.registers[0] >> i & 1U) != 0) sample.registers[i] = packed.registers[next++];
  return sample;
}

void SampleStore::drop(const PackedSample& packed) {
  m_bytes -= bytesOf(packed);
  m_stacks.drop(packed.stack, m_bytes);
  m_places.drop(packed.place, m_bytes);
}

}  // namespace faultline
