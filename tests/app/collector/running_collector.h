// Collector: the real program as a child, at the other end of real pipes.
#pragma once

#include "core/stream/decoder.h"

#ifdef _WIN32
#include "tests/app/collector/running_collector_windows.h"
#else
#include "tests/app/collector/running_collector_linux.h"
#endif

namespace faultline::test {

// Hands over events until `visit` returns true: then true. False: the program has closed its end.
template <class Visitor>
bool followUntil(const Collector& collector, Visitor visit) {
  Decoder decoder;
  for (auto bytes = collector.readOutput(); !bytes.empty(); bytes = collector.readOutput()) {
    decoder.feed(bytes);
    for (;;) {
      const auto event = decoder.next();
      REQUIRE(event);
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
      if (visit(*event)) return true;
    }
  }
  CHECK(decoder.bytesPending() == 0);
  return false;
}

// Hands over every event until the program closes its end.
template <class Visitor>
void follow(const Collector& collector, Visitor visit) {
  followUntil(collector, [&](const StreamEvent& event) {
    visit(event);
    return false;
  });
}

}  // namespace faultline::test
