// Macros of the AVX-512 kernels. Constants sit in high registers for a whole
// call; the offsets are those of constants_amd64.s.

// LOADEXP: constants of EXP in Z16..Z26.
#define LOADEXP \
	VBROADCASTSS ·constants+0(SB), Z16  \
	VBROADCASTSS ·constants+4(SB), Z17  \
	VBROADCASTSS ·constants+8(SB), Z18  \
	VBROADCASTSS ·constants+12(SB), Z19 \
	VBROADCASTSS ·constants+16(SB), Z20 \
	VBROADCASTSS ·constants+20(SB), Z21 \
	VBROADCASTSS ·constants+24(SB), Z22 \
	VBROADCASTSS ·constants+28(SB), Z23 \
	VBROADCASTSS ·constants+32(SB), Z24 \
	VBROADCASTSS ·constants+40(SB), Z25

// EXP: X = e^X for X <= 0, N and R are spent.
#define EXP(X, N, R) \
	VMAXPS       Z25, X, X  \
	VMULPS       Z16, X, N  \
	VRNDSCALEPS  $0, N, N   \
	VMOVAPS      X, R       \
	VFNMADD231PS Z17, N, R  \
	VFNMADD231PS Z18, N, R  \
	VMOVAPS      Z19, X     \
	VFMADD213PS  Z20, R, X  \
	VFMADD213PS  Z21, R, X  \
	VFMADD213PS  Z22, R, X  \
	VFMADD213PS  Z23, R, X  \
	VFMADD213PS  Z24, R, X  \
	VFMADD213PS  Z24, R, X  \
	VSCALEFPS    N, X, X

// LOADGELU: constants of GELU in Z16..Z27.
#define LOADGELU \
	VBROADCASTSS ·constants+44(SB), Z16 \
	VBROADCASTSS ·constants+48(SB), Z17 \
	VBROADCASTSS ·constants+52(SB), Z18 \
	VBROADCASTSS ·constants+56(SB), Z19 \
	VBROADCASTSS ·constants+60(SB), Z20 \
	VBROADCASTSS ·constants+64(SB), Z21 \
	VBROADCASTSS ·constants+68(SB), Z22 \
	VBROADCASTSS ·constants+72(SB), Z23 \
	VBROADCASTSS ·constants+76(SB), Z24 \
	VBROADCASTSS ·constants+80(SB), Z25 \
	VBROADCASTSS ·constants+84(SB), Z26 \
	VBROADCASTSS ·constants+88(SB), Z27

// GELU: V = gelu(V), X, Y and P are spent.
#define GELU(V, X, Y, P) \
	VMAXPS      Z16, V, X  \
	VMINPS      Z17, X, X  \
	VMULPS      X, X, Y    \
	VMOVAPS     Z19, P     \
	VFMADD213PS Z20, Y, P  \
	VFMADD213PS Z21, Y, P  \
	VFMADD213PS Z22, Y, P  \
	VFMADD213PS Z23, Y, P  \
	VFMADD213PS Z24, Y, P  \
	VFMADD213PS Z25, Y, P  \
	VFMADD213PS Z26, Y, P  \
	VFMADD213PS Z27, Y, P  \
	VFMADD213PS Z18, X, P  \
	VMULPS      P, V, V

// FOLD: the lanes of ZA (whose low parts are YA and XA) joined by OP, in every
// lane of ZA; the B registers are spent.
#define FOLD(OP, ZA, YA, XA, YB, XB) \
	VEXTRACTF64X4 $1, ZA, YB       \
	OP            YB, YA, YA       \
	VEXTRACTF128  $1, YA, XB       \
	OP            XB, XA, XA       \
	VPERMILPS     $0x4e, XA, XB    \
	OP            XB, XA, XA       \
	VPERMILPS     $0xb1, XA, XB    \
	OP            XB, XA, XA       \
	VBROADCASTSS  XA, ZA

// TAILMASK: K1 = the first (N mod 16) lanes, N mod 16 in CX; AX is spent.
#define TAILMASK(N) \
	MOVQ  N, CX  \
	ANDQ  $15, CX \
	MOVL  $1, AX  \
	SHLL  CX, AX  \
	DECL  AX      \
	KMOVW AX, K1

// EXPROW: the n scores at SI become e^(score − greatest), zeros follow up to a
// multiple of 32, and Z4 holds 1/sum in every lane. R8 = n/16, CX = n mod 16,
// K1 the mask of the rest. BX and AX are spent.
#define EXPROW(MAXL, MAXT, EXPL, EXPT, PADL, ENDL) \
	VBROADCASTSS ·constants+104(SB), Z1 \
	MOVQ SI, BX      \
	MOVQ R8, AX      \
	TESTQ AX, AX     \
	JZ MAXT          \
MAXL:                \
	VMAXPS (BX), Z1, Z1 \
	ADDQ $64, BX     \
	DECQ AX          \
	JNZ MAXL         \
MAXT:                \
	VBROADCASTSS ·constants+104(SB), Z2 \
	VMOVUPS (BX), K1, Z2 \
	VMAXPS Z2, Z1, Z1 \
	FOLD(VMAXPS, Z1, Y1, X1, Y2, X2) \
	VPXORD Z4, Z4, Z4 \
	MOVQ SI, BX      \
	MOVQ R8, AX      \
	TESTQ AX, AX     \
	JZ EXPT          \
EXPL:                \
	VMOVUPS (BX), Z0 \
	VSUBPS Z1, Z0, Z0 \
	EXP(Z0, Z2, Z3)  \
	VADDPS Z0, Z4, Z4 \
	VMOVUPS Z0, (BX) \
	ADDQ $64, BX     \
	DECQ AX          \
	JNZ EXPL         \
EXPT:                \
	TESTQ CX, CX     \
	JZ PADL          \
	VMOVUPS.Z (BX), K1, Z0 \
	VSUBPS Z1, Z0, Z0 \
	EXP(Z0, Z2, Z3)  \
	VMOVAPS.Z Z0, K1, Z0 \
	VADDPS Z0, Z4, Z4 \
	VMOVUPS Z0, (BX) \
	ADDQ $64, BX     \
PADL:                \
	MOVQ BX, AX      \
	SUBQ SI, AX      \
	TESTQ $64, AX    \
	JZ ENDL          \
	VPXORD Z0, Z0, Z0 \
	VMOVUPS Z0, (BX) \
ENDL:                \
	FOLD(VADDPS, Z4, Y4, X4, Y2, X2) \
	VBROADCASTSS ·constants+32(SB), Z2 \
	VDIVPS Z4, Z2, Z4

// The three finishes share their arguments and their registers.
#define FINISHARGS \
	MOVQ    rows+0(FP), CX    \
	MOVQ    c+8(FP), SI       \
	MOVQ    scale+16(FP), AX  \
	MOVQ    bias+24(FP), BX   \
	MOVQ    out+32(FP), DI    \
	MOVQ    ldo+40(FP), DX    \
	SHLQ    $2, DX            \
	VMOVUPS (AX), Z12         \
	VMOVUPS 64(AX), Z13       \
	VMOVUPS (BX), Z14         \
	VMOVUPS 64(BX), Z15

#define SCALED \
	VMOVUPS     (SI), Z0      \
	VMOVUPS     64(SI), Z1    \
	VFMADD213PS Z14, Z12, Z0  \
	VFMADD213PS Z15, Z13, Z1

#define NEXTROW \
	VMOVUPS Z0, (DI)   \
	VMOVUPS Z1, 64(DI) \
	ADDQ    $128, SI   \
	ADDQ    DX, DI     \
	DECQ    CX
