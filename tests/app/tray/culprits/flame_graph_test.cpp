#include "app/tray/culprits/flame_graph.h"

#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/frames/some_game.h"

namespace faultline {
namespace {

std::shared_ptr<const Culprits> someCulprits() {
  SyntheticStacks stacks;
  const auto samples = gameSamples(gameFrame(50), 64);
  return std::make_shared<const Culprits>(findCulprits(samples, &stacks));
}

}  // namespace

TEST_CASE("Keys walk a flame graph, zoom in and zoom out") {
  FlameGraph graph;
  graph.resize(600, 300);
  graph.setCulprits(someCulprits());
  graph.show();
  const auto press = [&](Qt::Key key) { QTest::keyClick(&graph, key); };
  press(Qt::Key_Down);
  CHECK(graph.current() == QStringLiteral("main"));  // the thread
  QStringList seen;
  for (int i = 0; i < 5; ++i) {
    press(Qt::Key_Down);
    seen << graph.current();
  }
  CHECK(seen == QStringList{QStringLiteral("main"), QStringLiteral("Game::turn"), QStringLiteral("World::streamIn"),
                            QStringLiteral("Level::load"), QStringLiteral("Mesh::unpack")});
  press(Qt::Key_Right);
  CHECK(graph.current() == QStringLiteral("Texture::decode"));
  press(Qt::Key_Right);
  CHECK(graph.current() == QStringLiteral("Texture::decode"));
  press(Qt::Key_Return);
  CHECK(graph.zoomedTo() == QStringLiteral("Texture::decode"));
  press(Qt::Key_Escape);
  CHECK(graph.zoomedTo() == QStringLiteral("Level::load"));
  for (int i = 0; i < 5; ++i) press(Qt::Key_Escape);
  CHECK(graph.zoomedTo().isEmpty());
}

TEST_CASE("A click zooms into a box, a click on a caller zooms out, and a graph without stacks is empty") {
  FlameGraph graph;
  graph.resize(600, 300);
  graph.show();
  QTest::mouseClick(&graph, Qt::LeftButton, {}, {5, 5});
  CHECK(graph.zoomedTo().isEmpty());
  graph.setCulprits(someCulprits());
  QTest::mouseClick(&graph, Qt::LeftButton, {}, {5, graph.sizeHint().height() - 5});
  CHECK(graph.zoomedTo() == QStringLiteral("Vertices::append"));
  QTest::mouseClick(&graph, Qt::LeftButton, {}, {300, 5});
  CHECK(graph.zoomedTo() == QStringLiteral("main"));
  graph.setCulprits(nullptr);
  CHECK(graph.zoomedTo().isEmpty());
  CHECK(graph.current().isEmpty());
}

}  // namespace faultline
