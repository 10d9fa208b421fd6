// Drops the collector's privileges: most before any file is opened, the rest before the loop. A collector without
// privileges takes the same path. Errors name the privilege that could not be dropped, and the system's reason.
#pragma once

#include "core/base/result.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// Call first. Occupies each standard stream that the caller has closed, so that no later file becomes a standard
// stream. Writing to such a stream still fails.
void occupyStandardStreams();

// Call second. Closes other inherited files, and makes room for all later ones. Error: the limit of files is too low.
[[nodiscard]] Result<void> makeRoomForFiles();

// Call before files are opened. Root becomes nobody; of the capabilities only those that measuring can use stay.
[[nodiscard]] Result<void> keepMeasuringPrivileges();

// Call before a game and its files are opened. Takes an ordinary user's capabilities out of effect until
// keepMeasuringPrivileges(). Root stays root.
[[nodiscard]] Result<void> withholdPrivileges();

// Call when all files are open. Drops for good all privileges except those in sampler.needs(), and makes every system
// call that the loop does not need end the program.
[[nodiscard]] Result<void> lockDown(Sampler& sampler);
// The same with known needs.
[[nodiscard]] Result<void> lockDown(const SamplerNeeds& needs);

}  // namespace faultline
