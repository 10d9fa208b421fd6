#include "app/tray/lab/answer.h"

#include <catch2/catch_test_macros.hpp>

#include "core/lab/experiments.h"
#include "tests/app/tray/lab/fake_lab.h"

namespace faultline {

TEST_CASE("Each experiment has a question in plain words") {
  for (const LabExperiment& experiment : labExperiments()) CHECK(labQuestion(experiment.name).endsWith(u'?'));
  CHECK(labQuestion("another") == QStringLiteral("another"));
}

TEST_CASE("A result begins with its answer, in the terms of a frame") {
  CHECK(labAnswer(labReport()) ==
        QStringLiteral("The first use of 40 MB takes 6.83 ms; with every page touched before, 284 µs, after 6.00 ms of "
                       "preparation."));
  LabReport cost{.experiment = "cost"};
  CHECK(labAnswer(cost).isEmpty());
  cost.rows = {labRow("8 MiB, a byte a page", "touch", 2048, std::chrono::milliseconds(8))};
  cost.rows[0].samples.resize(1);
  CHECK(labAnswer(cost) ==
        QStringLiteral("First touch costs 1.00 ms per MiB here: 8 MiB in each frame take 8.00 ms of 16.7 ms."));
}

TEST_CASE("A claim says what was found before what is expected") {
  CHECK(labClaim({.claim = "first touch / again >= 10", .value = "41"}) ==
        QStringLiteral("first touch / again: 41, at least 10 expected"));
  CHECK(labClaim({.claim = "populated / touched <= 1.1", .value = ""}) ==
        QStringLiteral("populated / touched: not measured, at most 1.1 expected"));
  CHECK(labClaim({.claim = "touch a MiB: 1 to 2", .value = "1.02"}) ==
        QStringLiteral("touch a MiB: 1.02, from 1 to 2 expected"));
  CHECK(labClaim({.claim = "all ways find the same", .value = "7"}) == QStringLiteral("all ways find the same: 7"));
}

}  // namespace faultline
