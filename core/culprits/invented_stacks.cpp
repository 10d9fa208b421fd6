#include "core/culprits/invented_stacks.h"

namespace faultline {
namespace {

CodeFrame ours(std::string function, std::string file, int line, bool inlined = false) {
  return {.function = std::move(function),
          .module = "/opt/harbour/harbour",
          .offset = 0x1000 + static_cast<std::uint64_t>(line),
          .file = "/opt/harbour/src/" + std::move(file),
          .line = line,
          .inlined = inlined,
          .system = false};
}

CodeFrame library(std::string function) {
  return {.function = std::move(function),
          .module = "/usr/lib/libc.so.6",
          .offset = 0x9d000,
          .file = {},
          .line = 0,
          .inlined = false,
          .system = true};
}

CodeStack below(CodeStack innermost, std::initializer_list<CodeFrame> callers) {
  innermost.insert(innermost.end(), callers);
  return innermost;
}

CodeStack loading(CodeStack innermost) {
  return below(std::move(innermost), {ours("Level::load", "level.cpp", 212), ours("World::streamIn", "world.cpp", 344),
                                      ours("Game::turn", "game.cpp", 96), ours("main", "main.cpp", 31)});
}

CodeStack stackOf(InventedStack stack) {
  switch (stack) {
    case InventedStack::UnpackMesh:
      return loading({ours("Vertices::append", "mesh.h", 44, true), ours("Mesh::unpack", "mesh.cpp", 87)});
    case InventedStack::DecodeTexture:
      return loading({ours("Texture::decode", "texture.cpp", 141)});
    case InventedStack::CopyTile:
      return below({library("memcpy"), ours("Terrain::copyTile", "terrain.cpp", 73)},
                   {ours("Worker::run", "worker.cpp", 40)});
    case InventedStack::GrowParticles:
    case InventedStack::Count:
      break;
  }
  return below({library("realloc"), ours("Particles::grow", "particles.cpp", 59)},
               {ours("Game::turn", "game.cpp", 102), ours("main", "main.cpp", 31)});
}

}  // namespace

std::vector<std::uint64_t> registersOf(InventedStack stack) {
  return {static_cast<std::uint64_t>(stack)};
}

CodeStack InventedStacks::read(const FaultSample& sample) {
  if (sample.registers.size() != 1 || sample.registers[0] >= static_cast<std::uint64_t>(InventedStack::Count))
    return {};
  return stackOf(static_cast<InventedStack>(sample.registers[0]));
}

}  // namespace faultline
