package minilm

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// littleEndian says that this machine keeps float32 as the file does.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// asInt8 reads bytes as signed, in place.
func asInt8(b []byte) []int8 {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// asFloats reads bytes as float32: in place where the machine is little endian
// and the bytes are aligned in memory, otherwise as a copy (I2). The linker
// aligns an embedded file to less than the offsets in it.
func asFloats(b []byte) []float32 {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if !littleEndian || uintptr(p)%unsafe.Alignof(float32(0)) != 0 {
		return copyFloats(b)
	}
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(p), len(b)/4)
}

func copyFloats(b []byte) []float32 {
	floats := make([]float32, len(b)/4)
	for i := range floats {
		floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return floats
}
