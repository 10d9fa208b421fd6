// The fuzzers without libFuzzer: feeds each file below the given folders, whole and cut, to the fuzzer's entry point.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;
constexpr std::size_t kCuts = 64;

std::vector<std::uint8_t> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replay(const std::vector<std::uint8_t>& bytes) {
  const std::size_t step = std::max<std::size_t>(1, bytes.size() / kCuts);
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    const std::vector<std::uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    LLVMFuzzerTestOneInput(cut.data(), cut.size());  // a copy, so that AddressSanitizer sees reads past the cut
  }
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file() || entry.file_size() > kLargest) continue;
      replay(read(entry.path()));
      ++files;
    }
  }
  std::cout << files << " fixtures replayed\n";
  return files > 0 ? 0 : 1;
}
