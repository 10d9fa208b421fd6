// Hands: what a user can do with the windows on the screen, at random: keys, clicks, drags, wheels, menus, sizes,
// files. Events go to windows, so that Qt itself decides who gets them. A function returns what it did; empty: nothing.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include "tests/soak/random.h"

namespace faultline::soak {

class Hands {
 public:
  // `files`: to open and to drop. `folder`: to save files there.
  Hands(Random& random, QStringList files, QString folder)
      : m_random(random), m_files(std::move(files)), m_folder(std::move(folder)) {}

  [[nodiscard]] QString act();

 private:
  [[nodiscard]] QWidget* window();               // a visible one; null: none
  [[nodiscard]] QWidget* part(QWidget& window);  // a visible widget of it
  [[nodiscard]] QPoint pointIn(const QWidget& widget, const QWidget& window);

  QString triggerAction(QWidget& window);
  QString triggerTray();
  QString pressKey(QWidget& window);
  QString typeText(QWidget& window);
  QString click(QWidget& window);
  QString drag(QWidget& window);
  QString hover(QWidget& window);
  QString wheel(QWidget& window);
  QString changeWindow(QWidget& window);
  QString changeLook();
  QString dropFile(QWidget& window);
  QString speak(QWidget& window);
  QString answer(QWidget& dialog);

  Random& m_random;
  QStringList m_files;
  QString m_folder;
  int m_saved = 0;
};

}  // namespace faultline::soak
