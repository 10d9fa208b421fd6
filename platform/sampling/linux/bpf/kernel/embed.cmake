# cmake -DOBJECT=in -DNAME=kBytes -DOUT=out.cpp -P embed.cmake: the object's bytes as an array, declared in bytes.h.
file(READ ${OBJECT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include \"platform/sampling/linux/bpf/kernel/bytes.h\"

namespace faultline {
alignas(8) static const unsigned char bytes[] = {
${bytes}};
const BpfBytes ${NAME}{bytes, sizeof bytes};
}  // namespace faultline
")
