// The words of a filter line, all of which must occur, ignoring case.
#pragma once

#include <QStringList>
#include <algorithm>

namespace faultline {

[[nodiscard]] inline QStringList filterWords(const QString& text) {
  return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// Each word occurs in one of the texts, or at the beginning of the pid.
[[nodiscard]] inline bool passes(const QStringList& words, const QStringList& texts, quint32 pid) {
  const QString number = QString::number(pid);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return number.startsWith(word) || std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
             return text.contains(word, Qt::CaseInsensitive);
           });
  });
}

}  // namespace faultline
