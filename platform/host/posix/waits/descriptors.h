// Reads and writes of descriptors that may block, and waits for them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace faultline {

enum class Way { ToRead, ToWrite };

// False: the time is over. True: ready, or closed.
bool waitUntilReady(int file, Way way, std::optional<std::chrono::steady_clock::time_point> deadline);
// Signals (signals.h) stay blocked while this process waits for the reader of the file. After each 2 s without
// progress, they are unblocked for an instant, so that a pending signal ends the process.
void waitForRoom(int file);

// As read(2), which blocks until there is data; begins again after a signal.
[[nodiscard]] ssize_t readSome(int file, std::span<std::byte> buffer);
// As recv(2) of what has come; EAGAIN: nothing. Also of what the other side said before it ended with words unread, for
// which Linux reports ECONNRESET first.
[[nodiscard]] ssize_t receiveAtOnce(int socket, char* data, std::size_t size);
// Blocks until all has come; false: the other side has ended.
[[nodiscard]] bool receiveAll(int socket, void* data, std::size_t size);

}  // namespace faultline
