// Pins: the pinned processes, in the order of pinning. Each keeps its colour until it is unpinned.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

struct Pin {
  ProcessKey key;
  std::size_t colour = 0;  // index into Theme::pins
};

class Pins : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  [[nodiscard]] const std::vector<Pin>& all() const { return m_pins; }
  [[nodiscard]] std::optional<std::size_t> colour(const ProcessKey& key) const;  // absent: not pinned
  void toggle(const ProcessKey& key);
  void set(const std::vector<ProcessKey>& keys);

 Q_SIGNALS:
  void changed();

 private:
  std::vector<Pin> m_pins;
};

}  // namespace faultline
