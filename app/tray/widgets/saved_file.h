// Asks for files, and saves a file that the user has named completely or not at all. Errors are sentences that name the
// file. A dialog for a file stops nothing: its answer comes later, and never after its window has gone.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"

class QPaintDevice;
class QWidget;

namespace faultline {

[[nodiscard]] Result<void> saveBytes(const QString& file, const std::string& bytes);

inline constexpr double kPictureScale = 2;  // sharp also on screens with a high resolution

struct Picture {
  QSize size;
  QString title;
  QString description;
  std::function<void(QPaintDevice&)> paint;
};

// SVG if the file's name ends in .svg, else PNG. A build without Qt Svg refuses .svg, and pictureKinds() lacks it.
[[nodiscard]] Result<void> savePicture(const QString& file, const Picture& picture);
[[nodiscard]] QString pictureKinds();  // for a FileQuestion
[[nodiscard]] QImage renderPicture(const Picture& picture);

// The dialog proposes STEM-YYYYMMDD-HHMMSS.ENDING in the home folder.
struct FileQuestion {
  QString title;
  QString stem;
  QString ending;          // with its dot
  QString kinds;           // "CSV (*.csv)"
  bool ownerOnly = false;  // may read the file, which has data of other users; of saveInTurnsAs()
};

// Each calls `then` unless the user cancels, askForFile() also with a file that exists, once the user has agreed to
// replace it. A window asks one question at a time: while its dialog is open, that dialog comes to the front instead.
void askForFile(QWidget* window, const FileQuestion& question, std::function<void(const QString& file)> then);
void askForSavedFile(QWidget* window, const QString& title, const QString& kinds,
                     std::function<void(const QString& file)> then);
// Asks, then saves, then tells "Saved FILE" or the error.
using TellSaved = std::function<void(const Result<QString>& sentence)>;
void saveAs(QWidget* window, const FileQuestion& question, std::function<Result<void>(const QString& file)> save,
            TellSaved tell);

// Writes a file in short turns of the event loop, so that a large one does not stop the window. If `window` goes
// meanwhile, nothing is saved.
enum class Piece : std::uint8_t {
  More,   // was appended
  Later,  // nothing yet
  Anew,   // the whole document changes and begins once more
  Last,
};
using NextPiece = std::function<Piece(std::string& out)>;
void saveInTurnsAs(QWidget* window, const FileQuestion& question, NextPiece next, TellSaved tell);
// Without a question; ends with `parent`.
void saveInTurns(QObject* parent, const QString& file, bool ownerOnly, NextPiece next, TellSaved tell);

}  // namespace faultline
