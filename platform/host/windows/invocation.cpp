#include "platform/host/windows/invocation.h"

#include <windows.h>

#include "platform/host/nt/command_line.h"
#include "platform/host/windows/program_search.h"
#include "platform/system/windows/system_text.h"

namespace faultline {

Result<Invocation> invocationOf(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  const auto file = searchProgram(program);
  if (!file) return fail(toUtf8(program.native()) + " could not be started: " + reasonOf(ERROR_FILE_NOT_FOUND) + ".");
  const std::string name = toUtf8(file->native());
  if (!isBatchFile(name)) return Invocation{file->native(), toWide(commandLine(name, arguments))};
  const auto line = batchCommandLine(name, arguments);
  if (!line) return fail(toUtf8(program.native()) + " " + line.error().message);
  std::wstring folder(MAX_PATH, L'\0');
  folder.resize(::GetSystemDirectoryW(folder.data(), MAX_PATH));
  return Invocation{folder + L"\\cmd.exe", toWide(*line)};
}

}  // namespace faultline
