// For code whose memory accesses are counted: sanitizers would keep notes of them in memory of their own.
#pragma once

#define FAULTLINE_PLAIN __attribute__((noinline, no_sanitize("address", "thread", "undefined")))
