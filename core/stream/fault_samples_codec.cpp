#include "core/stream/fault_samples_codec.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

namespace faultline::wire {
namespace {

constexpr std::uint32_t kSampleBatchFields = 2;
constexpr std::uint32_t kSampleFields = 8;
constexpr std::uint32_t kMappingFields = 4;

// The bits of a sample's mask.
enum : std::uint32_t {
  kMajorFault = 1U << 0U,
  kInKernel = 1U << 1U,
  kHasAccess = 1U << 2U,
  kWrite = 1U << 3U,
  kPresent = 1U << 4U,
  kExecute = 1U << 5U,
  kHasTook = 1U << 6U,     // a value follows
  kHasMapping = 1U << 7U,  // a value follows
};

enum : std::uint32_t { kMapWritable = 1U << 0U, kMapExecutable = 1U << 1U, kMapShared = 1U << 2U, kMapFile = 1U << 3U };

struct Bit {
  bool set;
  std::uint32_t bit;
};

std::uint32_t bitsOf(std::initializer_list<Bit> bits) {
  std::uint32_t mask = 0;
  for (const Bit& bit : bits)
    if (bit.set) mask |= bit.bit;
  return mask;
}

std::string_view cut(std::string_view text) {
  return text.substr(0, kMaxSampleText);
}

std::string_view stackOf(const FaultSample& sample) {
  return {reinterpret_cast<const char*>(sample.stack.data()), std::min(sample.stack.size(), kMaxSampleStack)};
}

void packMapping(const FaultMapping& mapping, Packer& out) {
  out.pack_array(kMappingFields);
  out.pack_uint64(mapping.begin);
  out.pack_uint64(mapping.end);
  out.pack_uint32(maskOf(mapping));
  packBinary(out, cut(mapping.name));
}

void packSample(const FaultSample& sample, Packer& out) {
  out.pack_array(kSampleFields + (sample.took ? 1 : 0) + (sample.mapping ? 1 : 0));
  out.pack_int64(sample.time.sinceEpoch.count());
  out.pack_uint32(sample.thread);
  packBinary(out, cut(sample.threadName));
  out.pack_uint64(sample.address);
  out.pack_uint64(sample.weight);
  out.pack_uint32(maskOf(sample));
  const auto registers = std::span(sample.registers).first(std::min(sample.registers.size(), kMaxSampleRegisters));
  out.pack_array(static_cast<std::uint32_t>(registers.size()));
  for (const std::uint64_t value : registers) out.pack_uint64(value);
  packBinary(out, stackOf(sample));
  if (sample.took) out.pack_int64(sample.took->count());
  if (sample.mapping) packMapping(*sample.mapping, out);
}

std::string readText(TokenReader& in) {
  return std::string(cut(in.bytes()));
}

FaultMapping readMapping(TokenReader& in) {
  const std::uint32_t fields = in.array();
  FaultMapping mapping;
  mapping.begin = in.u64();
  mapping.end = in.u64();
  const std::uint64_t mask = in.u64();
  takeMask(mask, mapping);
  mapping.name = readText(in);
  if (fields < kMappingFields) in.fail();
  else in.skip(fields - kMappingFields);
  return mapping;
}

void readStack(TokenReader& in, FaultSample& sample) {
  const std::string_view stack = in.bytes();
  if (stack.size() > kMaxSampleStack) return in.fail();
  const auto bytes = std::as_bytes(std::span(stack));
  sample.stack.assign(bytes.begin(), bytes.end());
}

// Skips elements appended by a newer writer.
FaultSample readSample(TokenReader& in) {
  std::uint32_t fields = in.array();
  FaultSample sample;
  sample.time = {in.time()};
  sample.thread = static_cast<std::uint32_t>(in.u64());
  sample.threadName = readText(in);
  sample.address = in.u64();
  sample.weight = in.u64();
  const std::uint64_t mask = in.u64();
  takeMask(mask, sample);
  const std::uint32_t registers = in.array();
  if (registers > kMaxSampleRegisters) in.fail();
  for (std::uint32_t i = 0; i < registers && in.ok(); ++i) sample.registers.push_back(in.u64());
  readStack(in, sample);
  const std::uint32_t known = kSampleFields + (sample.took ? 1 : 0) + (sample.mapping ? 1 : 0);
  if (fields < known) in.fail();
  if (!in.ok()) return sample;
  if (sample.took) sample.took = in.time();
  if (sample.mapping) sample.mapping = readMapping(in);
  in.skip(fields - known);
  return sample;
}

}  // namespace

std::uint32_t maskOf(const FaultSample& sample) {
  const FaultAccess access = sample.access.value_or(FaultAccess{});
  return bitsOf({{sample.major, kMajorFault},
                 {sample.inKernel, kInKernel},
                 {sample.access.has_value(), kHasAccess},
                 {access.write, kWrite},
                 {access.present, kPresent},
                 {access.execute, kExecute},
                 {sample.took.has_value(), kHasTook},
                 {sample.mapping.has_value(), kHasMapping}});
}

std::uint32_t maskOf(const FaultMapping& mapping) {
  return bitsOf({{mapping.writable, kMapWritable},
                 {mapping.executable, kMapExecutable},
                 {mapping.shared, kMapShared},
                 {mapping.file, kMapFile}});
}

void takeMask(std::uint64_t mask, FaultSample& sample) {
  sample.major = (mask & kMajorFault) != 0;
  sample.inKernel = (mask & kInKernel) != 0;
  if ((mask & kHasAccess) != 0)
    sample.access = {
        .write = (mask & kWrite) != 0, .present = (mask & kPresent) != 0, .execute = (mask & kExecute) != 0};
  if ((mask & kHasTook) != 0) sample.took.emplace();
  if ((mask & kHasMapping) != 0) sample.mapping.emplace();
}

void takeMask(std::uint64_t mask, FaultMapping& mapping) {
  mapping.writable = (mask & kMapWritable) != 0;
  mapping.executable = (mask & kMapExecutable) != 0;
  mapping.shared = (mask & kMapShared) != 0;
  mapping.file = (mask & kMapFile) != 0;
}

void packFaultSamples(const FaultSampleBatch& batch, Packer& out) {
  std::size_t bytes = 0;
  std::size_t fit = 0;
  while (fit < std::min(batch.samples.size(), kMaxFaultSamples) &&
         (bytes += stackOf(batch.samples[fit]).size()) <= kMaxStackBytes)
    ++fit;
  const auto samples = std::span(batch.samples).first(fit);
  out.pack_array(kSampleBatchFields);
  out.pack_uint64(batch.lost + (batch.samples.size() - samples.size()));
  out.pack_array(static_cast<std::uint32_t>(samples.size()));
  for (const FaultSample& sample : samples) packSample(sample, out);
}

bool readFaultSamples(TokenReader in, FaultSampleBatch& batch) {
  batch.samples.clear();
  const std::uint32_t fields = in.array();
  batch.lost = in.u64();
  if (fields < kSampleBatchFields) return false;
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    if (batch.samples.size() == kMaxFaultSamples) return false;
    batch.samples.push_back(readSample(in));
  }
  return in.ok();
}

}  // namespace faultline::wire
