#include "app/tray/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace faultline {
namespace {

constexpr double kLeastContrast = 4.5;
constexpr double kLeastHighContrast = 7;
constexpr double kLeastOfFrames = 1.5;
constexpr int kFusionFrame = 140;       // the frame is the window's ground, darker by this
constexpr double kUtmostContrast = 20;  // exceeded by black on white, and hardly by other pairs
constexpr double kStrongContrast = 15;  // of high-contrast palettes with colours, such as yellow on black
constexpr double kSameGround = 1.05;    // usual palettes differ more between window and base
constexpr double kSelectedTint = 0.28;  // of the palette's highlight
constexpr double kFillShare = 0.18;     // of the line's colour

// Each colour is as far as possible, also for colour-blind users, from the hues of the lines below and from earlier
// colours.
constexpr std::array<QRgb, 8> kPinsOnLight{0xFF4C00B2, 0xFF800033, 0xFF804CFF, 0xFF4C3366,
                                           0xFFCC1ACC, 0xFF664C00, 0xFF993380, 0xFF00664C};
constexpr std::array<QRgb, 8> kPinsOnDark{0xFF33E6B2, 0xFF99B2FF, 0xFFB266FF, 0xFF99E61A,
                                          0xFF80B280, 0xFFCCCC80, 0xFFE64CCC, 0xFFFFB2E6};

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

// Grounds on all of which an ink must be legible.
struct Grounds {
  std::vector<QColor> all;
  double least;

  [[nodiscard]] bool carry(const QColor& ink) const {
    return std::ranges::all_of(all, [&](const QColor& ground) { return contrast(ink, ground) >= least; });
  }
};

// The hue, if necessary moved towards black or white until it is legible.
QColor legible(const QColor& hue, const Grounds& grounds) {
  const QColor towards = luminance(grounds.all.front()) > 0.18 ? QColor(Qt::black) : QColor(Qt::white);
  for (double share = 0; share < 1; share += 0.02)
    if (const QColor c = mixed(hue, towards, share); grounds.carry(c)) return c;
  return towards;
}

// Qt reports high contrast only on some systems, but the palette shows it: one ground everywhere, with opposite ink.
bool isHighContrast(const QPalette& palette) {
  const QColor window = palette.color(QPalette::Window);
  const QColor base = palette.color(QPalette::Base);
  const double least =
      std::min(contrast(palette.color(QPalette::WindowText), window), contrast(palette.color(QPalette::Text), base));
  return least > kUtmostContrast || (least > kStrongContrast && contrast(window, base) < kSameGround);
}

// With as much tint as keeps the ink legible.
QColor selectedGround(const QPalette& palette, double least) {
  const QColor base = palette.color(QPalette::Base);
  QColor ground = base;
  for (double share = kSelectedTint; share > 0; share -= 0.02) {
    ground = mixed(base, palette.color(QPalette::Highlight), share);
    if (contrast(palette.color(QPalette::Text), ground) >= least) break;
  }
  return ground;
}

}  // namespace

QColor mixed(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                          static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                          static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

double contrast(const QColor& a, const QColor& b) {
  const auto [dim, bright] = std::minmax({luminance(a), luminance(b)});  // of two temporaries minmax(a, b) would dangle
  return (bright + 0.05) / (dim + 0.05);
}

QColor fillBelow(const QColor& line, const QColor& base) {
  return mixed(base, line, kFillShare);
}

namespace {

Theme computed(const QPalette& palette) {
  Theme t;
  t.highContrast = isHighContrast(palette);
  t.base = palette.color(QPalette::Base);
  t.ink = palette.color(QPalette::Text);
  t.dark = luminance(t.base) < 0.18;
  const double least = t.highContrast ? kLeastHighContrast : kLeastContrast;
  t.selected = selectedGround(palette, least);
  const Grounds plots{{t.base}, least};
  t.grid = mixed(t.base, t.ink, t.highContrast ? 0.4 : 0.12);
  t.minor = legible(QColor(0x00, 0x72, 0xB2), plots);
  t.major = legible(QColor(0xE6, 0x9F, 0x00), plots);
  t.commit = legible(QColor(0x00, 0x9E, 0x73), plots);
  t.zeroing = legible(QColor(0xCC, 0x79, 0xA7), plots);
  t.fill = fillBelow(t.minor, t.base);
  const Grounds all{{t.base, palette.color(QPalette::Window), t.selected, t.fill, fillBelow(t.zeroing, t.base)}, least};
  t.dimInk = legible(t.highContrast ? t.ink : mixed(t.ink, t.base, 0.45), all);
  t.spike = legible(QColor(0xD5, 0x5E, 0x00), all);
  const auto& pins = t.dark ? kPinsOnDark : kPinsOnLight;
  std::transform(pins.begin(), pins.end(), t.pins.begin(), [&](QRgb hue) { return legible(QColor(hue), plots); });
  return t;
}

}  // namespace

// Widgets ask at each painting, and each legible colour is searched for.
Theme themeFor(const QPalette& palette) {
  constexpr std::size_t kMostKept = 32;
  static std::map<std::array<QRgb, 5>, Theme> kept;
  const auto rgba = [&](QPalette::ColorRole role) { return palette.color(role).rgba(); };
  const std::array key{rgba(QPalette::Window), rgba(QPalette::WindowText), rgba(QPalette::Base), rgba(QPalette::Text),
                       rgba(QPalette::Highlight)};
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (kept.size() == kMostKept) kept.clear();
  return kept.emplace(key, computed(palette)).first->second;
}

QPalette boxPalette(QPalette palette) {
  palette.setColor(QPalette::Window, themeFor(palette).dimInk);
  for (const auto role : {QPalette::Base, QPalette::Button}) palette.setColor(role, palette.color(role));
  return palette;
}

QPalette inputPalette(QPalette palette) {
  palette.setColor(QPalette::PlaceholderText, themeFor(palette).dimInk);
  const QColor frame = palette.color(QPalette::Window).darker(kFusionFrame);
  return contrast(frame, palette.color(QPalette::Base)) < kLeastOfFrames ? boxPalette(palette) : palette;
}

}  // namespace faultline
