#include "platform/sampling/streams.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <array>

#include "platform/system/windows/stream_pipes.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

constexpr std::array<DWORD, 3> kAccess{GENERIC_READ, GENERIC_WRITE | FILE_READ_ATTRIBUTES,
                                       GENERIC_WRITE | FILE_READ_ATTRIBUTES};
constexpr std::array<DWORD, 3> kStandard{STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

// The pipe's owner has fewer rights than this process, and must not act in its name.
UniqueHandle openPipe(const std::wstring& path, DWORD access) {
  return UniqueHandle(::CreateFileW(path.c_str(), access, 0, nullptr, OPEN_EXISTING,
                                    SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, nullptr));
}

// The C library writes messages to its own copy of the handle. Both stay open to the end of this process.
bool become(std::size_t stream, UniqueHandle pipe) {
  HANDLE copy = nullptr;
  const HANDLE ourselves = ::GetCurrentProcess();
  if (::DuplicateHandle(ourselves, pipe.get(), ourselves, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) return false;
  const int file = _open_osfhandle(reinterpret_cast<std::intptr_t>(copy), stream == 0 ? _O_RDONLY : _O_WRONLY);
  if (file < 0 || _dup2(file, static_cast<int>(stream)) != 0) return false;
  _close(file);
  static std::array<UniqueHandle, 3> kept;
  kept.at(stream) = std::move(pipe);
  return ::SetStdHandle(kStandard.at(stream), kept.at(stream).get()) != 0;
}

}  // namespace

Result<void> connectStreams(const PipeStreams& streams) {
  if (!isStreamName(streams.name)) return fail("'" + streams.name + "' is not a name of pipes.");
  std::array<UniqueHandle, 3> pipes;
  for (std::size_t stream = 0; stream < pipes.size(); ++stream) {
    const std::wstring path = streamPipe(streams.name, stream);
    pipes.at(stream) = openPipe(path, kAccess.at(stream));
    if (!pipes.at(stream))
      return fail("The pipe " + toUtf8(path) + " cannot be opened: " + reasonOf(::GetLastError()) + ".");
    ULONG owner = 0;
    if (::GetNamedPipeServerProcessId(pipes.at(stream).get(), &owner) == 0 || owner != streams.reader)
      return fail("The pipe " + toUtf8(path) + " is not that of process " + std::to_string(streams.reader) + ".");
  }
  for (std::size_t stream = 0; stream < pipes.size(); ++stream)
    if (!become(stream, std::move(pipes.at(stream)))) return fail("A standard stream cannot be replaced.");
  return {};
}

}  // namespace faultline
