// SettingsDialog: every setting with a sentence that says what it does. Not modal; each change applies at once.
#pragma once

#include <QDialog>

#include "app/tray/settings.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace faultline {

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  // `hasTray`: whether what concerns the tray can be had on this desktop.
  SettingsDialog(SettingsStore& store, bool hasTray, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void applyTheme();
  void addMeasuring(QFormLayout& form);
  void addSpikes(QFormLayout& form);
  void addStarting(QFormLayout& form, bool hasTray);
  void show(const Settings& settings);
  void applyChange();
  void restoreDefaults();

  SettingsStore& m_store;
  QSpinBox* m_interval = nullptr;
  QCheckBox* m_timeFaults = nullptr;
  QSpinBox* m_minor = nullptr;
  QSpinBox* m_major = nullptr;
  QDoubleSpinBox* m_factor = nullptr;
  QSpinBox* m_least = nullptr;
  QCheckBox* m_notify = nullptr;
  QCheckBox* m_login = nullptr;
  QCheckBox* m_hidden = nullptr;
  QComboBox* m_ink = nullptr;
};

}  // namespace faultline
