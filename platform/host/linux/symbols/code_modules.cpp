#include "platform/host/linux/symbols/code_modules.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "core/parse/proc_maps.h"
#include "platform/host/linux/symbols/debug_files.h"
#include "platform/host/linux/symbols/game_files.h"
#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

// Difference between an address in memory and the same address in the file.
std::optional<std::uint64_t> biasOf(int file, const CodeModules::Range& range) {
  const UniqueElf elf(elf_begin(file, ELF_C_READ_MMAP, nullptr));
  std::size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment{};
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr) continue;
    const std::uint64_t from = segment.p_offset & ~(kPageBytes - 1);
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    if (range.offset < from || range.offset >= segment.p_offset + segment.p_filesz) continue;
    return range.begin - range.offset + segment.p_offset - segment.p_vaddr;
  }
  return std::nullopt;
}

CodeModules::Range rangeOf(const ProcMapping& mapping) {
  CodeModules::Range range{.begin = mapping.begin,
                           .end = mapping.end,
                           .offset = mapping.offset,
                           .device = std::uint64_t{mapping.deviceMajor} << 32U | mapping.deviceMinor,
                           .inode = mapping.inode,
                           .path = mappedPath(mapping.name)};
  range.deleted = mapping.inode != 0 && range.path.ends_with(kDeletedMark);
  if (range.deleted) range.path.resize(range.path.size() - kDeletedMark.size());
  return range;
}

CodeModules::Range rangeOf(const ProcMapping& mapping, const PeImage& image) {
  return {.begin = mapping.begin,
          .end = mapping.end,
          .offset = mapping.begin - image.begin,
          .device = image.device,
          .inode = image.inode,
          .path = image.path};
}

bool overlap(const CodeModules::Range& a, const CodeModules::Range& b) {
  return a.begin < b.end && b.begin < a.end;
}

}  // namespace

Result<CodeModules> CodeModules::open(std::uint32_t pid) {
  ProcessFolder process(pid);
  if (!process) return fail(fmt::format("There is no process {}.", pid));
  CodeModules modules(std::move(process));
  modules.refresh();
  if (!modules.m_ranges.empty()) return modules;
  if (const auto files = readGameFiles(pid); !files) return tl::unexpected(files.error());
  return fail(fmt::format("Process {} is ending and has no code any more.", pid));
}

CodeModules::CodeModules(ProcessFolder process) : m_process(std::move(process)) {
  elf_version(EV_CURRENT);
  begin();
}

void CodeModules::begin() {
  m_session.reset(dwfl_begin(&debugFileCallbacks()));
}

std::vector<CodeModules::Range> CodeModules::mapped() {
  struct stat program{};
  const bool known = fstatat(m_process.get(), m_process.pathOf("exe").c_str(), &program, 0) == 0;
  std::vector<Range> ranges;
  const std::string text = m_process.readMaps().value_or("");
  m_images.restart();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto mapping = parseProcMapping(std::string_view(text).substr(at, end - at));
    at = end + 1;
    const PeImage* const image = mapping ? m_images.around(*mapping, m_process) : nullptr;
    if (!mapping || !mapping->executable) continue;
    ranges.push_back(image != nullptr ? rangeOf(*mapping, *image) : rangeOf(*mapping));
    ranges.back().program = known && mapping->inode == program.st_ino && mapping->inode != 0;
  }
  return ranges;
}

bool CodeModules::refresh() {
  std::vector<Range> now = mapped();
  if (now.empty()) return false;  // the process has ended
  bool stale = false;
  std::vector<Range> fresh;
  for (Range& range : now) {
    bool known = false;
    std::erase_if(m_ranges, [&](const Range& old) {
      if (!overlap(old, range)) return false;
      const bool same = old.sameFile(range);
      known = known || (same && old.begin <= range.begin && old.end >= range.end);
      stale = stale || !same;
      return !same;
    });
    if (!known) fresh.push_back(std::move(range));
  }
  if (stale) begin();
  m_ranges.insert(m_ranges.end(), fresh.begin(), fresh.end());
  std::ranges::sort(m_ranges, {}, &Range::begin);
  if (m_session == nullptr) return stale;
  dwfl_report_begin_add(m_session.get());
  for (const Range& range : stale ? m_ranges : fresh) report(range);
  dwfl_report_end(m_session.get(), nullptr, nullptr);
  return stale;
}

UniqueFd CodeModules::openFile(const Range& range) const {
  std::string path = "root" + range.path;
  if (range.deleted) path = range.program ? "exe" : fmt::format("map_files/{:x}-{:x}", range.begin, range.end);
  return openRegularFile(m_process.get(), m_process.pathOf(path));
}

void CodeModules::report(const Range& range) {
  if (range.inode == 0 || !range.path.starts_with('/')) return;
  UniqueFd file = openFile(range);
  if (!file) return;
  const auto bias = biasOf(file.get(), range);
  if (!bias) return;
  const char* const path = range.path.c_str();
  if (dwfl_report_elf(m_session.get(), path, path, file.get(), *bias, true) != nullptr)
    static_cast<void>(file.release());  // owned by the library now
}

const CodeModules::Range* CodeModules::at(std::uint64_t address) const {
  auto next = std::ranges::upper_bound(m_ranges, address, {}, &Range::begin);
  if (next == m_ranges.begin()) return nullptr;
  --next;
  return address < next->end ? &*next : nullptr;
}

}  // namespace faultline
