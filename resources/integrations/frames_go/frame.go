// Package frame tells Faultline where a frame ends, once in each turn of a loop. Copy this file and faultline_frame.h into
// a folder frame of your module, and import "MODULE/frame":
//
//	render := frame.NewMark("render")
//	runtime.LockOSThread() // so that the frames are those of one thread
//	for { draw(); render.End() }
//
// Then: faultline-cli frames -- ./game. It needs cgo.
//
// SPDX-License-Identifier: MIT-0
package frame

/*
#cgo CFLAGS: -D_GNU_SOURCE -I${SRCDIR} -I${SRCDIR}/../..
#include "faultline_frame.h"
#include <stdlib.h>
*/
import "C"

// Mark is the end of a loop's frames. Its name stays in memory, as a watcher knows it by its address.
type Mark struct{ name *C.char }

// NewMark is for the start of the program: one mark for each loop, at most eight.
func NewMark(name string) Mark { return Mark{C.CString(name)} }

// End tells that a frame ends here.
func (mark Mark) End() { C.faultline_frame(mark.name) }
