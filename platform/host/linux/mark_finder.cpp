#include "platform/host/mark_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "core/marks/candidates.h"
#include "core/text/quantity.h"
#include "platform/host/linux/named_file.h"
#include "platform/host/linux/symbols/elf_file.h"
#include "platform/host/linux/symbols/fields.h"
#include "platform/host/linux/symbols/game_files.h"
#include "platform/host/linux/symbols/game_rights.h"
#include "platform/host/linux/symbols/reader_process.h"
#include "platform/host/processes.h"
#include "platform/host/reading_budget.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestName = 200;  // of a function: the name is shown, and is an argument of a collector
constexpr std::string_view kVulkanDriver = "libvulkan_";
constexpr std::string_view kHeaderSymbol = "faultline_frame_globals_1";  // of resources/faultline_frame.h

tl::unexpected<NotFound> never(std::string message) {
  return tl::unexpected(NotFound{.message = std::move(message), .mayCome = false});
}

std::string_view cut(std::string_view name) {
  return name.substr(0, kLongestName);
}

std::string shownName(const GameFile& file) {
  return printableName(libraryName(file.name()));
}

std::string replaced(std::uint32_t pid, const GameFile& file) {
  return fmt::format("{} has been deleted or replaced since {} mapped it. Restart the game.", printableName(file.path),
                     nameProcess(pid));
}

Result<ElfFile> openElf(std::uint32_t pid, const GameFile& file) {
  UniqueFd opened = openFile(pid, file);
  if (!opened) return fail(fmt::format("{} cannot be opened: {}.", printableName(file.path), std::strerror(errno)));
  auto elf = ElfFile::open(std::move(opened));
  if (elf) return elf;
  return fail(fmt::format("{} {}. Name a function of another file.", printableName(file.path), elf.error().message));
}

// As printed by nm: hexadecimal digits, with or without 0x.
std::optional<std::uint64_t> parseAddress(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return address;
}

// Adds the functions of the separate debug file of a stripped file, found by the build id.
void addDebugFile(std::vector<KnownFunction>& functions, std::uint32_t pid, const ElfFile& elf,
                  const ElfFile::Filter& filter) {
  const std::string id = elf.buildId();
  if (id.size() < 3) return;
  const std::string path = fmt::format("/usr/lib/debug/.build-id/{}/{}.debug", id.substr(0, 2), id.substr(2));
  for (const std::string& place : {pathWithin(pid, path), path}) {
    UniqueFd file = openFile(place);
    if (!file) continue;
    const auto debug = ElfFile::open(std::move(file));
    if (!debug || debug->buildId() != id) continue;
    const auto more = debug->functions(filter);
    functions.insert(functions.end(), more.begin(), more.end());
    return;
  }
}

std::string whatElse(const ElfFile& elf) {
  if (!elf.stripped()) return {};
  if (elf.standsAlone())
    return " The file is linked statically and stripped: none of its functions has a name. Use a build with symbols, "
           "name an address, or assume a rate, such as --assume 60.";
  return " The file is stripped: only exported functions have names. Use a build with symbols, install the debug "
         "symbols, or name an address.";
}

Result<KnownFunction> pick(std::uint32_t pid, const GameFile& file, const ElfFile& elf, const std::string& wanted) {
  const ElfFile::Filter filter = [&](std::string_view symbol) { return isRelevantName(symbol, wanted); };
  auto functions = elf.functions(filter);
  if (elf.stripped()) addDebugFile(functions, pid, elf, filter);
  auto named = pickFunction(functions, wanted, shownName(file), whatElse(elf));
  const auto address = named ? std::nullopt : parseAddress(wanted);
  const bool meant = address && (wanted.starts_with("0x") || elf.offsetOf(*address));
  return meant ? KnownFunction{.symbol = wanted, .address = *address} : std::move(named);
}

Result<ProbePoint> findIn(std::uint32_t pid, const GameFile& file, const std::string& wanted) {
  const auto elf = openElf(pid, file);
  if (!elf) return tl::unexpected(elf.error());
  const auto function = pick(pid, file, *elf, wanted);
  if (!function) return tl::unexpected(function.error());
  const auto offset = elf->offsetOf(function->address);
  if (!offset)
    return fail(fmt::format("'{}' of {} is not an address of code.", printableName(wanted), shownName(file)));
  const std::string& name = function->readable.empty() ? function->symbol : function->readable;
  return ProbePoint{file.path, *offset, fmt::format("{} ({})", printableName(cut(name)), shownName(file))};
}

// The result of `work` in a process of its own, within what is left of the budget.
Result<std::string> readWithin(ReadingBudget& budget, const std::function<std::string()>& work) {
  const auto began = ReadingBudget::Clock::now();
  const Nanoseconds left = budget.left();
  if (left <= 0s) return fail("was not started, because the game's files have taken too long");
  auto bytes = inReaderProcess(work, left);
  budget.spend(ReadingBudget::Clock::now() - began);
  if (bytes) budget.spend(bytes->size());
  return bytes;
}

std::string cannotBeRead(const GameFile& file, const Error& how) {
  return fmt::format("{} cannot be read: the reader process {}. Rebuild or reinstall the file, and restart the game.",
                     printableName(file.path), how.message);
}

Result<ProbePoint, NotFound> findNow(std::uint32_t pid, const FunctionName& wanted, ReadingBudget& budget) {
  const auto files = readGameFiles(pid);
  if (!files) return tl::unexpected(NotFound{files.error().message, true});
  const auto file = pickFile(pid, *files, wanted.file);
  if (!file) return tl::unexpected(file.error());
  if (file->gone()) return never(replaced(pid, *file));
  const auto bytes = readWithin(budget, [&] {
    takeRightsOf(pid);
    const auto point = findIn(pid, *file, wanted.function);
    FieldWriter out;
    if (point) out.number(1).number(point->offset).text(point->name);
    else out.number(0).number(0).text(point.error().message);
    return out.take();
  });
  if (!bytes && ReaderProcess::interrupted()) return tl::unexpected(NotFound{cannotBeRead(*file, bytes.error()), true});
  if (!bytes) return never(cannotBeRead(*file, bytes.error()));
  FieldReader in(*bytes);
  const bool isThere = in.number() != 0;
  const std::uint64_t offset = in.number();
  std::string text = in.text();
  return isThere ? Result<ProbePoint, NotFound>(ProbePoint{file->path, offset, std::move(text)}) : never(text);
}

}  // namespace

// The game's files are not trusted: a child process reads each of them.
struct MarkFinder::State {
  struct Known {
    bool header = false;
    std::map<std::size_t, ProbePoint> functions{};  // by index in markCandidates()
    std::string trouble{};                          // a sentence
  };
  using Key = std::tuple<std::string, std::uint64_t, std::uint64_t>;

  std::map<Key, Known> known;
  ReadingBudget budget{kCommandReading};

  static bool mayHold(const GameFile& file, const MarkCandidate& candidate) {
    return (file.program && candidate.oftenLinkedIn) || isLibrary(file.name(), candidate.library);
  }
  static bool worthReading(const GameFile& file) {
    return file.program ||
           std::ranges::any_of(markCandidates(), [&](const MarkCandidate& c) { return mayHold(file, c); });
  }

  const Known& read(std::uint32_t pid, const GameFile& file) {
    const auto [place, isNew] = known.try_emplace(Key(file.path, file.device, file.inode));
    if (!isNew) return place->second;
    const auto bytes = readWithin(budget, [&] {
      takeRightsOf(pid);
      const auto elf = openElf(pid, file);
      return packed(elf ? examine(pid, file, *elf) : Known());
    });
    place->second = bytes ? unpacked(*bytes, file) : Known{.trouble = cannotBeRead(file, bytes.error())};
    return place->second;
  }

  static std::string packed(const Known& known) {
    FieldWriter out;
    out.number(known.header ? 1 : 0);
    for (const auto& [number, point] : known.functions) out.number(number).number(point.offset).text(point.name);
    return out.take();
  }

  static Known unpacked(std::string_view bytes, const GameFile& file) {
    FieldReader in(bytes);
    Known known{.header = in.number() != 0};
    while (in.more()) {
      const std::uint64_t number = in.number();
      const std::uint64_t offset = in.number();
      std::string name = in.text();
      if (!in.ok() || number >= markCandidates().size()) break;
      known.functions[number] = {file.path, offset, std::move(name), markCandidates()[number].calls};
    }
    return known;
  }

  static Known examine(std::uint32_t pid, const GameFile& file, const ElfFile& elf) {
    Known result;
    result.header = file.program && elf.defines(kHeaderSymbol);
    const auto candidates = markCandidates();
    const ElfFile::Filter filter = [&](std::string_view symbol) {
      return std::ranges::any_of(candidates, [&](const MarkCandidate& c) { return c.symbol == symbol; });
    };
    auto functions = elf.functions(filter);
    if (elf.stripped() && file.name().starts_with(kVulkanDriver)) addDebugFile(functions, pid, elf, filter);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!mayHold(file, candidates[i])) continue;
      const auto function = pickFunction(functions, candidates[i].symbol, file.name());
      const auto offset = function ? elf.offsetOf(function->address) : std::nullopt;
      if (offset)
        result.functions[i] = {file.path, *offset, fmt::format("{} ({})", candidates[i].name(), shownName(file)),
                               candidates[i].calls};
    }
    return result;
  }
};

MarkFinder::MarkFinder() : m_state(makeHidden<State>()) {}

Result<FoundMarks> MarkFinder::look(std::uint32_t pid) {
  const auto files = readGameFiles(pid);
  if (!files) return tl::unexpected(files.error());
  FoundMarks found{.own = holdsFrameMarks(pid)};
  std::multimap<std::size_t, ProbePoint> functions;
  for (const GameFile& file : *files) {
    if (!file.gone()) found.files[file.path] = file.inode;
    if (!State::worthReading(file)) continue;
    if (file.gone()) {
      if (found.obstacle.empty()) found.obstacle = replaced(pid, file);
      continue;
    }
    const State::Known& known = m_state->read(pid, file);
    found.ownExpected = found.ownExpected || known.header;
    functions.insert(known.functions.begin(), known.functions.end());
    if (found.obstacle.empty()) found.obstacle = known.trouble;
  }
  for (const auto& [preference, point] : functions) {
    const bool twice = std::ranges::any_of(found.functions, [&](const ProbePoint& known) {
      return known.file == point.file && known.offset == point.offset;
    });
    if (!twice) found.functions.push_back(point);
  }
  return found;
}

std::vector<std::uint32_t> MarkFinder::descendants(std::uint32_t pid) {
  std::vector<std::uint32_t> found = descendantsOf(pid);
  const auto adopted = adoptedProcesses(pid);
  found.insert(found.end(), adopted.begin(), adopted.end());
  return found;
}

// A process that has just been started may be the shell at one moment and the game at the next. Its files are then a
// mixture of both.
Result<ProbePoint, NotFound> MarkFinder::find(std::uint32_t pid, const FunctionName& wanted) {
  if (wanted.function.empty()) return never("Name a function after the colon, such as game:present.");
  for (int attempt = 1;; ++attempt) {
    const std::string program = programOf(pid);
    auto found = findNow(pid, wanted, m_state->budget);
    if (programOf(pid) == program || attempt == 3) return found;
  }
}

}  // namespace faultline
