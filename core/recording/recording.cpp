#include "core/recording/recording.h"

#include <algorithm>
#include <fstream>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/stream/wire.h"

namespace faultline {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

StreamEvent streamEvent(const RecordingEvent& event) {
  return std::visit(
      [](const auto& held) -> StreamEvent {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, StillReading>) return NeedMoreBytes{};
        else if constexpr (std::is_same_v<Held, RecordingEnd>) return StreamEnd{};
        else return held;
      },
      event);
}

Result<RecordingFile> RecordingFile::open(const std::filesystem::path& path) {
  std::error_code error;
  const std::string name = path.string();
  const bool exists = std::filesystem::exists(path, error);
  if (error) return fail(name + " cannot be opened: " + error.message() + ".");
  if (!exists) return fail("There is no file " + name + ".");
  if (std::filesystem::is_directory(path, error)) return fail(name + " is a folder, not a recording.");
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size == 0) return fail(name + " is empty: it contains no recording.");
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*file) return fail(name + " cannot be opened. Check that you have permission to read it.");
  return RecordingFile(path, std::move(file), error ? std::nullopt : std::optional(size));
}

RecordingFile RecordingFile::read(std::streambuf& bytes, std::filesystem::path name) {
  return {std::move(name), std::make_unique<std::istream>(&bytes), std::nullopt};
}

RecordingFile::RecordingFile(std::filesystem::path path, std::unique_ptr<std::istream> file,
                             std::optional<std::uint64_t> size)
    : m_path(std::move(path)), m_file(std::move(file)), m_piece(kPiece), m_size(size) {}

Result<RecordingEvent> RecordingFile::next() {
  auto event = m_decoder.next();
  if (event) return take(std::move(*event));
  if (m_decoder.failed()) return fail(m_path.string() + ": " + event.error().message);
  m_damaged = true;
  return RecordingEvent(StillReading{});
}

Result<RecordingEvent> RecordingFile::take(StreamEvent event) {
  if (auto* hello = std::get_if<Hello>(&event)) return RecordingEvent(std::move(*hello));
  if (const auto* snapshot = std::get_if<const Snapshot*>(&event)) {
    m_closed = false;
    ++m_snapshots;
    return RecordingEvent(*snapshot);
  }
  if (const auto* frames = std::get_if<const GameFrameBatch*>(&event)) {
    m_closed = false;
    m_gameFrames += (*frames)->frames.size();
    return RecordingEvent(*frames);
  }
  if (const auto* samples = std::get_if<const FaultSampleBatch*>(&event)) return RecordingEvent(*samples);
  if (std::holds_alternative<NeedMoreBytes>(event)) return readMore();
  if (std::holds_alternative<StreamEnd>(event)) m_closed = true;
  return RecordingEvent(StillReading{});
}

// Gives the decoder at most one piece of the file. Returns its length: 0 at the end, and after an error.
std::size_t RecordingFile::feed(std::size_t most) {
  m_file->read(m_piece.data(), static_cast<std::streamsize>(std::min(most, m_piece.size())));
  const auto count = static_cast<std::size_t>(m_file->gcount());
  m_position += count;
  if (m_size) m_size = std::max(*m_size, m_position);
  m_decoder.feed(std::as_bytes(std::span(m_piece).first(count)));
  return count;
}

// Reads no more than the packet, whose header tells its length: the next call may well seek elsewhere.
void RecordingFile::seek(std::uint64_t offset) {
  m_decoder = Decoder();
  const auto go = [this](std::uint64_t to) {
    m_file->clear();
    m_file->seekg(static_cast<std::streamoff>(to));
    m_position = to;
  };
  go(0);
  feed(wire::kPreambleSize);
  go(offset);
  if (feed(wire::kHeaderSize) < wire::kHeaderSize) return;
  const auto header = wire::parseHeader(std::as_bytes(std::span(m_piece)).first<wire::kHeaderSize>());
  for (std::size_t left = header ? header->length : 0, count = 1; left > 0 && count > 0; left -= count)
    count = feed(left);
}

Result<RecordingEvent> RecordingFile::readMore() {
  const std::size_t count = feed(m_piece.size());
  if (m_file->bad()) return fail(m_path.string() + " cannot be read any further. " + wereRead());
  if (count > 0) return RecordingEvent(StillReading{});
  m_file->clear();  // the file may grow; Windows' C library stays at end of file until a seek
  if (m_size) m_file->seekg(static_cast<std::streamoff>(m_position));
  m_cutBytes = m_decoder.bytesPending();
  return RecordingEvent(RecordingEnd{});
}

std::string RecordingFile::wereRead() const {
  const std::uint64_t count = m_gameFrames > 0 ? m_gameFrames : m_snapshots;
  return counted(count, m_gameFrames > 0 ? "frame" : "snapshot") + (count == 1 ? " was read." : " were read.");
}

std::string RecordingFile::remark() const {
  std::string text;
  if (m_cutBytes > 0) text = "The recording is cut off in the middle of a packet; ";
  else if (!m_closed) text = "The recording has no end mark: it was interrupted or is still being written; ";
  if (!m_damaged) return text.empty() ? text : text + wereRead();
  text += text.empty() ? "Part" : "part";
  text += " of the recording is damaged: ";
  if (lost() > 0) text += counted(lost(), "snapshot") + (lost() == 1 ? " is lost, " : " are lost, ");
  return text + wereRead();
}

std::optional<double> priceIn(const std::filesystem::path& path, std::uint32_t pid) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  auto file = RecordingFile::open(path);
  while (file) {
    const auto event = file->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    const auto* const hello = std::get_if<Hello>(&*event);
    if (hello != nullptr && hello->watched && hello->watched->pid == pid && hello->watched->nsPerFault)
      return hello->watched->nsPerFault;
  }
  return std::nullopt;
}

bool recordsFrames(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // of a pipe, the beginning can be read once
  auto file = RecordingFile::open(path);
  while (file) {
    const auto event = file->next();
    if (!event || !std::holds_alternative<StillReading>(*event))
      return event && std::holds_alternative<Hello>(*event) && std::get<Hello>(*event).watched;
  }
  return false;
}

}  // namespace faultline
