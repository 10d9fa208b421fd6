// How the collector gives its privileges up: most of them before it opens anything, the rest before its loop. Without
// privileges, too: there is one path. Errors: privileges that could not be given up, and the system's reason.
#pragma once

#include "core/base/result.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// First of all: no file that is opened later can become a standard stream that our caller has closed. What is written
// to those still fails.
void occupyStandardStreams();

// Then: what the caller has left open is closed, and there is room for all that is opened later. Error: there is not.
[[nodiscard]] Result<void> makeRoomForFiles();

// Before anything is opened, as a rule: root becomes nobody, and only the capabilities that measuring can use stay.
[[nodiscard]] Result<void> keepMeasuringPrivileges();

// Before a game and its files are opened: an ordinary user's capabilities are out of effect until
// keepMeasuringPrivileges(). Root stays root.
[[nodiscard]] Result<void> withholdPrivileges();

// Once everything is open: no privilege is left but what `sampler` says it cannot do without, none can be had again,
// and every system call that the loop does not need ends the program.
[[nodiscard]] Result<void> lockDown(Sampler& sampler);
// The same for what needs no more than `needs`, and no trial.
[[nodiscard]] Result<void> lockDown(const SamplerNeeds& needs);

}  // namespace faultline
