// Series that the posts have published.
#pragma once

#include <array>

namespace faultline {

// Seconds for 1 000, 2 000 ... 17 000 calls of VirtualAlloc from the top of the address space: comments to "Making
// VirtualAlloc Arbitrarily Slower".
inline constexpr std::array kTopDownSeconds{.0039, .0163, .0412, .0816, .1313,  .1920,  .2775,  .3707, .4648,
                                            .5757, .6803, .8080, .9536, 1.0996, 1.2588, 1.4367, 1.6244};

}  // namespace faultline
