#include "textflag.h"
#include "avx512_amd64.h"

// Go's assembler knows neither AMX nor AVX512_BF16; these are their encodings.
#define LDTILECFG_AX     BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0x00
#define TILERELEASE      BYTE $0xc4; BYTE $0xe2; BYTE $0x78; BYTE $0x49; BYTE $0xc0
#define TILEZERO0        BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x49; BYTE $0xc0
#define TILEZERO1        BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x49; BYTE $0xc8
#define TILEZERO2        BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x49; BYTE $0xd0
#define TILEZERO3        BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x49; BYTE $0xd8
// tile 4 from (SI) and tile 5 from (R11), rows DX apart
#define LOADROWS4        BYTE $0xc4; BYTE $0xe2; BYTE $0x7b; BYTE $0x4b; BYTE $0x24; BYTE $0x16
#define LOADROWS5        BYTE $0xc4; BYTE $0xc2; BYTE $0x7b; BYTE $0x4b; BYTE $0x2c; BYTE $0x13
// tiles 6 and 7 from (R8) and 1024(R8), rows R9 apart
#define LOADWEIGHTS6     BYTE $0xc4; BYTE $0x82; BYTE $0x7b; BYTE $0x4b; BYTE $0x34; BYTE $0x08
#define LOADWEIGHTS7     BYTE $0xc4; BYTE $0x82; BYTE $0x7b; BYTE $0x4b; BYTE $0xbc; BYTE $0x08; BYTE $0x00; BYTE $0x04; BYTE $0x00; BYTE $0x00
// tile sum += tile a · tile b, in bf16 pairs
#define DOT0_4_6         BYTE $0xc4; BYTE $0xe2; BYTE $0x4a; BYTE $0x5c; BYTE $0xc4
#define DOT1_4_7         BYTE $0xc4; BYTE $0xe2; BYTE $0x42; BYTE $0x5c; BYTE $0xcc
#define DOT2_5_6         BYTE $0xc4; BYTE $0xe2; BYTE $0x4a; BYTE $0x5c; BYTE $0xd5
#define DOT3_5_7         BYTE $0xc4; BYTE $0xe2; BYTE $0x42; BYTE $0x5c; BYTE $0xdd
// sums to (DI), 64(DI), (R12), 64(R12), rows R10 apart
#define STORE0           BYTE $0xc4; BYTE $0xa2; BYTE $0x7a; BYTE $0x4b; BYTE $0x04; BYTE $0x17
#define STORE1           BYTE $0xc4; BYTE $0xa2; BYTE $0x7a; BYTE $0x4b; BYTE $0x4c; BYTE $0x17; BYTE $0x40
#define STORE2           BYTE $0xc4; BYTE $0x82; BYTE $0x7a; BYTE $0x4b; BYTE $0x14; BYTE $0x14
#define STORE3           BYTE $0xc4; BYTE $0x82; BYTE $0x7a; BYTE $0x4b; BYTE $0x5c; BYTE $0x14; BYTE $0x40
// Z0 = 32 bf16 of the floats in Z0 and Z1; Z4 = those of Z4 and Z5
#define HALVES0          BYTE $0x62; BYTE $0xf2; BYTE $0x77; BYTE $0x48; BYTE $0x72; BYTE $0xc0
#define HALVES4          BYTE $0x62; BYTE $0xf2; BYTE $0x57; BYTE $0x48; BYTE $0x72; BYTE $0xe4

// AHEAD: fetch the weights of four steps on. A short text is bound by how fast
// the weights stream, and hardware prefetch stops at a page. Every second line is
// enough, since lines come in pairs: with 16 rows the best of five runs was 23.1
// GB/s against 21.1 with every line; the runs themselves spread by a third.
#define AHEAD \
	PREFETCHT0 8192(R8) \
	PREFETCHT0 8320(R8) \
	PREFETCHT0 8448(R8) \
	PREFETCHT0 8576(R8) \
	PREFETCHT0 8704(R8) \
	PREFETCHT0 8832(R8) \
	PREFETCHT0 8960(R8) \
	PREFETCHT0 9088(R8) \
	PREFETCHT0 9216(R8) \
	PREFETCHT0 9344(R8) \
	PREFETCHT0 9472(R8) \
	PREFETCHT0 9600(R8) \
	PREFETCHT0 9728(R8) \
	PREFETCHT0 9856(R8) \
	PREFETCHT0 9984(R8) \
	PREFETCHT0 10112(R8)

// ROWAT: DI = out + (R9/16)·DX + (R9 mod 16)·64, and R9 moves to the next row.
#define ROWAT \
	MOVQ  R9, AX    \
	SHRQ  $4, AX    \
	IMULQ DX, AX    \
	MOVQ  R9, DI    \
	ANDQ  $15, DI   \
	SHLQ  $6, DI    \
	ADDQ  AX, DI    \
	ADDQ  R8, DI    \
	INCQ  R9

// func amxMul(a, b, c unsafe.Pointer, rowStride, blockStride, stepStride, ldc uintptr, blocks, panels, steps int, cfg *tileConfig)
// For each panel of 32 columns: pairs of 16-row blocks, then a single one if
// their count is odd. Strides are in bytes.
TEXT ·amxMul(SB), NOSPLIT, $8-88
	MOVQ cfg+80(FP), AX
	LDTILECFG_AX
	MOVQ rowStride+24(FP), DX
	MOVQ b+8(FP), R13
	MOVQ ldc+48(FP), R10
	MOVQ $64, R9
	MOVQ panels+64(FP), BX

nextpanel:
	MOVQ a+0(FP), SI
	MOVQ c+16(FP), DI
	MOVQ blocks+56(FP), CX
	CMPQ CX, $2
	JLT  single

	// The first pair fetches the panel after this one while it reads.
	MOVQ SI, base-8(SP)
	MOVQ SI, R11
	ADDQ blockStride+32(FP), R11
	MOVQ R13, R8
	MOVQ steps+72(FP), AX
	TILEZERO0
	TILEZERO1
	TILEZERO2
	TILEZERO3

first:
	AHEAD
	LOADROWS4
	LOADWEIGHTS6
	DOT0_4_6
	LOADWEIGHTS7
	DOT1_4_7
	LOADROWS5
	DOT2_5_6
	DOT3_5_7
	ADDQ stepStride+40(FP), SI
	ADDQ stepStride+40(FP), R11
	ADDQ $2048, R8
	DECQ AX
	JNZ  first
	JMP  pairdone

pair:
	MOVQ SI, base-8(SP)
	MOVQ SI, R11
	ADDQ blockStride+32(FP), R11
	MOVQ R13, R8
	MOVQ steps+72(FP), AX
	TILEZERO0
	TILEZERO1
	TILEZERO2
	TILEZERO3

step:
	LOADROWS4
	LOADWEIGHTS6
	DOT0_4_6
	LOADWEIGHTS7
	DOT1_4_7
	LOADROWS5
	DOT2_5_6
	DOT3_5_7
	ADDQ stepStride+40(FP), SI
	ADDQ stepStride+40(FP), R11
	ADDQ $2048, R8
	DECQ AX
	JNZ  step

pairdone:
	MOVQ R10, R12
	SHLQ $4, R12
	ADDQ DI, R12
	STORE0
	STORE1
	STORE2
	STORE3
	MOVQ R10, R12
	SHLQ $5, R12
	ADDQ R12, DI
	MOVQ base-8(SP), SI
	ADDQ blockStride+32(FP), SI
	ADDQ blockStride+32(FP), SI
	SUBQ $2, CX
	CMPQ CX, $2
	JGE  pair

single:
	TESTQ CX, CX
	JZ    paneldone
	MOVQ  R13, R8
	MOVQ  steps+72(FP), AX
	TILEZERO0
	TILEZERO1

singlestep:
	AHEAD
	LOADROWS4
	LOADWEIGHTS6
	DOT0_4_6
	LOADWEIGHTS7
	DOT1_4_7
	ADDQ stepStride+40(FP), SI
	ADDQ $2048, R8
	DECQ AX
	JNZ  singlestep
	STORE0
	STORE1

paneldone:
	MOVQ steps+72(FP), AX
	SHLQ $11, AX
	ADDQ AX, R13
	ADDQ $128, c+16(FP)
	DECQ BX
	JNZ  nextpanel
	TILERELEASE
	RET

// func storeTiles(rows, first int, c, scale, bias *float32, out *uint16, blockStride int)
TEXT ·storeTiles(SB), NOSPLIT, $0-56
	MOVQ    rows+0(FP), CX
	MOVQ    first+8(FP), R9
	MOVQ    c+16(FP), SI
	MOVQ    scale+24(FP), AX
	MOVQ    bias+32(FP), BX
	MOVQ    out+40(FP), R8
	MOVQ    blockStride+48(FP), DX
	VMOVUPS (AX), Z12
	VMOVUPS 64(AX), Z13
	VMOVUPS (BX), Z14
	VMOVUPS 64(BX), Z15

row:
	SCALED
	ROWAT
	HALVES0
	VMOVUPS Z0, (DI)
	ADDQ    $128, SI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET

// func geluTiles(rows, first int, c, scale, bias *float32, out *uint16, blockStride int)
TEXT ·geluTiles(SB), NOSPLIT, $0-56
	MOVQ    rows+0(FP), CX
	MOVQ    first+8(FP), R9
	MOVQ    c+16(FP), SI
	MOVQ    scale+24(FP), AX
	MOVQ    bias+32(FP), BX
	MOVQ    out+40(FP), R8
	MOVQ    blockStride+48(FP), DX
	VMOVUPS (AX), Z12
	VMOVUPS 64(AX), Z13
	VMOVUPS (BX), Z14
	VMOVUPS 64(BX), Z15
	LOADGELU

row:
	SCALED
	GELU(Z0, Z2, Z3, Z4)
	GELU(Z1, Z5, Z6, Z7)
	ROWAT
	HALVES0
	VMOVUPS Z0, (DI)
	ADDQ    $128, SI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET

// func normTiles(rows, width int, x, gain, bias *float32, out *uint16)
// normAVX512 that also writes the rows as bf16 tiles.
TEXT ·normTiles(SB), NOSPLIT, $0-48
	MOVQ         rows+0(FP), R13
	MOVQ         width+8(FP), R12
	MOVQ         x+16(FP), SI
	MOVQ         gain+24(FP), R10
	MOVQ         bias+32(FP), R11
	MOVQ         out+40(FP), R8
	MOVQ         R12, DX
	SHLQ         $5, DX
	XORQ         R9, R9
	VPXORD       X16, X16, X16
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
	VMOVUPS      (BX), Z4
	VMOVUPS      64(BX), Z5
	VADDPS       Z4, Z0, Z0
	VADDPS       Z5, Z1, Z1
	VFMADD231PS  Z4, Z4, Z2
	VFMADD231PS  Z5, Z5, Z3
	ADDQ         $128, BX
	SUBQ         $32, CX
	JNZ          sum
	VADDPS       Z1, Z0, Z0
	VADDPS       Z3, Z2, Z2
	FOLD(VADDPS, Z0, Y0, X0, Y4, X4)
	FOLD(VADDPS, Z2, Y2, X2, Y5, X5)
	VDIVPS       Z16, Z0, Z0
	VDIVPS       Z16, Z2, Z2
	VFNMADD231PS Z0, Z0, Z2
	VMAXPS       Z18, Z2, Z2
	VSQRTPS      Z2, Z2
	VDIVPS       Z2, Z17, Z2
	ROWAT
	XORQ         CX, CX

write:
	VMOVUPS     (SI)(CX*4), Z4
	VMOVUPS     64(SI)(CX*4), Z5
	VSUBPS      Z0, Z4, Z4
	VSUBPS      Z0, Z5, Z5
	VMULPS      Z2, Z4, Z4
	VMULPS      Z2, Z5, Z5
	VMOVUPS     (R10)(CX*4), Z6
	VMOVUPS     64(R10)(CX*4), Z7
	VFMADD213PS (R11)(CX*4), Z6, Z4
	VFMADD213PS 64(R11)(CX*4), Z7, Z5
	VMOVUPS     Z4, (SI)(CX*4)
	VMOVUPS     Z5, 64(SI)(CX*4)
	HALVES4
	VMOVUPS     Z4, (DI)
	ADDQ        $1024, DI
	ADDQ        $32, CX
	CMPQ        CX, R12
	JLT         write
	LEAQ        (SI)(R12*4), SI
	DECQ        R13
	JNZ         row
	VZEROUPPER
	RET

// func softmaxTiles(rows, n int, s *float32, lds int, p *uint16, ldp int)
// softmaxAVX512 whose result is bf16 rows; the scores are spent.
TEXT ·softmaxTiles(SB), NOSPLIT, $0-48
	MOVQ rows+0(FP), R13
	MOVQ n+8(FP), R12
	MOVQ s+16(FP), SI
	MOVQ lds+24(FP), DX
	SHLQ $2, DX
	MOVQ p+32(FP), R10
	MOVQ ldp+40(FP), R11
	SHLQ $1, R11
	MOVQ R12, R8
	SHRQ $4, R8
	TAILMASK(R12)
	ADDQ $31, R12
	SHRQ $5, R12
	LOADEXP

row:
	EXPROW(maxl, maxt, expl, expt, padl, endl)
	MOVQ SI, BX
	MOVQ R10, DI
	MOVQ R12, AX

scale:
	VMULPS  (BX), Z4, Z0
	VMULPS  64(BX), Z4, Z1
	HALVES0
	VMOVUPS Z0, (DI)
	ADDQ    $128, BX
	ADDQ    $64, DI
	DECQ    AX
	JNZ     scale
	ADDQ    DX, SI
	ADDQ    R11, R10
	DECQ    R13
	JNZ     row
	VZEROUPPER
	RET

// Interleave the words of two rows: columns 0..15 and columns 16..31.
DATA ·pairLow+0(SB)/4, $0x00200000
DATA ·pairLow+4(SB)/4, $0x00210001
DATA ·pairLow+8(SB)/4, $0x00220002
DATA ·pairLow+12(SB)/4, $0x00230003
DATA ·pairLow+16(SB)/4, $0x00240004
DATA ·pairLow+20(SB)/4, $0x00250005
DATA ·pairLow+24(SB)/4, $0x00260006
DATA ·pairLow+28(SB)/4, $0x00270007
DATA ·pairLow+32(SB)/4, $0x00280008
DATA ·pairLow+36(SB)/4, $0x00290009
DATA ·pairLow+40(SB)/4, $0x002a000a
DATA ·pairLow+44(SB)/4, $0x002b000b
DATA ·pairLow+48(SB)/4, $0x002c000c
DATA ·pairLow+52(SB)/4, $0x002d000d
DATA ·pairLow+56(SB)/4, $0x002e000e
DATA ·pairLow+60(SB)/4, $0x002f000f
GLOBL ·pairLow(SB), RODATA|NOPTR, $64
DATA ·pairHigh+0(SB)/4, $0x00300010
DATA ·pairHigh+4(SB)/4, $0x00310011
DATA ·pairHigh+8(SB)/4, $0x00320012
DATA ·pairHigh+12(SB)/4, $0x00330013
DATA ·pairHigh+16(SB)/4, $0x00340014
DATA ·pairHigh+20(SB)/4, $0x00350015
DATA ·pairHigh+24(SB)/4, $0x00360016
DATA ·pairHigh+28(SB)/4, $0x00370017
DATA ·pairHigh+32(SB)/4, $0x00380018
DATA ·pairHigh+36(SB)/4, $0x00390019
DATA ·pairHigh+40(SB)/4, $0x003a001a
DATA ·pairHigh+44(SB)/4, $0x003b001b
DATA ·pairHigh+48(SB)/4, $0x003c001c
DATA ·pairHigh+52(SB)/4, $0x003d001d
DATA ·pairHigh+56(SB)/4, $0x003e001e
DATA ·pairHigh+60(SB)/4, $0x003f001f
GLOBL ·pairHigh(SB), RODATA|NOPTR, $64

// func pairTiles(steps int, v, dst *uint16)
// Rows of 32 values, two and two, as the weight tiles of amxMul: 32 rows a step.
TEXT ·pairTiles(SB), NOSPLIT, $0-24
	MOVQ    steps+0(FP), CX
	MOVQ    v+8(FP), SI
	MOVQ    dst+16(FP), DI
	VMOVUPS ·pairLow(SB), Z2
	VMOVUPS ·pairHigh(SB), Z3

step:
	MOVQ $16, AX

pair:
	VMOVUPS  (SI), Z0
	VMOVUPS  64(SI), Z1
	VMOVAPS  Z0, Z4
	VPERMT2W Z1, Z2, Z0
	VPERMT2W Z1, Z3, Z4
	VMOVUPS  Z0, (DI)
	VMOVUPS  Z4, 1024(DI)
	ADDQ     $128, SI
	ADDQ     $64, DI
	DECQ     AX
	JNZ      pair
	ADDQ     $1024, DI
	DECQ     CX
	JNZ      step
	VZEROUPPER
	RET

// func turnTiles(tiles int, k, dst *uint16)
// 16 rows of 16 pairs become 16 rows of one pair each: a transposition of
// 32-bit words, in four rounds of doubling width.
TEXT ·turnTiles(SB), NOSPLIT, $0-24
	MOVQ tiles+0(FP), CX
	MOVQ k+8(FP), SI
	MOVQ dst+16(FP), DI

tile:
	VMOVUPS (SI), Z0
	VMOVUPS 64(SI), Z1
	VMOVUPS 128(SI), Z2
	VMOVUPS 192(SI), Z3
	VMOVUPS 256(SI), Z4
	VMOVUPS 320(SI), Z5
	VMOVUPS 384(SI), Z6
	VMOVUPS 448(SI), Z7
	VMOVUPS 512(SI), Z8
	VMOVUPS 576(SI), Z9
	VMOVUPS 640(SI), Z10
	VMOVUPS 704(SI), Z11
	VMOVUPS 768(SI), Z12
	VMOVUPS 832(SI), Z13
	VMOVUPS 896(SI), Z14
	VMOVUPS 960(SI), Z15
	VPUNPCKLDQ Z1, Z0, Z16
	VPUNPCKHDQ Z1, Z0, Z17
	VPUNPCKLDQ Z3, Z2, Z18
	VPUNPCKHDQ Z3, Z2, Z19
	VPUNPCKLDQ Z5, Z4, Z20
	VPUNPCKHDQ Z5, Z4, Z21
	VPUNPCKLDQ Z7, Z6, Z22
	VPUNPCKHDQ Z7, Z6, Z23
	VPUNPCKLDQ Z9, Z8, Z24
	VPUNPCKHDQ Z9, Z8, Z25
	VPUNPCKLDQ Z11, Z10, Z26
	VPUNPCKHDQ Z11, Z10, Z27
	VPUNPCKLDQ Z13, Z12, Z28
	VPUNPCKHDQ Z13, Z12, Z29
	VPUNPCKLDQ Z15, Z14, Z30
	VPUNPCKHDQ Z15, Z14, Z31
	VPUNPCKLQDQ Z18, Z16, Z0
	VPUNPCKHQDQ Z18, Z16, Z1
	VPUNPCKLQDQ Z19, Z17, Z2
	VPUNPCKHQDQ Z19, Z17, Z3
	VPUNPCKLQDQ Z22, Z20, Z4
	VPUNPCKHQDQ Z22, Z20, Z5
	VPUNPCKLQDQ Z23, Z21, Z6
	VPUNPCKHQDQ Z23, Z21, Z7
	VPUNPCKLQDQ Z26, Z24, Z8
	VPUNPCKHQDQ Z26, Z24, Z9
	VPUNPCKLQDQ Z27, Z25, Z10
	VPUNPCKHQDQ Z27, Z25, Z11
	VPUNPCKLQDQ Z30, Z28, Z12
	VPUNPCKHQDQ Z30, Z28, Z13
	VPUNPCKLQDQ Z31, Z29, Z14
	VPUNPCKHQDQ Z31, Z29, Z15
	VSHUFI32X4 $0x88, Z4, Z0, Z16
	VSHUFI32X4 $0x88, Z5, Z1, Z17
	VSHUFI32X4 $0x88, Z6, Z2, Z18
	VSHUFI32X4 $0x88, Z7, Z3, Z19
	VSHUFI32X4 $0xdd, Z4, Z0, Z20
	VSHUFI32X4 $0xdd, Z5, Z1, Z21
	VSHUFI32X4 $0xdd, Z6, Z2, Z22
	VSHUFI32X4 $0xdd, Z7, Z3, Z23
	VSHUFI32X4 $0x88, Z12, Z8, Z24
	VSHUFI32X4 $0x88, Z13, Z9, Z25
	VSHUFI32X4 $0x88, Z14, Z10, Z26
	VSHUFI32X4 $0x88, Z15, Z11, Z27
	VSHUFI32X4 $0xdd, Z12, Z8, Z28
	VSHUFI32X4 $0xdd, Z13, Z9, Z29
	VSHUFI32X4 $0xdd, Z14, Z10, Z30
	VSHUFI32X4 $0xdd, Z15, Z11, Z31
	VSHUFI32X4 $0x88, Z24, Z16, Z0
	VSHUFI32X4 $0x88, Z25, Z17, Z1
	VSHUFI32X4 $0x88, Z26, Z18, Z2
	VSHUFI32X4 $0x88, Z27, Z19, Z3
	VSHUFI32X4 $0x88, Z28, Z20, Z4
	VSHUFI32X4 $0x88, Z29, Z21, Z5
	VSHUFI32X4 $0x88, Z30, Z22, Z6
	VSHUFI32X4 $0x88, Z31, Z23, Z7
	VSHUFI32X4 $0xdd, Z24, Z16, Z8
	VSHUFI32X4 $0xdd, Z25, Z17, Z9
	VSHUFI32X4 $0xdd, Z26, Z18, Z10
	VSHUFI32X4 $0xdd, Z27, Z19, Z11
	VSHUFI32X4 $0xdd, Z28, Z20, Z12
	VSHUFI32X4 $0xdd, Z29, Z21, Z13
	VSHUFI32X4 $0xdd, Z30, Z22, Z14
	VSHUFI32X4 $0xdd, Z31, Z23, Z15
	VMOVUPS Z0, (DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	VMOVUPS Z4, 256(DI)
	VMOVUPS Z5, 320(DI)
	VMOVUPS Z6, 384(DI)
	VMOVUPS Z7, 448(DI)
	VMOVUPS Z8, 512(DI)
	VMOVUPS Z9, 576(DI)
	VMOVUPS Z10, 640(DI)
	VMOVUPS Z11, 704(DI)
	VMOVUPS Z12, 768(DI)
	VMOVUPS Z13, 832(DI)
	VMOVUPS Z14, 896(DI)
	VMOVUPS Z15, 960(DI)
	ADDQ $1024, SI
	ADDQ $1024, DI
	DECQ CX
	JNZ  tile
	VZEROUPPER
	RET

// func widenTiles(steps int, codes *int8, dst *uint16)
// 32 codes a step become bf16, which holds them exactly, a tile apart.
TEXT ·widenTiles(SB), NOSPLIT, $0-24
	MOVQ steps+0(FP), CX
	MOVQ codes+8(FP), SI
	MOVQ dst+16(FP), DI

step:
	VPMOVSXBD (SI), Z0
	VPMOVSXBD 16(SI), Z1
	VCVTDQ2PS Z0, Z0
	VCVTDQ2PS Z1, Z1
	HALVES0
	VMOVUPS   Z0, (DI)
	ADDQ      $32, SI
	ADDQ      $1024, DI
	DECQ      CX
	JNZ       step
	VZEROUPPER
	RET
