// The command line of the tray app, which has no console of its own on Windows.
#pragma once

#include <QCommandLineParser>

namespace faultline {

// Adds --help and --version to the parser's options and reads the program's arguments. Ends the program if they ask for
// help or the version, or if one of them is not understood.
void readCommandLine(QCommandLineParser& parser);

}  // namespace faultline
