#include "core/stream/recorded_samples_codec.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/varint.h"
#include "core/stream/fault_samples_codec.h"

namespace faultline::wire {
namespace {

constexpr std::uint32_t kFields = 8;
constexpr unsigned kPageBits = 12;
constexpr std::size_t kPacketBytes = std::size_t{4} << 20U;  // one more sample adds at most 2 MB
constexpr std::size_t kEntryBytes = 64;                      // of a table, besides the entry itself

using Bytes = std::span<const std::uint8_t>;

std::string packed(std::initializer_list<std::uint64_t> values) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t value : values) putVarint(value, bytes);
  return {bytes.begin(), bytes.end()};
}

std::size_t heldBytes(const StackFrame& frame) {
  return kEntryBytes + sizeof(Call) + frame.function.size() + frame.module.size() + frame.file.size();
}

std::uint64_t firstPage(const FaultSample& context) {
  return context.mapping ? context.mapping->begin >> kPageBits : 0;
}

// The page of the previous sample of each context in a packet; at first that at which the mapping begins.
class LastPages {
 public:
  std::uint64_t& of(std::uint64_t context, const FaultSample& sample) {
    return m_pages.try_emplace(context, firstPage(sample)).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> m_pages;
};

}  // namespace

struct RecordedSampleWriter::Packet {
  std::vector<std::string_view> texts;  // they lead into m_texts
  std::size_t textBytes = 0;
  std::string calls, contexts;
  std::vector<std::uint8_t> samples;

  [[nodiscard]] std::size_t size() const { return textBytes + calls.size() + contexts.size() + samples.size(); }
};

std::uint64_t RecordedSampleWriter::textId(std::string_view text, Packet& packet) {
  if (text.empty()) return 0;
  const auto [entry, isNew] = m_texts.try_emplace(std::string(text.substr(0, kMaxRecordedText)), m_texts.size() + 1);
  if (isNew) {
    packet.texts.push_back(entry->first);
    packet.textBytes += entry->first.size() + 3;
    m_bytes += kEntryBytes + entry->first.size();
  }
  return entry->second;
}

std::uint64_t RecordedSampleWriter::idOf(Ids& ids, std::string packed, std::string& out) {
  const auto [entry, isNew] = ids.try_emplace(std::move(packed), ids.size() + 1);
  if (isNew) out += entry->first;
  return entry->second;
}

// A call is known by its line: the instruction's offset is recorded only where the function has no name.
std::uint64_t RecordedSampleWriter::callsId(const Calls& calls, Packet& packet) {
  std::vector<const StackFrame*> stack;
  for (const Call* call = calls.get(); call != nullptr && stack.size() < kMaxCallDepth; call = call->caller.get())
    stack.push_back(&call->frame);
  std::uint64_t id = 0;
  for (auto place = stack.rbegin(); place != stack.rend(); ++place) {
    const StackFrame& frame = **place;
    const std::size_t before = m_calls.size();
    id = idOf(m_calls,
              packed({id, textId(frame.function, packet), textId(frame.module, packet),
                      frame.function.empty() ? frame.offset : 0, textId(frame.file, packet),
                      static_cast<std::uint64_t>(std::max(frame.line, 0)),
                      (frame.inlined ? 1U : 0U) | (frame.system ? 2U : 0U)}),
              packet.calls);
    if (m_calls.size() > before) m_bytes += heldBytes(frame);
  }
  return id;
}

// Names every field of a sample but registers and stack: a recording may be handed on and holds no memory of the game.
std::uint64_t RecordedSampleWriter::contextId(const FaultSample& sample, Packet& packet) {
  std::string context = packed(
      {sample.thread, textId(sample.threadName, packet), sample.weight, maskOf(sample), callsId(sample.calls, packet)});
  if (const auto& mapping = sample.mapping)
    context += packed({mapping->begin, mapping->end, maskOf(*mapping), textId(mapping->name, packet)});
  const std::size_t before = m_contexts.size();
  const std::uint64_t id = idOf(m_contexts, std::move(context), packet.contexts);
  if (m_contexts.size() > before)
    m_bytes += kEntryBytes + sizeof(FaultSample) + sample.threadName.size() +
               (sample.mapping ? sample.mapping->name.size() : 0);
  return id;
}

void RecordedSampleWriter::pack(std::uint64_t lost, std::span<const FaultSample>& samples, Packer& out) {
  if (m_bytes > kMaxTableBytes / 2) *this = {};
  const std::uint64_t firstText = m_texts.size();
  const std::uint64_t firstCall = m_calls.size();
  const std::uint64_t firstContext = m_contexts.size();
  Packet packet;
  LastPages pages;
  MonotonicTime time;
  std::size_t count = 0;
  for (; count < std::min(samples.size(), kMaxFaultSamples) && packet.size() < kPacketBytes; ++count) {
    const FaultSample& sample = samples[count];
    const std::uint64_t context = contextId(sample, packet);
    std::uint64_t& page = pages.of(context, sample);
    putVarint(context, packet.samples);
    putSignedVarint((sample.time.sinceEpoch - std::exchange(time, sample.time).sinceEpoch).count(), packet.samples);
    const std::uint64_t before = std::exchange(page, sample.address >> kPageBits);
    putSignedVarint(static_cast<std::int64_t>(page - before), packet.samples);
    if (sample.took) putVarint(static_cast<std::uint64_t>(sample.took->count()), packet.samples);
  }
  samples = samples.subspan(count);
  out.pack_array(kFields);
  out.pack_uint64(lost);
  out.pack_uint64(firstContext);
  out.pack_uint64(firstText);
  out.pack_array(static_cast<std::uint32_t>(packet.texts.size()));
  for (const std::string_view text : packet.texts) packBinary(out, text);
  out.pack_uint64(firstCall);
  packBinary(out, packet.calls);
  packBinary(out, packet.contexts);
  packBytes(out, packet.samples);
}

std::string RecordedSampleReader::text(std::uint64_t id) const {
  const auto found = m_texts.find(id);
  return found == m_texts.end() ? std::string() : found->second;
}

bool RecordedSampleReader::room(std::size_t bytes) {
  if (m_bytes + bytes > kMaxTableBytes) return false;
  m_bytes += bytes;
  return true;
}

void RecordedSampleReader::readTexts(TokenReader& in) {
  std::uint64_t id = in.u64();
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    const std::string_view text = in.bytes(kMaxRecordedText);
    if (room(kEntryBytes + text.size())) m_texts[++id] = text;
  }
}

void RecordedSampleReader::readCalls(TokenReader& in) {
  std::uint64_t id = in.u64();
  for (Bytes bytes = bytesOf(in.bytes()); !bytes.empty();) {
    const auto caller = m_calls.find(takeVarint(bytes));
    Call call;
    if (caller != m_calls.end()) call.caller = caller->second;
    if (call.caller) call.depth = call.caller->depth + 1;
    call.frame.function = text(takeVarint(bytes));
    call.frame.module = text(takeVarint(bytes));
    call.frame.offset = takeVarint(bytes);
    call.frame.file = text(takeVarint(bytes));
    call.frame.line = static_cast<int>(takeVarint(bytes) & 0x7FFF'FFFFU);
    const std::uint64_t bits = takeVarint(bytes);
    call.frame.inlined = (bits & 1U) != 0;
    call.frame.system = (bits & 2U) != 0;
    ++id;
    if (call.depth <= kMaxCallDepth && room(heldBytes(call.frame)))
      m_calls[id] = std::make_shared<const Call>(std::move(call));
  }
}

void RecordedSampleReader::readContexts(TokenReader& in, std::uint64_t before) {
  std::uint64_t id = before;
  for (Bytes bytes = bytesOf(in.bytes()); !bytes.empty();) {
    FaultSample context;
    context.thread = static_cast<std::uint32_t>(takeVarint(bytes));
    context.threadName = text(takeVarint(bytes));
    context.weight = takeVarint(bytes);
    takeMask(takeVarint(bytes), context);
    const auto calls = m_calls.find(takeVarint(bytes));
    if (calls != m_calls.end()) context.calls = calls->second;
    if (context.mapping) {
      FaultMapping& mapping = *context.mapping;
      mapping.begin = takeVarint(bytes);
      mapping.end = takeVarint(bytes);
      takeMask(takeVarint(bytes), mapping);
      mapping.name = text(takeVarint(bytes));
    }
    ++id;
    if (room(kEntryBytes + sizeof(FaultSample) + context.threadName.size() +
             (context.mapping ? context.mapping->name.size() : 0)))
      m_contexts[id] = std::move(context);
  }
}

bool RecordedSampleReader::readSamples(TokenReader& in, FaultSampleBatch& batch) const {
  LastPages pages;
  std::uint64_t time = 0;
  std::size_t count = 0;
  for (Bytes bytes = bytesOf(in.bytes()); !bytes.empty();) {
    if (++count > kMaxFaultSamples) return false;
    const std::uint64_t id = takeVarint(bytes);
    const auto context = m_contexts.find(id);
    if (context == m_contexts.end()) return true;  // the rest cannot be understood
    FaultSample sample = context->second;
    time += static_cast<std::uint64_t>(takeSignedVarint(bytes));
    std::uint64_t& page = pages.of(id, sample);
    page += static_cast<std::uint64_t>(takeSignedVarint(bytes));
    sample.address = page << kPageBits;
    const std::uint64_t took = sample.took ? takeVarint(bytes) : 0;
    constexpr auto kLongest = static_cast<std::uint64_t>(kLongestUp.count());
    if (time > kLongest || took > kLongest) return false;
    sample.time = {Nanoseconds(static_cast<std::int64_t>(time))};
    if (sample.took) sample.took = Nanoseconds(static_cast<std::int64_t>(took));
    batch.samples.push_back(std::move(sample));
  }
  return true;
}

bool RecordedSampleReader::read(TokenReader in, FaultSampleBatch& batch) {
  batch.samples.clear();
  const std::uint32_t fields = in.array();
  batch.lost = in.u64();
  if (fields < kFields) return false;
  const std::uint64_t firstContext = in.u64();
  if (firstContext == 0) *this = {};  // the writer begins anew
  readTexts(in);
  readCalls(in);
  readContexts(in, firstContext);
  return in.ok() && readSamples(in, batch) && in.ok();
}

}  // namespace faultline::wire
