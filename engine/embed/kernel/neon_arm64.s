#include "textflag.h"

// One row of a block: the broadcast number times 16 weights.
#define ROW(T, A, B, C, D) \
	VFMLA V16.S4, T.S4, A.S4 \
	VFMLA V17.S4, T.S4, B.S4 \
	VFMLA V18.S4, T.S4, C.S4 \
	VFMLA V19.S4, T.S4, D.S4

#define ZERO4(A, B, C, D) \
	VEOR A.B16, A.B16, A.B16 \
	VEOR B.B16, B.B16, B.B16 \
	VEOR C.B16, C.B16, C.B16 \
	VEOR D.B16, D.B16, D.B16

// func mulNEON(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)
// Blocks of 4 rows × 16 columns, the left half of the panel and then the right.
TEXT ·mulNEON(SB), NOSPLIT, $0-56
	MOVD lda+24(FP), R3
	LSL  $2, R3, R3
	MOVD ldc+48(FP), R6
	LSL  $2, R6, R6
	MOVD $0, R15

half:
	MOVD rows+0(FP), R0
	MOVD a+16(FP), R2
	MOVD c+40(FP), R5
	ADD  R15, R5, R5

block:
	MOVD k+8(FP), R1
	MOVD panel+32(FP), R4
	ADD  R15, R4, R4
	MOVD R2, R8
	ADD  R3, R8, R9
	ADD  R3, R9, R10
	ADD  R3, R10, R11
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
	ZERO4(V8, V9, V10, V11)
	ZERO4(V12, V13, V14, V15)

step:
	VLD1    (R4), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1R.P 4(R8), [V20.S4]
	VLD1R.P 4(R9), [V21.S4]
	VLD1R.P 4(R10), [V22.S4]
	VLD1R.P 4(R11), [V23.S4]
	ROW(V20, V0, V1, V2, V3)
	ROW(V21, V4, V5, V6, V7)
	ROW(V22, V8, V9, V10, V11)
	ROW(V23, V12, V13, V14, V15)
	ADD     $128, R4, R4
	SUBS    $1, R1, R1
	BNE     step
	VST1    [V0.S4, V1.S4, V2.S4, V3.S4], (R5)
	ADD     R6, R5, R5
	VST1    [V4.S4, V5.S4, V6.S4, V7.S4], (R5)
	ADD     R6, R5, R5
	VST1    [V8.S4, V9.S4, V10.S4, V11.S4], (R5)
	ADD     R6, R5, R5
	VST1    [V12.S4, V13.S4, V14.S4, V15.S4], (R5)
	ADD     R6, R5, R5
	ADD     R3<<2, R2, R2
	SUBS    $4, R0, R0
	BNE     block
	ADD     $64, R15, R15
	CMP     $128, R15
	BLT     half
	RET

// func widenNEON(n int, dst *float32, src *int8)
// The words are instructions that Go's assembler does not know.
TEXT ·widenNEON(SB), NOSPLIT, $0-24
	MOVD n+0(FP), R2
	MOVD dst+8(FP), R0
	MOVD src+16(FP), R1

loop:
	VLD1.P 16(R1), [V0.B16]
	WORD   $0x0f08a401 // SXTL  V1.8H, V0.8B
	WORD   $0x4f08a402 // SXTL2 V2.8H, V0.16B
	WORD   $0x0f10a423 // SXTL  V3.4S, V1.4H
	WORD   $0x4f10a424 // SXTL2 V4.4S, V1.8H
	WORD   $0x0f10a445 // SXTL  V5.4S, V2.4H
	WORD   $0x4f10a446 // SXTL2 V6.4S, V2.8H
	WORD   $0x4e21d863 // SCVTF V3.4S, V3.4S
	WORD   $0x4e21d884 // SCVTF V4.4S, V4.4S
	WORD   $0x4e21d8a5 // SCVTF V5.4S, V5.4S
	WORD   $0x4e21d8c6 // SCVTF V6.4S, V6.4S
	VST1.P [V3.S4, V4.S4, V5.S4, V6.S4], 64(R0)
	SUBS   $16, R2, R2
	BNE    loop
	RET
