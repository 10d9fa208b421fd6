// World: what happens around the tray app: panels and a session bus that come and go, collectors that are killed,
// stopped and go on. All are children of this program.
#pragma once

#include <QProcess>
#include <QString>
#include <memory>

#include "tests/soak/random.h"

namespace faultline::soak {

class World {
 public:
  // `folder`: for the socket of the bus, whose address becomes this program's. `panel`: the program bus_panel.py.
  World(Random& random, QString folder, QString panel);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] QString act();  // what happened; empty: nothing

 private:
  QString toggle(QProcess& process, const QString& program, const QStringList& arguments);
  QString toggleBus();
  QString hurtCollector();

  Random& m_random;
  QString m_folder;
  QString m_panel;
  QProcess m_bus;
  QProcess m_busPanel;
  QProcess m_xPanel;
};

}  // namespace faultline::soak
