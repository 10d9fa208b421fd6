// A library that a loader awaits.
extern "C" int awaited() {
  return 3;
}
