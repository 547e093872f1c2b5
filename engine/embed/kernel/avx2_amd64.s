#include "textflag.h"

// The three finishes share their arguments and their registers. They walk the
// panel in four columns of eight: CX rows each, AX is the column in bytes.
#define FINISHARGS \
	MOVQ ldo+40(FP), DX \
	SHLQ $2, DX         \
	XORQ AX, AX

#define COLUMN \
	MOVQ    rows+0(FP), CX        \
	MOVQ    c+8(FP), SI           \
	MOVQ    scale+16(FP), R8      \
	MOVQ    bias+24(FP), R9       \
	MOVQ    out+32(FP), DI        \
	ADDQ    AX, SI                \
	ADDQ    AX, DI                \
	VMOVUPS (R8)(AX*1), Y14       \
	VMOVUPS (R9)(AX*1), Y15

#define SCALED \
	VMOVUPS     (SI), Y0      \
	VFMADD213PS Y15, Y14, Y0

#define NEXTROW \
	VMOVUPS Y0, (DI)   \
	ADDQ    $128, SI   \
	ADDQ    DX, DI     \
	DECQ    CX

#define NEXTCOLUMN \
	ADDQ $32, AX  \
	CMPQ AX, $128

// One row of a block: the broadcast number times 16 weights.
#define ROW(AT, T, LO, HI) \
	VBROADCASTSS AT, T         \
	VFMADD231PS  Y12, T, LO    \
	VFMADD231PS  Y13, T, HI

#define PUT(LO, HI) \
	VMOVUPS LO, (DI)   \
	VMOVUPS HI, 32(DI) \
	ADDQ    R10, DI

// func mulAVX2(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)
// Blocks of 6 rows × 16 columns; the left half of the panel for every row, then
// the right half, so that the half (K = 384: 24 KB of lines) stays near.
TEXT ·mulAVX2(SB), NOSPLIT, $0-56
	MOVQ lda+24(FP), DX
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R8
	MOVQ ldc+48(FP), R10
	SHLQ $2, R10
	XORQ R9, R9

half:
	MOVQ rows+0(FP), R13
	MOVQ a+16(FP), SI
	MOVQ c+40(FP), DI
	ADDQ R9, DI

block:
	MOVQ   k+8(FP), CX
	MOVQ   panel+32(FP), BX
	ADDQ   R9, BX
	MOVQ   SI, R11
	LEAQ   (SI)(R8*1), R12
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11

step:
	VMOVUPS (BX), Y12
	VMOVUPS 32(BX), Y13
	ROW((R11), Y14, Y0, Y1)
	ROW((R11)(DX*1), Y15, Y2, Y3)
	ROW((R11)(DX*2), Y14, Y4, Y5)
	ROW((R12), Y15, Y6, Y7)
	ROW((R12)(DX*1), Y14, Y8, Y9)
	ROW((R12)(DX*2), Y15, Y10, Y11)
	ADDQ $128, BX
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ CX
	JNZ  step
	PUT(Y0, Y1)
	PUT(Y2, Y3)
	PUT(Y4, Y5)
	PUT(Y6, Y7)
	PUT(Y8, Y9)
	PUT(Y10, Y11)
	LEAQ (SI)(R8*2), SI
	SUBQ $6, R13
	JNZ  block
	ADDQ $64, R9
	CMPQ R9, $128
	JLT  half
	VZEROUPPER
	RET

// func widenAVX2(n int, dst *float32, src *int8)
TEXT ·widenAVX2(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI

loop:
	PREFETCHT0 4096(SI)
	VPMOVSXBD  (SI), Y0
	VPMOVSXBD  8(SI), Y1
	VPMOVSXBD  16(SI), Y2
	VPMOVSXBD  24(SI), Y3
	VCVTDQ2PS  Y0, Y0
	VCVTDQ2PS  Y1, Y1
	VCVTDQ2PS  Y2, Y2
	VCVTDQ2PS  Y3, Y3
	VMOVUPS    Y0, (DI)
	VMOVUPS    Y1, 32(DI)
	VMOVUPS    Y2, 64(DI)
	VMOVUPS    Y3, 96(DI)
	ADDQ       $32, SI
	ADDQ       $128, DI
	SUBQ       $32, CX
	JNZ        loop
	VZEROUPPER
	RET

// func storeAVX2(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·storeAVX2(SB), NOSPLIT, $0-48
	FINISHARGS

column:
	COLUMN

row:
	SCALED
	NEXTROW
	JNZ row
	NEXTCOLUMN
	JLT column
	VZEROUPPER
	RET

// func addAVX2(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·addAVX2(SB), NOSPLIT, $0-48
	FINISHARGS

column:
	COLUMN

row:
	SCALED
	VADDPS (DI), Y0, Y0
	NEXTROW
	JNZ    row
	NEXTCOLUMN
	JLT    column
	VZEROUPPER
	RET

// func geluAVX2(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·geluAVX2(SB), NOSPLIT, $0-48
	FINISHARGS
	VBROADCASTSS ·constants+60(SB), Y4
	VBROADCASTSS ·constants+64(SB), Y5
	VBROADCASTSS ·constants+68(SB), Y6
	VBROADCASTSS ·constants+72(SB), Y7
	VBROADCASTSS ·constants+76(SB), Y8
	VBROADCASTSS ·constants+80(SB), Y9
	VBROADCASTSS ·constants+84(SB), Y10
	VBROADCASTSS ·constants+88(SB), Y11
	VBROADCASTSS ·constants+44(SB), Y12
	VBROADCASTSS ·constants+48(SB), Y13

column:
	COLUMN

row:
	SCALED
	VMAXPS       Y12, Y0, Y1
	VMINPS       Y13, Y1, Y1
	VMULPS       Y1, Y1, Y2
	VBROADCASTSS ·constants+56(SB), Y3
	VFMADD213PS  Y4, Y2, Y3
	VFMADD213PS  Y5, Y2, Y3
	VFMADD213PS  Y6, Y2, Y3
	VFMADD213PS  Y7, Y2, Y3
	VFMADD213PS  Y8, Y2, Y3
	VFMADD213PS  Y9, Y2, Y3
	VFMADD213PS  Y10, Y2, Y3
	VFMADD213PS  Y11, Y2, Y3
	VBROADCASTSS ·constants+52(SB), Y2
	VFMADD213PS  Y2, Y1, Y3
	VMULPS       Y3, Y0, Y0
	NEXTROW
	JNZ          row
	NEXTCOLUMN
	JLT          column
	VZEROUPPER
	RET

// FOLD: the lanes of YA (whose low part is XA) joined by OP, in every lane.
#define FOLD(OP, YA, XA, XB) \
	VEXTRACTF128 $1, YA, XB      \
	OP           XB, XA, XA      \
	VPERMILPS    $0x4e, XA, XB   \
	OP           XB, XA, XA      \
	VPERMILPS    $0xb1, XA, XB   \
	OP           XB, XA, XA      \
	VBROADCASTSS XA, YA

// func normAVX2(rows, width int, x, gain, bias *float32)
TEXT ·normAVX2(SB), NOSPLIT, $0-40
	MOVQ         rows+0(FP), R13
	MOVQ         width+8(FP), R12
	MOVQ         x+16(FP), SI
	MOVQ         gain+24(FP), R8
	MOVQ         bias+32(FP), R9
	VXORPS       X13, X13, X13
	VCVTSI2SSQ   R12, X13, X13
	VBROADCASTSS X13, Y13
	VBROADCASTSS ·constants+32(SB), Y14
	VBROADCASTSS ·constants+92(SB), Y15

row:
	MOVQ   SI, BX
	MOVQ   R12, CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

sum:
	VMOVUPS      (BX), Y4
	VMOVUPS      32(BX), Y5
	VADDPS       Y4, Y0, Y0
	VADDPS       Y5, Y1, Y1
	VFMADD231PS  Y4, Y4, Y2
	VFMADD231PS  Y5, Y5, Y3
	ADDQ         $64, BX
	SUBQ         $16, CX
	JNZ          sum
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	FOLD(VADDPS, Y0, X0, X4)
	FOLD(VADDPS, Y2, X2, X5)
	VDIVPS       Y13, Y0, Y0
	VDIVPS       Y13, Y2, Y2
	VFNMADD231PS Y0, Y0, Y2
	VMAXPS       Y15, Y2, Y2
	VSQRTPS      Y2, Y2
	VDIVPS       Y2, Y14, Y2
	XORQ         CX, CX

write:
	VMOVUPS     (SI)(CX*4), Y4
	VMOVUPS     32(SI)(CX*4), Y5
	VSUBPS      Y0, Y4, Y4
	VSUBPS      Y0, Y5, Y5
	VMULPS      Y2, Y4, Y4
	VMULPS      Y2, Y5, Y5
	VMOVUPS     (R8)(CX*4), Y6
	VMOVUPS     32(R8)(CX*4), Y7
	VFMADD213PS (R9)(CX*4), Y6, Y4
	VFMADD213PS 32(R9)(CX*4), Y7, Y5
	VMOVUPS     Y4, (SI)(CX*4)
	VMOVUPS     Y5, 32(SI)(CX*4)
	ADDQ        $16, CX
	CMPQ        CX, R12
	JLT         write
	LEAQ        (SI)(R12*4), SI
	DECQ        R13
	JNZ         row
	VZEROUPPER
	RET

// EXP: Y0 = e^Y0 for Y0 <= 0; Y1 and Y2 are spent. Y8..Y13 hold constants.
#define EXP \
	VMAXPS       Y8, Y0, Y0       \
	VMULPS       Y9, Y0, Y1       \
	VROUNDPS     $0, Y1, Y1       \
	VFNMADD231PS Y10, Y1, Y0      \
	VFNMADD231PS Y11, Y1, Y0      \
	VBROADCASTSS ·constants+12(SB), Y2 \
	VBROADCASTSS ·constants+16(SB), Y5 \
	VFMADD213PS  Y5, Y0, Y2       \
	VBROADCASTSS ·constants+20(SB), Y5 \
	VFMADD213PS  Y5, Y0, Y2       \
	VBROADCASTSS ·constants+24(SB), Y5 \
	VFMADD213PS  Y5, Y0, Y2       \
	VBROADCASTSS ·constants+28(SB), Y5 \
	VFMADD213PS  Y5, Y0, Y2       \
	VFMADD213PS  Y12, Y0, Y2      \
	VFMADD213PS  Y12, Y0, Y2      \
	VCVTPS2DQ    Y1, Y1           \
	VPADDD       Y13, Y1, Y1      \
	VPSLLD       $23, Y1, Y1      \
	VMULPS       Y1, Y2, Y0

// func softmaxAVX2(rows, n int, s *float32, lds int)
// Y14 is the mask of the lanes in the last vector of a row.
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-32
	MOVQ         rows+0(FP), R13
	MOVQ         n+8(FP), R12
	MOVQ         s+16(FP), SI
	MOVQ         lds+24(FP), DX
	SHLQ         $2, DX
	MOVQ         R12, R8
	DECQ         R8
	SHRQ         $3, R8
	LEAQ         (R8*8), AX
	SUBQ         R12, AX
	LEAQ         ·constants+148(SB), BX
	VMOVUPS      (BX)(AX*4), Y14
	ADDQ         $31, R12
	SHRQ         $5, R12
	VBROADCASTSS ·constants+40(SB), Y8
	VBROADCASTSS ·constants+0(SB), Y9
	VBROADCASTSS ·constants+4(SB), Y10
	VBROADCASTSS ·constants+8(SB), Y11
	VBROADCASTSS ·constants+32(SB), Y12
	VBROADCASTSS ·constants+108(SB), Y13

row:
	// R8 whole vectors, then one of 1 to 8 lanes.
	VBROADCASTSS ·constants+104(SB), Y3
	MOVQ         SI, BX
	MOVQ         R8, AX
	TESTQ        AX, AX
	JZ           mosttail

most:
	VMAXPS (BX), Y3, Y3
	ADDQ   $32, BX
	DECQ   AX
	JNZ    most

mosttail:
	VBROADCASTSS ·constants+104(SB), Y0
	VBLENDVPS    Y14, (BX), Y0, Y0
	VMAXPS       Y0, Y3, Y3
	FOLD(VMAXPS, Y3, X3, X0)
	VXORPS       Y4, Y4, Y4
	MOVQ         SI, BX
	MOVQ         R8, AX
	TESTQ        AX, AX
	JZ           exptail

exp:
	VMOVUPS (BX), Y0
	VSUBPS  Y3, Y0, Y0
	EXP
	VADDPS  Y0, Y4, Y4
	VMOVUPS Y0, (BX)
	ADDQ    $32, BX
	DECQ    AX
	JNZ     exp

exptail:
	VMASKMOVPS (BX), Y14, Y0
	VSUBPS     Y3, Y0, Y0
	EXP
	VANDPS     Y14, Y0, Y0
	VADDPS     Y0, Y4, Y4
	VMOVUPS    Y0, (BX)
	ADDQ       $32, BX
	VXORPS     Y0, Y0, Y0
	MOVQ       R12, AX
	SHLQ       $7, AX
	ADDQ       SI, AX

pad:
	CMPQ    BX, AX
	JGE     padded
	VMOVUPS Y0, (BX)
	ADDQ    $32, BX
	JMP     pad

padded:
	FOLD(VADDPS, Y4, X4, X0)
	VDIVPS Y4, Y12, Y4
	MOVQ   SI, BX

scale:
	VMULPS  (BX), Y4, Y0
	VMULPS  32(BX), Y4, Y1
	VMOVUPS Y0, (BX)
	VMOVUPS Y1, 32(BX)
	ADDQ    $64, BX
	CMPQ    BX, AX
	JLT     scale
	ADDQ    DX, SI
	DECQ    R13
	JNZ     row
	VZEROUPPER
	RET
