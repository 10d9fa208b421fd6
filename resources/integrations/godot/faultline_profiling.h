/* Faultline behind Godot's core/profiling/profiling.h: each turn of the main loop ends a frame; nothing else is marked.
 *
 * Copy this file and faultline_frame.h into core/profiling, make its first branch
 *
 *   #if defined(GODOT_USE_FAULTLINE)
 *   #include "faultline_profiling.h"
 *   #elif defined(GODOT_USE_TRACY)
 *
 * and build: scons ccflags=-DGODOT_USE_FAULTLINE. Then: faultline-cli frames --mark godot -- ./bin/godot... The threads
 * of rendering and physics have no marks; their faults count where the main loop waits for them.
 *
 * SPDX-License-Identifier: MIT-0
 */
#pragma once

#include "faultline_frame.h"

void godot_init_profiler();
void godot_cleanup_profiler();

#define GodotProfileFrameMark faultline_frame("godot")
#define GodotProfileZone(m_zone_name)
#define GodotProfileZoneGroupedFirst(m_group_name, m_zone_name)
#define GodotProfileZoneGroupedEndEarly(m_group_name, m_zone_name)
#define GodotProfileZoneGrouped(m_group_name, m_zone_name)
#define GodotProfileZoneScript(m_ptr, m_file, m_function, m_name, m_line)
#define GodotProfileZoneScriptSystemCall(m_ptr, m_file, m_function, m_name, m_line)
#define GodotProfileAlloc(m_ptr, m_size)
#define GodotProfileFree(m_ptr)
