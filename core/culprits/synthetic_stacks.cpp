#include "core/culprits/synthetic_stacks.h"

namespace faultline {
namespace {

StackFrame ours(std::string function, std::string file, int line, bool inlined = false) {
  return {.function = std::move(function),
          .module = "/opt/harbour/harbour",
          .offset = 0x1000 + static_cast<std::uint64_t>(line),
          .file = "/opt/harbour/src/" + std::move(file),
          .line = line,
          .inlined = inlined,
          .system = false};
}

StackFrame library(std::string function) {
  return {.function = std::move(function),
          .module = "/usr/lib/libc.so.6",
          .offset = 0x9d000,
          .file = {},
          .line = 0,
          .inlined = false,
          .system = true};
}

CallStack below(CallStack innermost, std::initializer_list<StackFrame> callers) {
  innermost.insert(innermost.end(), callers);
  return innermost;
}

CallStack loading(CallStack innermost) {
  return below(std::move(innermost), {ours("Level::load", "level.cpp", 212), ours("World::streamIn", "world.cpp", 344),
                                      ours("Game::turn", "game.cpp", 96), ours("main", "main.cpp", 31)});
}

CallStack stackOf(SyntheticStack stack) {
  switch (stack) {
    case SyntheticStack::UnpackMesh:
      return loading({ours("Vertices::append", "mesh.h", 44, true), ours("Mesh::unpack", "mesh.cpp", 87)});
    case SyntheticStack::DecodeTexture:
      return loading({ours("Texture::decode", "texture.cpp", 141)});
    case SyntheticStack::CopyTile:
      return below({library("memcpy"), ours("Terrain::copyTile", "terrain.cpp", 73)},
                   {ours("Worker::run", "worker.cpp", 40)});
    case SyntheticStack::GrowParticles:
    case SyntheticStack::Count:
      break;
  }
  return below({library("realloc"), ours("Particles::grow", "particles.cpp", 59)},
               {ours("Game::turn", "game.cpp", 102), ours("main", "main.cpp", 31)});
}

}  // namespace

std::vector<std::uint64_t> registersOf(SyntheticStack stack) {
  return {static_cast<std::uint64_t>(stack)};
}

CallStack SyntheticStacks::read(const FaultSample& sample) {
  if (sample.registers.size() != 1 || sample.registers[0] >= static_cast<std::uint64_t>(SyntheticStack::Count))
    return {};
  return stackOf(static_cast<SyntheticStack>(sample.registers[0]));
}

}  // namespace faultline
