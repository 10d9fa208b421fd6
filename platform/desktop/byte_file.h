// Files of bytes, standard input and output among them. Errors name the file and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

class ByteWriter {
 public:
  enum class Existing { Refuse, Overwrite };

  [[nodiscard]] static Result<ByteWriter> create(const std::filesystem::path& path, Existing existing);
  [[nodiscard]] static ByteWriter standardOutput();
  ~ByteWriter();
  ByteWriter(ByteWriter&& other) noexcept;
  ByteWriter& operator=(ByteWriter&& other) noexcept;

  // Writes all of it or fails. After a failure part of it may be in the file.
  [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
  [[nodiscard]] Result<void> write(std::string_view text);
  [[nodiscard]] Result<void> close();  // what the system put off is reported here

  [[nodiscard]] bool readerGone() const { return m_readerGone; }  // the failure was that nobody reads us any more

 private:
  ByteWriter(std::intptr_t handle, bool owned, std::filesystem::path path);
  tl::unexpected<Error> failure(int error);

  std::intptr_t m_handle = -1;
  bool m_owned = false;
  bool m_readerGone = false;
  std::filesystem::path m_path;
};

class ByteReader {
 public:
  [[nodiscard]] static Result<ByteReader> open(const std::filesystem::path& path);  // "-" is standard input
  ~ByteReader();
  ByteReader(ByteReader&& other) noexcept;
  ByteReader& operator=(ByteReader&& other) noexcept;

  [[nodiscard]] Result<std::size_t> read(std::span<std::byte> buffer);  // 0 at the end
  [[nodiscard]] std::optional<std::uint64_t> size() const;              // of a regular file

 private:
  ByteReader(std::intptr_t handle, bool owned, std::filesystem::path path);

  std::intptr_t m_handle = -1;
  bool m_owned = false;
  std::filesystem::path m_path;
};

}  // namespace faultline
