// ShapedTexts: texts in one font that are painted again and again. Each is measured and shaped once, as that takes
// longer than to paint it.
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>

namespace faultline {

class ShapedTexts {
 public:
  void setFont(const QFont& font) {
    if (font == m_font) return;
    m_font = font;
    m_texts.clear();
  }
  [[nodiscard]] const QFont& font() const { return m_font; }

  [[nodiscard]] QStaticText of(const QString& text) {
    if (const auto known = m_texts.constFind(text); known != m_texts.constEnd()) return *known;
    if (m_texts.size() >= kMost) m_texts.clear();
    QStaticText fresh(text);
    fresh.setTextFormat(Qt::PlainText);
    fresh.prepare({}, m_font);
    m_texts.insert(text, fresh);
    return fresh;
  }

 private:
  static constexpr qsizetype kMost = 4000;

  QFont m_font;
  QHash<QString, QStaticText> m_texts;
};

}  // namespace faultline
