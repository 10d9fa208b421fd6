// The words of a filter line, all of which must occur, ignoring case.
#pragma once

#include <QStringList>
#include <algorithm>

namespace faultline {

[[nodiscard]] inline QStringList filterWords(const QString& text) {
  return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// Each word occurs in one of the texts or in the service, or at the beginning of the pid; after "unit:" in the service.
[[nodiscard]] inline bool passes(const QStringList& words, const QStringList& texts, quint32 pid,
                                 const QString& service = {}) {
  const QLatin1String unit("unit:");
  const QString number = QString::number(pid);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    if (word.startsWith(unit, Qt::CaseInsensitive))
      return !service.isEmpty() && service.contains(QStringView(word).mid(unit.size()), Qt::CaseInsensitive);
    const auto has = [&](const QString& text) { return text.contains(word, Qt::CaseInsensitive); };
    return number.startsWith(word) || has(service) || std::any_of(texts.begin(), texts.end(), has);
  });
}

}  // namespace faultline
