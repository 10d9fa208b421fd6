#include "platform/sampling/windows/list_counter.h"

#include <pdh.h>
#include <windows.h>

#include <memory>

#include "platform/system/windows/library_function.h"

namespace faultline {
namespace {

class ListCounter {
 public:
  ListCounter() {
    if (::LoadLibraryExW(L"pdh.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32) == nullptr) return;
    auto* const open = libraryFunction<decltype(PdhOpenQueryW)>(L"pdh", "PdhOpenQueryW");
    auto* const add = libraryFunction<decltype(PdhAddEnglishCounterW)>(L"pdh", "PdhAddEnglishCounterW");
    m_close = libraryFunction<decltype(PdhCloseQuery)>(L"pdh", "PdhCloseQuery");
    m_collect = libraryFunction<decltype(PdhCollectQueryData)>(L"pdh", "PdhCollectQueryData");
    m_value = libraryFunction<decltype(PdhGetFormattedCounterValue)>(L"pdh", "PdhGetFormattedCounterValue");
    if (open == nullptr || add == nullptr || m_close == nullptr || m_collect == nullptr || m_value == nullptr) return;
    if (open(nullptr, 0, &m_query) != ERROR_SUCCESS) return;
    m_opened = true;
    m_added = add(m_query, L"\\Memory\\Free & Zero Page List Bytes", 0, &m_counter) == ERROR_SUCCESS;
  }
  ~ListCounter() {
    if (m_opened) m_close(m_query);
  }
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  [[nodiscard]] std::optional<std::uint64_t> read() const {
    PDH_FMT_COUNTERVALUE value{};
    if (!m_added || m_collect(m_query) != ERROR_SUCCESS ||
        m_value(m_counter, PDH_FMT_LARGE, nullptr, &value) != ERROR_SUCCESS || value.CStatus != ERROR_SUCCESS)
      return std::nullopt;
    return static_cast<std::uint64_t>(value.largeValue);
  }

 private:
  decltype(PdhCloseQuery)* m_close = nullptr;
  decltype(PdhCollectQueryData)* m_collect = nullptr;
  decltype(PdhGetFormattedCounterValue)* m_value = nullptr;
  PDH_HQUERY m_query = nullptr;
  PDH_HCOUNTER m_counter = nullptr;
  bool m_opened = false;
  bool m_added = false;
};

}  // namespace

std::function<std::optional<std::uint64_t>()> listCounter() {
  return [counter = std::shared_ptr<ListCounter>()]() mutable {
    if (!counter) counter = std::make_shared<ListCounter>();
    return counter->read();
  };
}

}  // namespace faultline
