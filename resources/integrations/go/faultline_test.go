package faultline

import (
	"os"
	"testing"
)

const pages = 64

var kept []byte

// Each iteration touches memory that the process has not touched before, so that no garbage is used again.
func touch() {
	kept = make([]byte, pages*os.Getpagesize())
	for at := 0; at < len(kept); at += os.Getpagesize() {
		kept[at] = 1
	}
}

func BenchmarkTouch(b *testing.B) {
	defer Report(b)()
	for i := 0; i < b.N; i++ {
		touch()
	}
}

func TestFaultsCountTouchedPages(t *testing.T) {
	before := Faults()
	held := make([][]byte, 0, 64)
	for i := 0; i < 64; i++ {
		touch()
		held = append(held, kept)
	}
	if counted := Faults() - before; counted < 64*pages/2 {
		t.Errorf("%d faults of %d touched pages", counted, 64*pages)
	}
	_ = held
}
