// monkey: runs the tray app, one life after the other, on a synthetic machine whose time passes up to a hundred times
// faster, and does random things to it. The event loop must turn, Qt must not warn, and memory, files and child
// processes must not grow from life to life. Needs an X display of its own. `run` starts it.
#include <QApplication>
#include <QClipboard>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QEvent>
#include <QPixmapCache>
#include <QTimer>
#include <cstdio>
#include <vector>

#include "app/tray/shell/application.h"
#include "app/tray/widgets/number_locale.h"
#include "tests/soak/hands.h"
#include "tests/soak/record.h"
#include "tests/soak/watchdog.h"
#include "tests/soak/world.h"
#include "tests/support/heap_bytes.h"
#include "tests/support/plain.h"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/allocator_interface.h>
#endif

namespace faultline::soak {
namespace {

constexpr std::uint64_t kLongestLife = 4000;  // acts
constexpr qint64 kMayGrow = 4 << 20;          // bytes, from the first lives to the last
constexpr int kNestedMs = 300;  // QTest lets the event loop turn between two events: not for a further act
constexpr int kWarmLives = 3;   // which fill caches

struct Wishes {
  std::uint64_t seed = 1;
  qint64 minutes = 2;
  QString folder;
  QString panel;
};

// What a life leaves behind.
struct Leftovers {
  qint64 heap = 0;
  qint64 files = 0;
  qint64 windows = 0;
};

std::size_t heapInUse() {
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes();
#else
  return test::heapBytes();
#endif
}

Leftovers leftovers() {
  QApplication::clipboard()->clear();  // a picture takes 8 MB
  for (int i = 0; i < 5; ++i) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
  }
  return {static_cast<qint64>(heapInUse()),
          static_cast<qint64>(QDir(QStringLiteral("/proc/self/fd"))
                                  .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
                                  .size()),
          QApplication::topLevelWidgets().size()};
}

class Monkey {
 public:
  explicit Monkey(const Wishes& wishes)
      : m_wishes(wishes),
        m_record(wishes.folder + QStringLiteral("/acts")),
        m_hands(m_random, filesToOpen(), wishes.folder + QStringLiteral("/saved")) {
    recordWarnings(m_record);
    m_clock.start();
    m_next.setSingleShot(true);
    m_next.callOnTimeout([this] { step(); });
  }

  int run(World& world) {
    m_world = &world;
    QDir().mkpath(m_wishes.folder + QStringLiteral("/saved"));
    for (int life = 1; !over(); ++life) live(life);
    m_record.printSummary();
    std::printf("monkey: seed %llu, %llu acts in %d s: %s\n", static_cast<unsigned long long>(m_wishes.seed),
                static_cast<unsigned long long>(m_record.acts()), static_cast<int>(m_clock.elapsed() / 1000),
                m_record.clean() ? "no defect" : "DEFECTS");
    return m_record.clean() ? 0 : 1;
  }

  Random& random() { return m_random; }

 private:
  [[nodiscard]] bool over() const { return m_clock.hasExpired(m_wishes.minutes * 60'000); }

  [[nodiscard]] QStringList filesToOpen() const {
    QStringList files;
    for (const QFileInfo& each : QDir(m_wishes.folder + QStringLiteral("/files")).entryInfoList(QDir::Files))
      files << each.absoluteFilePath();
    return files << m_wishes.folder + QStringLiteral("/files/missing.faultline");
  }

  void live(int life) {
    StartOptions options;
    options.synthetic = true;
    options.windows = m_random.chance(20);
    options.hidden = m_random.chance(20);
    options.frames = m_random.chance(40) ? 1U : 0U;
    options.lab = m_random.chance(10);
    // At the highest speed the app computes more for its numbers than for the acts, above all under sanitizers.
    const int haste = m_random.of(std::vector{10, 10, 30, 100});
    qputenv("FAULTLINE_HASTE", QByteArray::number(haste));
    if (m_random.chance(15)) options.recording = m_random.of(filesToOpen());
    m_record.act(QStringLiteral("life %1 haste %2 hidden %3 frames %4 recording %5")
                     .arg(life)
                     .arg(haste)
                     .arg(options.hidden)
                     .arg(options.frames)
                     .arg(options.recording.section(u'/', -1)));
    m_lifeEnds = m_record.acts() + 200 + static_cast<std::uint64_t>(m_random.below(kLongestLife));
    m_next.start(0);
    if (runApplication(options) != 0)
      m_record.defect(QStringLiteral("life"), QStringLiteral("the app refuses to start"));
    m_next.stop();
    judge(life);
  }

  void step() {
    if (over() || m_record.acts() > m_lifeEnds) return QApplication::exit();
    m_next.start(kNestedMs);  // a drag, for instance, has an event loop of its own, which only further acts end
    const bool around = m_random.chance(3);
    const QString done = around ? m_world->act() : m_hands.act();
    if (!done.isEmpty()) m_record.act(done);
    m_next.start(m_random.chance(1) ? m_random.below(1000) : m_random.below(10));
  }

  void judge(int life) {
    const Leftovers left = leftovers();
    std::printf("monkey: life %d ends at act %llu: heap %lld KiB, %lld files, %lld windows\n", life,
                static_cast<unsigned long long>(m_record.acts()), static_cast<long long>(left.heap / 1024),
                static_cast<long long>(left.files), static_cast<long long>(left.windows));
    std::fflush(stdout);
    if (life == kWarmLives) m_warm = left;
    if (life <= kWarmLives) return;
    if (left.heap - m_warm.heap > kMayGrow)
      m_record.defect(QStringLiteral("memory grows"),
                      QStringLiteral("%1 KiB since life %2").arg((left.heap - m_warm.heap) / 1024).arg(kWarmLives));
    if (left.files > m_warm.files + 4) m_record.defect(QStringLiteral("files stay open"), QString::number(left.files));
    if (left.windows > m_warm.windows) m_record.defect(QStringLiteral("windows stay"), QString::number(left.windows));
  }

  Wishes m_wishes;
  Random m_random{m_wishes.seed};
  Record m_record;
  Hands m_hands;
  World* m_world = nullptr;
  QElapsedTimer m_clock;
  QTimer m_next;
  std::uint64_t m_lifeEnds = 0;
  Leftovers m_warm;
};

Wishes wishes(const QStringList& arguments) {
  QCommandLineParser parser;
  const QCommandLineOption seed(QStringLiteral("seed"), {}, QStringLiteral("number"), QStringLiteral("1"));
  const QCommandLineOption minutes(QStringLiteral("minutes"), {}, QStringLiteral("number"), QStringLiteral("2"));
  const QCommandLineOption panel(QStringLiteral("panel"), {}, QStringLiteral("program"));
  parser.addOptions({seed, minutes, panel});
  parser.addPositionalArgument(QStringLiteral("folder"), {});
  parser.process(arguments);
  return {parser.value(seed).toULongLong(), parser.value(minutes).toLongLong(), parser.positionalArguments().value(0),
          parser.value(panel)};
}

}  // namespace
}  // namespace faultline::soak

int main(int argc, char** argv) {
  using namespace faultline::soak;
  const Wishes wanted = wishes([&] {
    QStringList words;
    for (int i = 0; i < argc; ++i) words << QString::fromLocal8Bit(argv[i]);
    return words;
  }());
  Random outside(wanted.seed);
  World world(outside, wanted.folder, wanted.panel);
  QApplication qt(argc, argv);
  faultline::writeNumbersLike(QLocale(), QApplication::layoutDirection());
  QApplication::setApplicationName(QStringLiteral("faultline"));
  QApplication::setApplicationVersion(QStringLiteral(FAULTLINE_VERSION));
  QApplication::setOrganizationName(QStringLiteral("faultline"));
  QApplication::setQuitOnLastWindowClosed(false);
  // Qt keeps the names of pictures that have left this cache, one for each size of a widget, which a monkey has no end
  // of.
  QPixmapCache::setCacheLimit(0);
  Monkey monkey(wanted);
  const Watchdog watchdog;
  return monkey.run(world);
}
