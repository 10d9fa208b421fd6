# Compiles programs.bpf.c and embeds it into faultline_sampling; where libbpf or a clang that can do it is missing, the
# library is built without, and its sampler says so.
find_path(BPF_INCLUDE_DIR bpf/libbpf.h)
find_library(BPF_LIBRARY bpf)
find_program(BPF_CLANG NAMES clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14)
if(BPF_CLANG AND NOT DEFINED BPF_CLANG_WORKS)
  execute_process(COMMAND ${BPF_CLANG} -target bpf -x c -c /dev/null -o ${CMAKE_CURRENT_BINARY_DIR}/nothing.o
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(BPF_CLANG_WORKS OFF CACHE INTERNAL "")
  else()
    set(BPF_CLANG_WORKS ON CACHE INTERNAL "")
  endif()
endif()

set(needs_bpf ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf_kernel_linux.cpp ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf_programs_linux.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf_sampler_linux.cpp)
get_target_property(sources faultline_sampling SOURCES)
if(NOT BPF_INCLUDE_DIR OR NOT BPF_LIBRARY OR NOT BPF_CLANG_WORKS)
  message(STATUS "libbpf or clang is not installed: zeroing and time inside faults will be unavailable")
  list(REMOVE_ITEM sources ${needs_bpf})
  set_target_properties(faultline_sampling PROPERTIES SOURCES "${sources}")
  return()
endif()
list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf_absent_linux.cpp)
set_target_properties(faultline_sampling PROPERTIES SOURCES "${sources}")

set(bpf_source ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf/programs.bpf.c)
set(bpf_object ${CMAKE_CURRENT_BINARY_DIR}/programs.bpf.o)
set(bpf_bytes ${CMAKE_CURRENT_BINARY_DIR}/bpf_bytes.cpp)
# -mcpu=v3: atomic operations that return a value, as kernels know them since 5.12.
add_custom_command(OUTPUT ${bpf_bytes}
  COMMAND ${BPF_CLANG} -target bpf -mcpu=v3 -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter $<$<BOOL:${FAULTLINE_WERROR}>:-Werror>
    -I${PROJECT_SOURCE_DIR}
    -isystem ${BPF_INCLUDE_DIR} -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=. -MD -MF ${bpf_object}.d -MT ${bpf_bytes}
    -c ${bpf_source} -o ${bpf_object}
  COMMAND ${CMAKE_COMMAND} -DOBJECT=${bpf_object} -DOUT=${bpf_bytes} -P ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf/embed.cmake
  DEPENDS ${bpf_source} ${CMAKE_CURRENT_SOURCE_DIR}/linux/bpf/embed.cmake DEPFILE ${bpf_object}.d
  COMMENT "Compiling for BPF" VERBATIM)
target_compile_definitions(faultline_sampling PUBLIC FAULTLINE_BPF)
target_sources(faultline_sampling PRIVATE ${bpf_bytes})
target_include_directories(faultline_sampling SYSTEM PRIVATE ${BPF_INCLUDE_DIR})
target_link_libraries(faultline_sampling PRIVATE ${BPF_LIBRARY})
