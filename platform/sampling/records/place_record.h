// A map of the kernel that may stand for a place (bpf/places.h), in C and C++ alike.
#pragma once

enum { kPlaceName = 16 };  // BPF_OBJ_NAME_LEN

struct PlaceRecord {
  unsigned int id;  // of the map
  char name[kPlaceName];
};
