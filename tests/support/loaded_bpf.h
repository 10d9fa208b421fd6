// Lists the BPF objects of a process, and checks whether they still exist; needs root.
#pragma once

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace faultline::test {

struct BpfId {
  bpf_cmd open;  // the command that opens an object of this kind by its id
  std::uint32_t number;
};

// From /proc/PID/fdinfo; empty if the process has no BPF descriptors.
inline std::vector<BpfId> loadedBy(pid_t pid) {
  std::vector<BpfId> ids;
  for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo")) {
    std::ifstream text(file.path());
    std::string word;
    BpfId id{};
    while (text >> word) {
      if (word == "prog_id:") id.open = BPF_PROG_GET_FD_BY_ID;
      else if (word == "map_id:") id.open = BPF_MAP_GET_FD_BY_ID;
      else if (word == "link_id:") id.open = BPF_LINK_GET_FD_BY_ID;
      else continue;
      if (text >> id.number) ids.push_back(id);
    }
  }
  return ids;
}

inline bool exists(const BpfId& id) {
  bpf_attr attributes{};
  attributes.prog_id = id.number;  // a union with map_id and link_id
  const auto file = static_cast<int>(syscall(SYS_bpf, id.open, &attributes, sizeof attributes));
  if (file >= 0) close(file);
  return file >= 0;
}

// Empty: not a program, or no longer loaded.
inline std::string programName(const BpfId& id) {
  bpf_attr attributes{};
  attributes.prog_id = id.number;
  if (id.open != BPF_PROG_GET_FD_BY_ID) return {};
  const auto file = static_cast<int>(syscall(SYS_bpf, id.open, &attributes, sizeof attributes));
  if (file < 0) return {};
  bpf_prog_info info{};
  attributes = {};
  attributes.info.bpf_fd = static_cast<unsigned>(file);
  attributes.info.info_len = sizeof info;
  attributes.info.info = reinterpret_cast<std::uintptr_t>(&info);
  syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attributes, sizeof attributes);
  close(file);
  return info.name;
}

}  // namespace faultline::test
