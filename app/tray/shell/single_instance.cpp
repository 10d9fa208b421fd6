#include "app/tray/shell/single_instance.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QElapsedTimer>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QThread>

#include "platform/host/own_folder.h"

namespace faultline {

namespace {

constexpr int kAnswerMs = 3000;
constexpr qsizetype kLongestMessage = 1 << 20;
constexpr char kTaken = '\x06';

QByteArray message(const QStringList& arguments) {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_6_0);
  stream << arguments;
  return bytes;
}

// Retries, because the first instance may have the lock and not listen yet.
bool handOver(const QString& name, const QByteArray& bytes) {
  QElapsedTimer waited;
  waited.start();
  while (!waited.hasExpired(kAnswerMs)) {
    QLocalSocket socket;
    socket.connectToServer(name);
    if (socket.waitForConnected(200)) {
      socket.write(bytes);
      while (socket.bytesToWrite() > 0 && socket.waitForBytesWritten(kAnswerMs)) {
      }
      if (socket.waitForReadyRead(kAnswerMs)) return socket.read(1) == QByteArray(1, kTaken);
    }
    QThread::msleep(50);
  }
  return false;
}

// Without a folder of the session, Qt names one below /tmp, or none where that is another user's.
QString ownFolder() {
  const QString session = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
  if (QDir(session) == QDir::home())  // Windows has no folder for such files
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
  if (!session.isEmpty() && isOwnFolder(session.toStdU16String())) return session;
  const QString cache =
      QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/faultline");
  return makeOwnFolder(cache.toStdU16String()) ? cache : QString();
}

}  // namespace

SingleInstance::SingleInstance(const QString& name, QObject* parent)
    : QObject(parent), m_name(name), m_lock(name + QStringLiteral(".lock")) {
  m_lock.setStaleLockTime(0);  // stale only if its owner is dead, at any age
  m_server.setSocketOptions(QLocalServer::UserAccessOption);
  connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::accept);
}

QString SingleInstance::defaultName() {
  QString display = qEnvironmentVariable("WAYLAND_DISPLAY");
  if (display.isEmpty()) display = qEnvironmentVariable("DISPLAY");
  const QByteArray hash = QCryptographicHash::hash(display.toUtf8(), QCryptographicHash::Sha1).toHex().left(8);
  const QString folder = ownFolder();
  return folder.isEmpty() ? QString() : QDir(folder).filePath(QStringLiteral("faultline-") + QString::fromLatin1(hash));
}

Result<bool> SingleInstance::claim(const QStringList& arguments) {
  if (m_name.isEmpty()) return true;
  if (!m_lock.tryLock(0) && m_lock.error() == QLockFile::LockFailedError) {
    if (handOver(m_name, message(arguments))) return false;
    return fail("Faultline is already running, but does not answer. End that program, then try again.");
  }
  // Without a place for a lock (full or read-only disk) Faultline still runs, but a second instance does not find it.
  QLocalServer::removeServer(m_name);  // left by a crash: we hold the lock
  m_server.listen(m_name);
  return true;
}

void SingleInstance::accept() {
  while (QLocalSocket* socket = m_server.nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
      if (socket->bytesAvailable() > kLongestMessage) return socket->abort();
      QDataStream stream(socket);
      stream.setVersion(QDataStream::Qt_6_0);
      stream.startTransaction();
      QStringList arguments;
      stream >> arguments;
      if (!stream.commitTransaction()) return;  // the rest is still to come
      socket->write(QByteArray(1, kTaken));
      socket->flush();
      Q_EMIT secondStarted(arguments);
    });
  }
}

}  // namespace faultline
