/* Faultline's native plug-in for Unity: see FaultlineFrames.cs. The name of the mark is a constant here, as a string of
 * C# would lie at another address in each call.
 *
 * SPDX-License-Identifier: MIT-0
 */
#define FAULTLINE_FRAME_FUNCTION
#include "faultline_frame.h"

FAULTLINE_FRAME_PUBLIC void faultline_unity_frame(void);
FAULTLINE_FRAME_PUBLIC void faultline_unity_frame(void) {
  faultline_frame("unity");
}
