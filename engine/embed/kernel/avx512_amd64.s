#include "textflag.h"
#include "avx512_amd64.h"

// One row of a block: the broadcast number times 32 weights.
#define ROW(AT, T, LO, HI) \
	VBROADCASTSS AT, T         \
	VFMADD231PS  Z16, T, LO    \
	VFMADD231PS  Z17, T, HI

#define PAIRS(AT, T, LO, HI) \
	VPBROADCASTD AT, T         \
	VPDPWSSD     Z16, T, LO    \
	VPDPWSSD     Z17, T, HI

#define ZERO16 \
	VPXORD Z0, Z0, Z0 \
	VPXORD Z1, Z1, Z1 \
	VPXORD Z2, Z2, Z2 \
	VPXORD Z3, Z3, Z3 \
	VPXORD Z4, Z4, Z4 \
	VPXORD Z5, Z5, Z5 \
	VPXORD Z6, Z6, Z6 \
	VPXORD Z7, Z7, Z7 \
	VPXORD Z8, Z8, Z8 \
	VPXORD Z9, Z9, Z9 \
	VPXORD Z10, Z10, Z10 \
	VPXORD Z11, Z11, Z11 \
	VPXORD Z12, Z12, Z12 \
	VPXORD Z13, Z13, Z13 \
	VPXORD Z14, Z14, Z14 \
	VPXORD Z15, Z15, Z15

#define PUT(LO, HI) \
	VMOVUPS LO, (DI)   \
	VMOVUPS HI, 64(DI) \
	ADDQ    R10, DI

// func mulAVX512(rows, k int, a *float32, lda int, panel *float32, c *float32, ldc int)
// Blocks of 8 rows × 32 columns: 16 sums in flight hide the latency of 4 × 2.
TEXT ·mulAVX512(SB), NOSPLIT, $0-56
	MOVQ rows+0(FP), R13
	MOVQ a+16(FP), SI
	MOVQ lda+24(FP), DX
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R8
	MOVQ c+40(FP), DI
	MOVQ ldc+48(FP), R10
	SHLQ $2, R10

block:
	MOVQ k+8(FP), CX
	MOVQ panel+32(FP), BX
	MOVQ SI, R11
	LEAQ (SI)(DX*4), R12
	ZERO16

step:
	VMOVUPS (BX), Z16
	VMOVUPS 64(BX), Z17
	ROW((R11), Z18, Z0, Z1)
	ROW((R11)(DX*1), Z19, Z2, Z3)
	ROW((R11)(DX*2), Z20, Z4, Z5)
	ROW((R11)(R8*1), Z21, Z6, Z7)
	ROW((R12), Z22, Z8, Z9)
	ROW((R12)(DX*1), Z23, Z10, Z11)
	ROW((R12)(DX*2), Z24, Z12, Z13)
	ROW((R12)(R8*1), Z25, Z14, Z15)
	ADDQ $128, BX
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ CX
	JNZ  step
	PUT(Z0, Z1)
	PUT(Z2, Z3)
	PUT(Z4, Z5)
	PUT(Z6, Z7)
	PUT(Z8, Z9)
	PUT(Z10, Z11)
	PUT(Z12, Z13)
	PUT(Z14, Z15)
	LEAQ (SI)(DX*8), SI
	SUBQ $8, R13
	JNZ  block
	VZEROUPPER
	RET

#define PUTSCALED(AT, LO, HI) \
	VBROADCASTSS AT, Z18      \
	VCVTDQ2PS LO, LO          \
	VCVTDQ2PS HI, HI          \
	VMULPS Z18, LO, LO        \
	VMULPS Z18, HI, HI        \
	VMOVUPS LO, (DI)          \
	VMOVUPS HI, 64(DI)        \
	ADDQ $128, DI

// func mulVNNI(rows, k int, a *int16, steps *float32, panel *int16, c *float32)
TEXT ·mulVNNI(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), R13
	MOVQ k+8(FP), DX
	SHLQ $1, DX
	LEAQ (DX)(DX*2), R8
	MOVQ a+16(FP), SI
	MOVQ steps+24(FP), AX
	MOVQ c+40(FP), DI

block:
	MOVQ k+8(FP), CX
	SHRQ $1, CX
	MOVQ panel+32(FP), BX
	MOVQ SI, R11
	LEAQ (SI)(DX*4), R12
	ZERO16

step:
	VMOVDQU32 (BX), Z16
	VMOVDQU32 64(BX), Z17
	PAIRS((R11), Z18, Z0, Z1)
	PAIRS((R11)(DX*1), Z19, Z2, Z3)
	PAIRS((R11)(DX*2), Z20, Z4, Z5)
	PAIRS((R11)(R8*1), Z21, Z6, Z7)
	PAIRS((R12), Z22, Z8, Z9)
	PAIRS((R12)(DX*1), Z23, Z10, Z11)
	PAIRS((R12)(DX*2), Z24, Z12, Z13)
	PAIRS((R12)(R8*1), Z25, Z14, Z15)
	ADDQ $128, BX
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ CX
	JNZ  step
	PUTSCALED((AX), Z0, Z1)
	PUTSCALED(4(AX), Z2, Z3)
	PUTSCALED(8(AX), Z4, Z5)
	PUTSCALED(12(AX), Z6, Z7)
	PUTSCALED(16(AX), Z8, Z9)
	PUTSCALED(20(AX), Z10, Z11)
	PUTSCALED(24(AX), Z12, Z13)
	PUTSCALED(28(AX), Z14, Z15)
	ADDQ $32, AX
	LEAQ (SI)(DX*8), SI
	SUBQ $8, R13
	JNZ  block
	VZEROUPPER
	RET

// func widenAVX512(n int, dst *float32, src *int8)
TEXT ·widenAVX512(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI

loop:
	PREFETCHT0 4096(SI)
	VPMOVSXBD  (SI), Z0
	VPMOVSXBD  16(SI), Z1
	VPMOVSXBD  32(SI), Z2
	VPMOVSXBD  48(SI), Z3
	VCVTDQ2PS  Z0, Z0
	VCVTDQ2PS  Z1, Z1
	VCVTDQ2PS  Z2, Z2
	VCVTDQ2PS  Z3, Z3
	VMOVUPS    Z0, (DI)
	VMOVUPS    Z1, 64(DI)
	VMOVUPS    Z2, 128(DI)
	VMOVUPS    Z3, 192(DI)
	ADDQ       $64, SI
	ADDQ       $256, DI
	SUBQ       $64, CX
	JNZ        loop
	VZEROUPPER
	RET

// func widenWhole(n int, dst *int16, src *int8)
TEXT ·widenWhole(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI

loop:
	PREFETCHT0 4096(SI)
	VPMOVSXBW  (SI), Z0
	VPMOVSXBW  32(SI), Z1
	VMOVDQU32  Z0, (DI)
	VMOVDQU32  Z1, 64(DI)
	ADDQ       $64, SI
	ADDQ       $128, DI
	SUBQ       $64, CX
	JNZ        loop
	VZEROUPPER
	RET

// func quantizeAVX512(rows, width int, limit float32, x *float32, ldx int, codes *int16, steps *float32)
TEXT ·quantizeAVX512(SB), NOSPLIT, $0-56
	MOVQ         rows+0(FP), R13
	MOVQ         x+24(FP), SI
	MOVQ         ldx+32(FP), DX
	SHLQ         $2, DX
	MOVQ         codes+40(FP), DI
	MOVQ         steps+48(FP), R9
	VBROADCASTSS limit+16(FP), Z16
	VBROADCASTSS ·constants+96(SB), Z17
	VBROADCASTSS ·constants+100(SB), Z18

row:
	MOVQ    SI, BX
	MOVQ    width+8(FP), CX
	VMOVAPS Z17, Z1
	VMOVAPS Z17, Z2

most:
	VPANDD (BX), Z18, Z3
	VPANDD 64(BX), Z18, Z4
	VMAXPS Z3, Z1, Z1
	VMAXPS Z4, Z2, Z2
	ADDQ   $128, BX
	SUBQ   $32, CX
	JNZ    most
	VMAXPS Z2, Z1, Z1
	FOLD(VMAXPS, Z1, Y1, X1, Y2, X2)
	VDIVPS Z16, Z1, Z2
	VMOVSS X2, (R9)
	ADDQ   $4, R9
	VDIVPS Z1, Z16, Z2
	MOVQ   SI, BX
	MOVQ   width+8(FP), CX

code:
	VMULPS    (BX), Z2, Z3
	VMULPS    64(BX), Z2, Z4
	VCVTPS2DQ Z3, Z3
	VCVTPS2DQ Z4, Z4
	VPMOVSDW  Z3, (DI)
	VPMOVSDW  Z4, 32(DI)
	ADDQ      $128, BX
	ADDQ      $64, DI
	SUBQ      $32, CX
	JNZ       code
	ADDQ      DX, SI
	DECQ      R13
	JNZ       row
	VZEROUPPER
	RET

// func storeAVX512(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·storeAVX512(SB), NOSPLIT, $0-48
	FINISHARGS

row:
	SCALED
	NEXTROW
	JNZ row
	VZEROUPPER
	RET

// func addAVX512(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·addAVX512(SB), NOSPLIT, $0-48
	FINISHARGS

row:
	SCALED
	VADDPS (DI), Z0, Z0
	VADDPS 64(DI), Z1, Z1
	NEXTROW
	JNZ    row
	VZEROUPPER
	RET

// func geluAVX512(rows int, c, scale, bias, out *float32, ldo int)
TEXT ·geluAVX512(SB), NOSPLIT, $0-48
	FINISHARGS
	LOADGELU

row:
	SCALED
	GELU(Z0, Z2, Z3, Z4)
	GELU(Z1, Z5, Z6, Z7)
	NEXTROW
	JNZ row
	VZEROUPPER
	RET

// func normAVX512(rows, width int, x, gain, bias *float32)
TEXT ·normAVX512(SB), NOSPLIT, $0-40
	MOVQ         rows+0(FP), R13
	MOVQ         width+8(FP), R12
	MOVQ         x+16(FP), SI
	MOVQ         gain+24(FP), R8
	MOVQ         bias+32(FP), R9
	VCVTSI2SSQ   R12, X16, X16
	VBROADCASTSS X16, Z16
	VBROADCASTSS ·constants+32(SB), Z17
	VBROADCASTSS ·constants+92(SB), Z18

row:
	MOVQ   SI, BX
	MOVQ   R12, CX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

sum:
	VMOVUPS     (BX), Z4
	VMOVUPS     64(BX), Z5
	VADDPS      Z4, Z0, Z0
	VADDPS      Z5, Z1, Z1
	VFMADD231PS Z4, Z4, Z2
	VFMADD231PS Z5, Z5, Z3
	ADDQ        $128, BX
	SUBQ        $32, CX
	JNZ         sum
	VADDPS      Z1, Z0, Z0
	VADDPS      Z3, Z2, Z2
	FOLD(VADDPS, Z0, Y0, X0, Y4, X4)
	FOLD(VADDPS, Z2, Y2, X2, Y5, X5)
	VDIVPS      Z16, Z0, Z0
	VDIVPS      Z16, Z2, Z2
	VFNMADD231PS Z0, Z0, Z2
	VMAXPS      Z18, Z2, Z2
	VSQRTPS     Z2, Z2
	VDIVPS      Z2, Z17, Z2
	XORQ        CX, CX

write:
	VMOVUPS     (SI)(CX*4), Z4
	VMOVUPS     64(SI)(CX*4), Z5
	VSUBPS      Z0, Z4, Z4
	VSUBPS      Z0, Z5, Z5
	VMULPS      Z2, Z4, Z4
	VMULPS      Z2, Z5, Z5
	VMOVUPS     (R8)(CX*4), Z6
	VMOVUPS     64(R8)(CX*4), Z7
	VFMADD213PS (R9)(CX*4), Z6, Z4
	VFMADD213PS 64(R9)(CX*4), Z7, Z5
	VMOVUPS     Z4, (SI)(CX*4)
	VMOVUPS     Z5, 64(SI)(CX*4)
	ADDQ        $32, CX
	CMPQ        CX, R12
	JLT         write
	LEAQ        (SI)(R12*4), SI
	DECQ        R13
	JNZ         row
	VZEROUPPER
	RET

// func softmaxAVX512(rows, n int, s *float32, lds int)
TEXT ·softmaxAVX512(SB), NOSPLIT, $0-32
	MOVQ rows+0(FP), R13
	MOVQ n+8(FP), R12
	MOVQ s+16(FP), SI
	MOVQ lds+24(FP), DX
	SHLQ $2, DX
	MOVQ R12, R8
	SHRQ $4, R8
	TAILMASK(R12)
	ADDQ $15, R12
	SHRQ $4, R12
	LOADEXP

row:
	EXPROW(maxl, maxt, expl, expt, padl, endl)
	MOVQ SI, BX
	MOVQ R12, AX

scale:
	VMULPS  (BX), Z4, Z0
	VMOVUPS Z0, (BX)
	ADDQ    $64, BX
	DECQ    AX
	JNZ     scale
	ADDQ    DX, SI
	DECQ    R13
	JNZ     row
	VZEROUPPER
	RET
