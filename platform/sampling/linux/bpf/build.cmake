# Compiles the BPF programs and embeds them into faultline_sampling. Without libbpf or a suitable clang, prints a message and
# builds the library without them.
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

set(needs_bpf bpf/durations bpf/handles bpf/kernel bpf/places bpf/program_set bpf/programs bpf/quality bpf/sampler watch/bpf/image watch/bpf/object watch/bpf/probes watch/bpf/programs)
list(TRANSFORM needs_bpf PREPEND sampling/linux/)
list(TRANSFORM needs_bpf APPEND .cpp)
get_target_property(sources faultline_sampling SOURCES)
if(NOT BPF_INCLUDE_DIR OR NOT BPF_LIBRARY OR NOT BPF_CLANG_WORKS)
  message(STATUS "libbpf or clang is not installed: zeroed bytes and fault time will be unavailable")
  list(REMOVE_ITEM sources ${needs_bpf})
  set_target_properties(faultline_sampling PROPERTIES SOURCES "${sources}")
  return()
endif()
list(REMOVE_ITEM sources sampling/linux/watch/bpf/absent.cpp sampling/linux/bpf/places_absent.cpp)
set_target_properties(faultline_sampling PROPERTIES SOURCES "${sources}")

# -mcpu=v3: atomic operations that return a value (kernels since 5.12). The tests compile with each clang at hand.
set(bpf_flags -target bpf -mcpu=v3 -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -I${PROJECT_SOURCE_DIR}
  -isystem ${BPF_INCLUDE_DIR} -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=.)
set_property(GLOBAL PROPERTY FAULTLINE_BPF_FLAGS ${bpf_flags})

# faultline_bpf(PATH NAME): adds PATH.bpf.c, compiled, as the array NAME.
function(faultline_bpf path name)
  set(in ${CMAKE_CURRENT_SOURCE_DIR}/sampling/linux/bpf/kernel/${path}.bpf.c)
  get_filename_component(source ${path} NAME)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${source}.bpf.o)
  set(bytes ${CMAKE_CURRENT_BINARY_DIR}/${source}_bpf_bytes.cpp)
  add_custom_command(OUTPUT ${bytes}
    COMMAND ${BPF_CLANG} ${bpf_flags} $<$<BOOL:${FAULTLINE_WERROR}>:-Werror> -MD -MF ${object}.d -MT ${bytes}
      -c ${in} -o ${object}
    COMMAND ${CMAKE_COMMAND} -DOBJECT=${object} -DNAME=${name} -DOUT=${bytes}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/sampling/linux/bpf/kernel/embed.cmake
    DEPENDS ${in} ${CMAKE_CURRENT_SOURCE_DIR}/sampling/linux/bpf/kernel/embed.cmake DEPFILE ${object}.d
    COMMENT "Compiling ${source} for BPF" VERBATIM)
  target_sources(faultline_sampling PRIVATE ${bytes})
endfunction()
faultline_bpf(sweep/programs kBpfBytes)
faultline_bpf(watch/watch kWatchBpfBytes)
faultline_bpf(identify kIdentifyBpfBytes)
faultline_bpf(places kPlacesBpfBytes)
target_compile_definitions(faultline_sampling PUBLIC FAULTLINE_BPF)
target_include_directories(faultline_sampling SYSTEM PRIVATE ${BPF_INCLUDE_DIR})
target_link_libraries(faultline_sampling PRIVATE ${BPF_LIBRARY})
