#include "app/tray/widgets/saved_file.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSaveFile>
#include <QTimer>
#include <optional>
#include <utility>
#ifdef QT_SVG_LIB
#include <QSvgGenerator>
#endif

namespace faultline {
namespace {

constexpr qint64 kTurnNs = 8'000'000;
constexpr int kLaterMs = 20;

QString savedSentence(const QString& file) {
  return QCoreApplication::translate("SavedFile", "Saved %1").arg(file);
}

tl::unexpected<Error> cannotSave(const QString& file, const QFileDevice& out) {
  return fail("Cannot save " + file.toStdString() + ": " + out.errorString().toStdString() +
              ". Choose another folder.");
}

class SaveInTurns : public QObject {
 public:
  SaveInTurns(QObject* parent, QString file, bool ownerOnly, NextPiece next, TellSaved tell)
      : QObject(parent),
        m_name(std::move(file)),
        m_ownerOnly(ownerOnly),
        m_next(std::move(next)),
        m_tell(std::move(tell)) {
    connect(&m_timer, &QTimer::timeout, this, &SaveInTurns::turn);
    begin();
  }

 private:
  void begin() {
    m_file.emplace(m_name);
    const bool open = m_file->open(QIODevice::WriteOnly);
    if (open && (!m_ownerOnly || m_file->setPermissions(QFile::ReadOwner | QFile::WriteOwner))) m_timer.start(0);
    else finish(false);
  }

  void turn() {
    QElapsedTimer spent;
    spent.start();
    std::string text;
    Piece piece = Piece::More;
    while (piece == Piece::More && spent.nsecsElapsed() < kTurnNs) piece = m_next(text);
    m_timer.setInterval(piece == Piece::Later ? kLaterMs : 0);
    if (piece == Piece::Anew) return begin();
    const auto size = static_cast<qint64>(text.size());
    const bool written = m_file->write(text.data(), size) == size;
    if (!written || piece == Piece::Last) finish(written && m_file->commit());
  }

  void finish(bool saved) {
    m_timer.stop();
    m_tell(saved ? savedSentence(m_name) : Result<QString>(cannotSave(m_name, *m_file)));
    deleteLater();
  }

  QString m_name;
  bool m_ownerOnly;
  NextPiece m_next;
  TellSaved m_tell;
  std::optional<QSaveFile> m_file;
  QTimer m_timer;
};

// Draws the picture as SVG. False: this build lacks Qt Svg.
bool drawSvg([[maybe_unused]] const Picture& picture, [[maybe_unused]] QIODevice* out) {
#ifdef QT_SVG_LIB
  QSvgGenerator svg;
  svg.setOutputDevice(out);
  svg.setSize(picture.size);
  svg.setViewBox(QRect(QPoint(0, 0), picture.size));
  svg.setTitle(picture.title);
  svg.setDescription(picture.description);
  picture.paint(svg);
  return true;
#else
  return false;
#endif
}

using TakeFile = std::function<void(const QString& file)>;

// Null: a dialog of the window is open already.
QFileDialog* newDialog(QWidget* window, const QString& title, const QString& kinds, TakeFile then) {
  for (auto* other : window->findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (!other->isVisible() || !other->isModal()) continue;
    other->raise();
    other->activateWindow();
    return nullptr;
  }
  auto* dialog = new QFileDialog(window, title, QDir::homePath(), kinds);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setSupportedSchemes({QStringLiteral("file")});
  QObject::connect(dialog, &QFileDialog::fileSelected, window, std::move(then));
  return dialog;
}

// QFileDialog's own questions have an event loop inside a call of the dialog: if the app quits meanwhile, the dialog
// deletes the question, which stands on the stack.
void askToReplace(QWidget* window, const QString& file, TakeFile then) {
  const QString asked = QCoreApplication::translate("SavedFile", "%1 exists already. Replace it?");
  auto* const box = new QMessageBox(QMessageBox::Warning, QCoreApplication::translate("SavedFile", "Replace the file?"),
                                    asked.arg(file), QMessageBox::Yes | QMessageBox::No, window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setDefaultButton(QMessageBox::No);
  QObject::connect(box, &QMessageBox::buttonClicked, window,
                   [box, file, then = std::move(then)](QAbstractButton* button) {
                     if (box->standardButton(button) == QMessageBox::Yes) then(file);
                   });
  box->open();
}

}  // namespace

QString pictureKinds() {
  const QString png = QCoreApplication::translate("SavedFile", "PNG picture (*.png)");
#ifdef QT_SVG_LIB
  return png + QCoreApplication::translate("SavedFile", ";;SVG drawing (*.svg)");
#else
  return png;
#endif
}

Result<void> saveBytes(const QString& file, const std::string& bytes) {
  QSaveFile out(file);
  const auto size = static_cast<qint64>(bytes.size());
  if (out.open(QIODevice::WriteOnly) && out.write(bytes.data(), size) == size && out.commit()) return {};
  return cannotSave(file, out);
}

QImage renderPicture(const Picture& picture) {
  QImage image(picture.size * kPictureScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPictureScale);
  picture.paint(image);
  return image;
}

Result<void> savePicture(const QString& file, const Picture& picture) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return cannotSave(file, out);
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    if (!drawSvg(picture, &out)) return fail("This Faultline cannot draw SVG. Save the picture as .png.");
  } else if (!renderPicture(picture).save(&out, "PNG")) {
    return cannotSave(file, out);
  }
  if (!out.commit()) return cannotSave(file, out);
  return {};
}

void askForFile(QWidget* window, const FileQuestion& question, std::function<void(const QString& file)> then) {
  QFileDialog* const dialog =
      newDialog(window, question.title, question.kinds, [window, then = std::move(then)](const QString& file) {
        if (QFileInfo::exists(file)) askToReplace(window, file, then);
        else then(file);
      });
  if (dialog == nullptr) return;
  dialog->setOption(QFileDialog::DontConfirmOverwrite);
  const QString time = QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->selectFile(question.stem + time + question.ending);
  dialog->open();
}

void askForSavedFile(QWidget* window, const QString& title, const QString& kinds,
                     std::function<void(const QString& file)> then) {
  QFileDialog* const dialog = newDialog(window, title, kinds, std::move(then));
  if (dialog == nullptr) return;
  dialog->setFileMode(QFileDialog::AnyFile);  // or the dialog would tell of a missing file in an event loop of its own
  dialog->setOption(QFileDialog::ReadOnly);   // or the key Delete would ask in such a loop, too
  dialog->open();
}

void saveAs(QWidget* window, const FileQuestion& question, std::function<Result<void>(const QString& file)> save,
            TellSaved tell) {
  askForFile(window, question, [save = std::move(save), tell = std::move(tell)](const QString& file) {
    if (const Result<void> saved = save(file); !saved) return tell(fail(saved.error().message));
    tell(savedSentence(file));
  });
}

void saveInTurnsAs(QWidget* window, const FileQuestion& question, NextPiece next, TellSaved tell) {
  askForFile(window, question,
             [window, ownerOnly = question.ownerOnly, next = std::move(next),
              tell = std::move(tell)](const QString& file) { saveInTurns(window, file, ownerOnly, next, tell); });
}

void saveInTurns(QObject* parent, const QString& file, bool ownerOnly, NextPiece next, TellSaved tell) {
  new SaveInTurns(parent, file, ownerOnly, std::move(next), std::move(tell));
}

}  // namespace faultline
