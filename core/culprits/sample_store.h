// SampleStore: fault samples in little memory. What samples have in common is kept once: call stacks, and threads with
// mappings. Of the registers a sample has only those that differ from the first sample of its call stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/model/fault_sample.h"

namespace faultline {

struct PackedSample {
  MonotonicTime time;
  std::uint64_t address = 0;
  std::uint64_t weight = 1;
  Nanoseconds took{0};
  std::unique_ptr<std::uint64_t[]>
      registers;            // null: all are equal; else a bit for each that differs, and their values
  std::uint32_t stack = 0;  // of the store, as the following
  std::uint32_t place = 0;
  std::uint32_t bytes = 0;  // by which the store grew
  std::uint8_t bits = 0;
};

class SampleStore {
 public:
  [[nodiscard]] PackedSample pack(const FaultSample& sample);
  [[nodiscard]] FaultSample unpack(const PackedSample& packed) const;
  void drop(const PackedSample& packed);  // once for each that was packed
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  [[nodiscard]] std::size_t stacks() const { return m_stacks.size(); }  // that differ

 private:
  struct Stack {
    std::vector<std::byte> memory;
    std::vector<std::uint64_t> registers;
    Calls calls;

    static Stack of(const FaultSample& sample) { return {sample.stack, sample.registers, sample.calls}; }
    static std::uint64_t hashOf(const FaultSample& sample);
    [[nodiscard]] bool isOf(const FaultSample& sample) const;
    [[nodiscard]] std::size_t bytes() const { return memory.size() + registers.size() * sizeof(std::uint64_t); }
  };
  struct Place {
    std::uint32_t thread = 0;
    std::string threadName;
    std::optional<FaultMapping> mapping;

    static Place of(const FaultSample& sample) { return {sample.thread, sample.threadName, sample.mapping}; }
    static std::uint64_t hashOf(const FaultSample& sample);
    [[nodiscard]] bool isOf(const FaultSample& sample) const;
    [[nodiscard]] std::size_t bytes() const { return threadName.size() + (mapping ? mapping->name.size() : 0); }
  };

  // Parts of samples, each kept as long as samples have it.
  template <class Part>
  class Table {
   public:
    // `bytes` grows if the part is new.
    std::uint32_t keep(const FaultSample& sample, std::size_t& bytes);
    void drop(std::uint32_t part, std::size_t& bytes);
    [[nodiscard]] const Part& at(std::uint32_t part) const { return m_rows[part].part; }
    [[nodiscard]] std::size_t size() const { return m_rows.size() - m_free.size(); }

   private:
    struct Row {
      Part part;
      std::uint64_t hash = 0;
      std::uint64_t users = 0;
    };
    // A row, and its node in m_places.
    static std::size_t bytesOf(const Row& row) { return sizeof(Row) + 48 + row.part.bytes(); }

    std::deque<Row> m_rows;
    std::vector<std::uint32_t> m_free;
    std::unordered_multimap<std::uint64_t, std::uint32_t> m_places;  // by hash
    std::uint32_t m_last = 0;
  };

  static std::size_t bytesOf(const PackedSample& packed);

  Table<Stack> m_stacks;
  Table<Place> m_places;
  std::size_t m_bytes = 0;
};

}  // namespace faultline
