#include "textflag.h"

// Constants of the vector kernels; the order is known to the macros beside them.
DATA ·constants+0(SB)/4, $0x3fb8aa3b // log2(e)
DATA ·constants+4(SB)/4, $0x3f318000 // ln 2, high part
DATA ·constants+8(SB)/4, $0xb95e8083 // ln 2, low part
DATA ·constants+12(SB)/4, $0x3ab60b61 // e^r: 1/720
DATA ·constants+16(SB)/4, $0x3c088889 // 1/120
DATA ·constants+20(SB)/4, $0x3d2aaaab // 1/24
DATA ·constants+24(SB)/4, $0x3e2aaaab // 1/6
DATA ·constants+28(SB)/4, $0x3f000000 // 1/2
DATA ·constants+32(SB)/4, $0x3f800000 // 1
DATA ·constants+36(SB)/4, $0x3f800000 // 1
DATA ·constants+40(SB)/4, $0xc2ae0000 // least exponent
DATA ·constants+44(SB)/4, $0xc0800000 // gelu: least
DATA ·constants+48(SB)/4, $0x40800000 // greatest
DATA ·constants+52(SB)/4, $0x3f000000 // half
DATA ·constants+56(SB)/4, $0x2eb13164 // gelu polynomial, highest power first
DATA ·constants+60(SB)/4, $0xb1f08342
DATA ·constants+64(SB)/4, $0x3491c566
DATA ·constants+68(SB)/4, $0xb6d32e2c
DATA ·constants+72(SB)/4, $0x38cf673a
DATA ·constants+76(SB)/4, $0xba949e8a
DATA ·constants+80(SB)/4, $0x3c21d4ad
DATA ·constants+84(SB)/4, $0xbd880239
DATA ·constants+88(SB)/4, $0x3ecc3f9b
DATA ·constants+92(SB)/4, $0x2b8cbccc // norm epsilon
DATA ·constants+96(SB)/4, $0x0da24260 // least step of a row
DATA ·constants+100(SB)/4, $0x7fffffff // all but the sign
DATA ·constants+104(SB)/4, $0xff7fffff // the least float
DATA ·constants+108(SB)/4, $0x0000007f // bias of an exponent
DATA ·constants+112(SB)/4, $0x00000000
DATA ·constants+116(SB)/4, $0xffffffff // eight ones and eight zeros: load at 32-4n for n lanes
DATA ·constants+120(SB)/4, $0xffffffff
DATA ·constants+124(SB)/4, $0xffffffff
DATA ·constants+128(SB)/4, $0xffffffff
DATA ·constants+132(SB)/4, $0xffffffff
DATA ·constants+136(SB)/4, $0xffffffff
DATA ·constants+140(SB)/4, $0xffffffff
DATA ·constants+144(SB)/4, $0xffffffff
DATA ·constants+148(SB)/4, $0x00000000
DATA ·constants+152(SB)/4, $0x00000000
DATA ·constants+156(SB)/4, $0x00000000
DATA ·constants+160(SB)/4, $0x00000000
DATA ·constants+164(SB)/4, $0x00000000
DATA ·constants+168(SB)/4, $0x00000000
DATA ·constants+172(SB)/4, $0x00000000
DATA ·constants+176(SB)/4, $0x00000000
GLOBL ·constants(SB), RODATA|NOPTR, $180
