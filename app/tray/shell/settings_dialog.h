// SettingsDialog: every setting, with a sentence that explains it. Not modal; each change applies at once.
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "app/tray/session/settings.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;

namespace faultline {

class CountBox;
class FactorBox;

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  // `hasTray`: this desktop has a tray.
  SettingsDialog(SettingsStore& store, bool hasTray, QWidget* parent = nullptr);
  ~SettingsDialog() override;

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void layOut(QWidget& page, QWidget& buttons);
  [[nodiscard]] std::array<CountBox*, 7> countBoxes() const;
  [[nodiscard]] std::vector<QWidget*> inputs() const;  // all
  template <class Box>
  void tellRange(Box& box);
  void applyTheme();
  void addMeasuring(QFormLayout& form);
  void addSpikes(QFormLayout& form);
  void addLook(QFormLayout& form);
  void addStarting(QFormLayout& form, bool hasTray);
  void show(const Settings& settings);
  void applyChange();
  void restoreDefaults();

  SettingsStore& m_store;
  QLabel* m_told;  // about a number that was out of range
  CountBox* m_interval = nullptr;
  QCheckBox* m_timeFaults = nullptr;
  CountBox* m_minor = nullptr;
  CountBox* m_major = nullptr;
  CountBox* m_zeroed = nullptr;     // MiB/s
  CountBox* m_faultTime = nullptr;  // ms/s
  CountBox* m_teardown = nullptr;   // ms/s
  FactorBox* m_factor = nullptr;
  CountBox* m_least = nullptr;
  QCheckBox* m_notify = nullptr;
  QCheckBox* m_saveSpikes = nullptr;
  QCheckBox* m_keepPast = nullptr;
  QCheckBox* m_faster = nullptr;
  QCheckBox* m_saveKey = nullptr;
  QCheckBox* m_login = nullptr;
  QCheckBox* m_hidden = nullptr;
  QComboBox* m_look = nullptr;
  QComboBox* m_ink = nullptr;
};

}  // namespace faultline
