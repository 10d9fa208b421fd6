// Functions of the library deep.so that touch memory: the first byte; all bytes, through the C library.
#pragma once

extern "C" {
__attribute__((visibility("default"))) void deepTouch(char* memory, unsigned long bytes);
__attribute__((visibility("default"))) void deepClear(char* memory, unsigned long bytes);
}
