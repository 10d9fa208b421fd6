#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "platform/desktop/byte_file.h"

namespace faultline {
namespace {

constexpr const char* kStandardOutput = "standard output";
constexpr const char* kStandardInput = "standard input";

std::string reason(int error) {
  return std::generic_category().message(error) + ".";
}

int fileOf(std::intptr_t handle) {
  return static_cast<int>(handle);
}

}  // namespace

ByteWriter::ByteWriter(std::intptr_t handle, bool owned, std::filesystem::path path)
    : m_handle(handle), m_owned(owned), m_path(std::move(path)) {}

ByteWriter::ByteWriter(ByteWriter&& other) noexcept
    : m_handle(std::exchange(other.m_handle, -1)),
      m_owned(other.m_owned),
      m_readerGone(other.m_readerGone),
      m_path(std::move(other.m_path)) {}

ByteWriter& ByteWriter::operator=(ByteWriter&& other) noexcept {
  std::swap(m_handle, other.m_handle);
  std::swap(m_owned, other.m_owned);
  std::swap(m_readerGone, other.m_readerGone);
  std::swap(m_path, other.m_path);
  return *this;
}

ByteWriter::~ByteWriter() {
  if (m_owned && m_handle >= 0) ::close(fileOf(m_handle));
}

Result<ByteWriter> ByteWriter::create(const std::filesystem::path& path, Existing existing) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (existing == Existing::Refuse ? O_EXCL : O_TRUNC);
  const int fd = ::open(path.c_str(), flags, 0644);
  if (fd < 0) return fail(path.string() + " cannot be written: " + reason(errno));
  return ByteWriter(fd, true, path);
}

ByteWriter ByteWriter::standardOutput() {
  return {STDOUT_FILENO, false, kStandardOutput};
}

tl::unexpected<Error> ByteWriter::failure(int error) {
  m_readerGone = error == EPIPE;
  if (error == ENOSPC || error == EDQUOT)
    return fail("There is no room left for " + m_path.string() + ". What was written so far can be read.");
  return fail(m_path.string() + " cannot be written: " + reason(error));
}

Result<void> ByteWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fileOf(m_handle), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> ByteWriter::write(std::string_view text) {
  return write(std::as_bytes(std::span(text)));
}

Result<void> ByteWriter::close() {
  if (!m_owned) return {};
  if (::close(fileOf(std::exchange(m_handle, -1))) != 0) return failure(errno);
  return {};
}

ByteReader::ByteReader(std::intptr_t handle, bool owned, std::filesystem::path path)
    : m_handle(handle), m_owned(owned), m_path(std::move(path)) {}

ByteReader::ByteReader(ByteReader&& other) noexcept
    : m_handle(std::exchange(other.m_handle, -1)), m_owned(other.m_owned), m_path(std::move(other.m_path)) {}

ByteReader& ByteReader::operator=(ByteReader&& other) noexcept {
  std::swap(m_handle, other.m_handle);
  std::swap(m_owned, other.m_owned);
  std::swap(m_path, other.m_path);
  return *this;
}

ByteReader::~ByteReader() {
  if (m_owned && m_handle >= 0) ::close(fileOf(m_handle));
}

Result<ByteReader> ByteReader::open(const std::filesystem::path& path) {
  if (path == "-") return ByteReader(STDIN_FILENO, false, kStandardInput);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(path.string() + " cannot be read: " + reason(errno));
  return ByteReader(fd, true, path);
}

Result<std::size_t> ByteReader::read(std::span<std::byte> buffer) {
  ssize_t got = 0;
  do got = ::read(fileOf(m_handle), buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) return fail(m_path.string() + " cannot be read: " + reason(errno));
  return static_cast<std::size_t>(got);
}

std::optional<std::uint64_t> ByteReader::size() const {
  struct stat facts{};
  if (::fstat(fileOf(m_handle), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(facts.st_size);
}

}  // namespace faultline
