/* Faultline in Unity 2019.3 or later: the player loop ends a frame after its last system; nothing else is marked.
 *
 * Compile the plug-in beside faultline_frame.h, on Linux or with mingw-w64 for Windows:
 *
 *   cc -O2 -shared -fPIC faultline_unity.c -o Assets/Plugins/x86_64/libfaultline_unity.so
 *   x86_64-w64-mingw32-gcc -O2 -shared faultline_unity.c -o Assets/Plugins/x86_64/faultline_unity.dll
 *
 * and copy this file into Assets. Then: faultline-cli frames --mark unity -- ./Game. The render thread and the jobs have
 * no marks; their faults count where the main thread waits for them.
 *
 * Never run in Unity. Without the plug-in, Unity's log has one DllNotFoundException, and nothing else happens.
 *
 * SPDX-License-Identifier: MIT-0
 */
using System;
using System.Runtime.InteropServices;
using UnityEngine;
using UnityEngine.LowLevel;

static class FaultlineFrames {
  [DllImport("faultline_unity")]
  static extern void faultline_unity_frame();

  static void End() { faultline_unity_frame(); }

  [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.BeforeSceneLoad)]
  static void Begin() {
    PlayerLoopSystem loop = PlayerLoop.GetCurrentPlayerLoop();
    PlayerLoopSystem[] systems = loop.subSystemList;
    if (Array.Exists(systems, system => system.type == typeof(FaultlineFrames))) return;  // kept since the last play
    End();  // throws if there is no plug-in
    Array.Resize(ref systems, systems.Length + 1);
    systems[systems.Length - 1] = new PlayerLoopSystem { type = typeof(FaultlineFrames), updateDelegate = End };
    loop.subSystemList = systems;
    PlayerLoop.SetPlayerLoop(loop);
  }
}
