#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/shell/single_instance.h"

using namespace faultline;

TEST_CASE("Without a folder of the session, the lock is in a folder that this user alone can enter") {
  const QTemporaryDir home;
  const QByteArray session = qgetenv("XDG_RUNTIME_DIR");
  const QByteArray cache = qgetenv("XDG_CACHE_HOME");
  const QByteArray temporary = qgetenv("TMPDIR");
  const QString theirs = home.filePath(QStringLiteral("runtime-theirs"));
  REQUIRE(QDir().mkpath(theirs));
  REQUIRE(QFile::setPermissions(theirs, QFile::Permissions(0x7777)));
  qputenv("XDG_CACHE_HOME", home.path().toUtf8());
  qputenv("TMPDIR", theirs.toUtf8());
  for (const QString& folder : {QString(), theirs, home.filePath(QStringLiteral("missing"))}) {
    qputenv("XDG_RUNTIME_DIR", folder.toUtf8());
    const QFileInfo name(SingleInstance::defaultName());
    INFO(folder.toStdString() << ": " << name.filePath().toStdString());
    REQUIRE(name.isAbsolute());
    CHECK(name.path() != theirs);
    CHECK((QFile::permissions(name.path()) & QFile::Permissions(0x0077)) == QFile::Permissions());
  }
  qputenv("XDG_RUNTIME_DIR", session);
  qputenv("XDG_CACHE_HOME", cache);
  qputenv("TMPDIR", temporary);
}
