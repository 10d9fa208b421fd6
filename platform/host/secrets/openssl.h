// OpenSSL for civetweb, which finds that of most systems by itself neither by name nor whole.
#pragma once

namespace faultline {

// Loads Faultline's libraries that lead to OpenSSL, if they are installed. civetweb's next look for OpenSSL finds them.
void provideOpenSsl();

}  // namespace faultline
