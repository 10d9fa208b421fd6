// The stream: encoding and decoding of snapshots.
#include <cstdlib>
#include <vector>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "tests/bench/instructions/cases.h"
#include "tests/bench/instructions/machine.h"

using namespace faultline;

namespace {

std::vector<std::byte> encoded(int snapshots) {
  Encoder encoder;
  Snapshot snapshot = machine();
  std::minstd_rand random;
  const auto first = encoder.hello(hello());
  std::vector<std::byte> bytes(first.begin(), first.end());
  for (int i = 0; i < snapshots; ++i) {
    advance(snapshot, random);
    const auto packet = encoder.snapshot(snapshot);
    bytes.insert(bytes.end(), packet.begin(), packet.end());
  }
  return bytes;
}

std::uint64_t encode() {
  return encoded(200).size();
}

std::uint64_t decode() {
  std::uint64_t found = 0;
  const auto bytes = encoded(20);
  for (int i = 0; i < 15; ++i) {
    Decoder decoder;
    decoder.feed(bytes);
    for (bool more = true; more;) {
      const auto event = decoder.next();
      if (!event) std::abort();
      const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
      if (snapshot != nullptr) found += (*snapshot)->processes.size();
      more = !std::holds_alternative<NeedMoreBytes>(*event);
    }
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  return runCase(count, arguments, {{"encode", encode}, {"decode", decode}});
}
