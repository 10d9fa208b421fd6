// Package faultline tells the page faults of a benchmark's iterations. Copy this file into a folder faultline of your
// module, and import "MODULE/faultline":
//
//	func BenchmarkParse(b *testing.B) {
//		defer faultline.Report(b)()
//		for i := 0; i < b.N; i++ { parse(text) }
//	}
//
// "go test -bench ." prints them as faults/op. They are of the whole process, the garbage collector's included, which
// gives memory back and touches it again: GOGC=off, or -benchtime=1000x, makes runs alike.
//
// SPDX-License-Identifier: MIT-0
package faultline

import (
	"syscall"
	"testing"
)

// Faults are those of this process so far, minor and major.
func Faults() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return int64(usage.Minflt) + int64(usage.Majflt)
}

// Report begins to count; its result reports the metric.
func Report(b *testing.B) func() {
	before := Faults()
	return func() { b.ReportMetric(float64(Faults()-before)/float64(b.N), "faults/op") }
}
