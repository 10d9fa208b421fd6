/* Faultline in Unreal 5: the game thread ends a frame at each FCoreDelegates::OnEndFrame; nothing else is marked.
 *
 * Copy the folder Faultline into your project's Plugins, and faultline_frame.h beside this file; the next build takes
 * it. Then: faultline-cli frames --mark unreal -- ./Game. The render thread and the tasks have no marks; their faults
 * count where the game thread waits for them. In the editor each turn of its loop is a frame.
 *
 * Never compiled by Unreal: the tests compile it with stand-ins for Unreal's headers.
 *
 * SPDX-License-Identifier: MIT-0
 */
#include "Misc/CoreDelegates.h"
#include "Modules/ModuleManager.h"

#if PLATFORM_WINDOWS /* faultline_frame.h includes windows.h */
#include "Windows/AllowWindowsPlatformTypes.h"
#endif
#include "faultline_frame.h"
#if PLATFORM_WINDOWS
#include "Windows/HideWindowsPlatformTypes.h"
#endif

class FFaultlineModule final : public IModuleInterface {
 public:
  void StartupModule() override {
    Ended = FCoreDelegates::OnEndFrame.AddLambda([] { faultline_frame("unreal"); });
  }
  void ShutdownModule() override { FCoreDelegates::OnEndFrame.Remove(Ended); }

 private:
  FDelegateHandle Ended;
};

IMPLEMENT_MODULE(FFaultlineModule, Faultline)
