#include "core/recording/recent.h"

#include <charconv>

namespace faultline {
namespace {

constexpr std::string_view kSave = "save ";

void append(std::span<const std::byte> packet, std::string& out) {
  out.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

}  // namespace

void RecentReader::begin(const RecentPiece& piece, std::string& out) {
  m_decoder.emplace();
  m_decoder->feed(piece.bytes);
  if (piece.begun != m_begun) append(m_encoder.hello(piece.hello), out);
  m_begun = piece.begun;
}

std::size_t RecentReader::mostBytes() const {
  std::size_t bytes = 0;
  for (const auto& piece : m_pieces) bytes += piece->bytes.size();
  return bytes;
}

bool RecentReader::next(std::string& out) {
  while (m_next < m_pieces.size()) {
    if (!m_decoder) begin(*m_pieces[m_next], out);
    const auto event = m_decoder->next();
    if (!event || std::holds_alternative<NeedMoreBytes>(*event)) {
      m_decoder.reset();
      m_pieces[m_next++].reset();
    } else if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) {
      if ((*snapshot)->time < m_from) continue;
      append(m_encoder.snapshot(**snapshot), out);
      return true;
    }
  }
  append(m_encoder.end(), out);
  return false;
}

void RecentRecording::begin(const Hello& hello) {
  m_hello = hello;
  m_anew = true;
  ++m_begun;
}

void RecentRecording::append(std::span<const std::byte> packet) {
  std::vector<std::byte>& bytes = m_pieces.back()->bytes;
  bytes.insert(bytes.end(), packet.begin(), packet.end());
  m_bytes += packet.size();
}

void RecentRecording::add(const Snapshot& snapshot) {
  if (!m_hello) return;
  if (m_anew || m_pieces.back()->snapshots == kKeySnapshotEvery) {
    m_anew = false;
    m_encoder = Encoder();
    if (!m_pieces.empty()) m_pieces.back()->bytes.shrink_to_fit();
    RecentPiece& piece = *m_pieces.emplace_back(std::make_shared<RecentPiece>());
    piece.begun = m_begun;
    piece.hello = *m_hello;
    piece.from = snapshot.time;
    append(m_encoder.hello(*m_hello));
  }
  append(m_encoder.snapshot(snapshot));
  m_pieces.back()->to = snapshot.time;
  ++m_pieces.back()->snapshots;
  while (m_pieces.size() > 1 && (m_pieces.front()->to < snapshot.time - m_limits.time || m_bytes > m_limits.bytes)) {
    m_bytes -= m_pieces.front()->bytes.size();
    m_pieces.pop_front();
  }
}

void RecentRecording::clear() {
  m_pieces.clear();
  m_bytes = 0;
  m_anew = true;
}

Nanoseconds RecentRecording::length() const {
  return m_pieces.empty() ? Nanoseconds(0) : m_pieces.back()->to - m_pieces.front()->from;
}

std::optional<MonotonicTime> RecentRecording::newest() const {
  return m_pieces.empty() ? std::nullopt : std::optional(m_pieces.back()->to);
}

RecentReader RecentRecording::since(MonotonicTime from) const {
  RecentPieces pieces;
  for (const auto& piece : m_pieces)
    if (piece->to >= from) pieces.push_back(piece);
  if (!pieces.empty()) pieces.back() = std::make_shared<RecentPiece>(*pieces.back());  // which still grows
  return {std::move(pieces), from};
}

std::string recentQuestion(Nanoseconds last) {
  return std::string(kSave) + std::to_string(last.count());
}

std::optional<Nanoseconds> recentAsked(std::string_view question) {
  if (!question.starts_with(kSave)) return std::nullopt;
  question.remove_prefix(kSave.size());
  std::int64_t last = 0;
  const char* const end = question.data() + question.size();
  if (std::from_chars(question.data(), end, last) != std::from_chars_result{end, std::errc()} || last < 0)
    return std::nullopt;
  return Nanoseconds(last);
}

}  // namespace faultline
