// Ends with the code 3, once its loader has found its library.
extern "C" int awaited();

int main() {
  return awaited();
}
