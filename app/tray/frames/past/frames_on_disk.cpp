#include "app/tray/frames/past/frames_on_disk.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "app/tray/widgets/plain_text.h"
#include "core/recording/recording.h"
#include "platform/host/recorded_file.h"

namespace faultline {
namespace {

QString ringName(const QString& number) {
  return QStringLiteral("past-frames-%1.faultline").arg(number);
}

QString earlierName(const QString& which) {
  return QStringLiteral("earlier-frames-%1.faultline").arg(which);
}

std::filesystem::path native(const QString& file) {
  return file.toStdU16String();
}

void remove(const QString& file) {
  std::error_code none;
  std::filesystem::remove(native(file), none);
}

// The game of the first frame; absent: there is none.
std::optional<QString> gameIn(const QString& file) {
  QString game;
  auto recording = RecordingFile::open(native(file));
  while (recording) {
    const auto event = recording->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    const auto* const hello = std::get_if<Hello>(&*event);
    if (hello != nullptr && hello->watched) game = shortName(hello->watched->name);
    const auto* const batch = std::get_if<const GameFrameBatch*>(&*event);
    if (batch != nullptr && !(*batch)->frames.empty()) return game;
  }
  return std::nullopt;
}

// The rings that an earlier Faultline left.
QStringList ringsIn(const QDir& folder) {
  const QString before = QStringLiteral(".before");
  const QString any = ringName(QStringLiteral("*"));
  QStringList rings;
  for (QString name : folder.entryList({any, any + before}, QDir::Files)) {
    if (name.endsWith(before)) name.chop(before.size());
    if (!rings.contains(name)) rings << name;
  }
  return rings;
}

QFileInfoList earlierIn(const QDir& folder) {  // newest first
  return folder.entryInfoList({earlierName(QStringLiteral("*"))}, QDir::Files, QDir::Time);
}

}  // namespace

void FramesOnDisk::follow(const PastOnDisk& past, bool wanted) {
  const bool kept = wanted && past.kept();
  if (kept != m_folder.isEmpty()) return;
  if (!kept) return removeAll();
  m_folder = past.folder();
  takeOver();
  for (const auto& ring : m_rings) keep(*ring);
}

void FramesOnDisk::takeOver() {
  const QDir folder(m_folder);
  const QString draft = folder.filePath(QStringLiteral("earlier-frames.draft"));
  for (const QString& name : ringsIn(folder)) {
    const QString ring = folder.filePath(name);
    if (drawRing(native(ring), native(draft)) && gameIn(draft)) {
      // Named by its time, so that the same ring is taken over once, whatever interrupts this.
      const QString until = QFileInfo(draft).lastModified().toString(QStringLiteral("yyyyMMdd-HHmmss"));
      const QString number = name.section(u'-', -1).section(u'.', 0, 0);
      std::error_code none;
      std::filesystem::rename(native(draft), native(folder.filePath(earlierName(until + u'-' + number))), none);
    }
    remove(ring);
    remove(ring + QStringLiteral(".before"));
  }
  remove(draft);
  for (const QFileInfo& file : earlierIn(folder)) {
    const auto game = m_earlier.size() < kGames ? gameIn(file.filePath()) : std::nullopt;
    if (game) m_earlier.push_back({.file = file.filePath(), .game = *game, .until = file.lastModified()});
    else remove(file.filePath());
  }
}

void FramesOnDisk::removeAll() {
  const QDir folder(m_folder);
  for (const auto& ring : m_rings) ring->keepIn({});
  for (const QFileInfo& file : earlierIn(folder)) remove(file.filePath());
  m_earlier.clear();
  m_folder.clear();
}

void FramesOnDisk::watch(const GameWatch& watch) {
  std::erase_if(m_rings, [](const auto& ring) { return ring->closed() && !ring->holds(); });
  const auto& ring = m_rings.emplace_back(std::make_unique<FrameRing>(watch, m_limits));
  connect(ring.get(), &FrameRing::failed, this, &FramesOnDisk::failed);
  connect(ring.get(), &FrameRing::begun, this, [this, newest = ring.get()] { makeRoomFor(newest); });
  if (!m_folder.isEmpty()) keep(*ring);
}

void FramesOnDisk::keep(FrameRing& ring) {
  ring.keepIn(native(QDir(m_folder).filePath(ringName(QString::number(++m_number)))));
}

// The oldest game goes, and of a window that is closed, or whose game has ended, before one that goes on.
void FramesOnDisk::makeRoomFor(const FrameRing* newest) {
  const auto place = std::ranges::find(m_rings, newest, [](const auto& ring) { return ring.get(); });
  std::rotate(place, place + 1, m_rings.end());
  const auto holds = [](const auto& ring) { return ring->holds(); };
  if (std::ranges::count_if(m_rings, holds) <= kGames) return;
  const auto others = std::span(m_rings).first(m_rings.size() - 1);
  auto oldest = std::ranges::find_if(others, [](const auto& ring) { return ring->holds() && ring->over(); });
  if (oldest == others.end()) oldest = std::ranges::find_if(others, holds);
  (*oldest)->keepIn({});
}

}  // namespace faultline
