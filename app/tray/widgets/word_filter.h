// What a filter line asks for: words that must all occur, in any case.
#pragma once

#include <QStringList>
#include <algorithm>

namespace faultline {

[[nodiscard]] inline QStringList filterWords(const QString& text) {
  return text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

// Each word in one of the texts, or at the beginning of the pid.
[[nodiscard]] inline bool passes(const QStringList& words, const QStringList& texts, quint32 pid) {
  const QString number = QString::number(pid);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return number.startsWith(word) || std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
             return text.contains(word, Qt::CaseInsensitive);
           });
  });
}

}  // namespace faultline
