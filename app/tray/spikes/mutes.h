// SpikeMutes: muted programs, by name. Their spikes are kept, but not listed, marked or notified.
#pragma once

#include <QObject>
#include <set>
#include <string>

namespace faultline {

class SpikeMutes : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  [[nodiscard]] bool has(const std::string& name) const { return m_names.contains(name); }
  [[nodiscard]] const std::set<std::string>& names() const { return m_names; }
  void mute(const std::string& name) {
    if (m_names.insert(name).second) Q_EMIT changed();
  }
  void set(std::set<std::string> names) {
    if (names == m_names) return;
    m_names = std::move(names);
    Q_EMIT changed();
  }

 Q_SIGNALS:
  void changed();

 private:
  std::set<std::string> m_names;
};

}  // namespace faultline
