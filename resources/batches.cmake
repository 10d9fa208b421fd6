# With FAULTLINE_BATCHES, the sources of several folders of a target are compiled as one file, as most of the time goes
# into headers, which each file reads anew. Names of anonymous namespaces must be unique in a batch for this.
if(FAULTLINE_BATCHES)
  # The first two warnings are true of a file alone, the third is false where GCC inlines a std::optional.
  target_compile_options(faultline_flags INTERFACE
    -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage -Wno-maybe-uninitialized>)
endif()

# Folders, and with them the tests of these folders. A folder that no batch names is a batch of its own.
set(batches
  "core/(base|calibration|history|model|monitor|recording|spikes)"
  "core/(compare|query|stat)"
  "core/(lab|lab/view|lanes|trial)"
  "core/(advice|culprits|delay|frames|frames/files|join|watch)"
  "core/(export|marks|parse|parse/nt|perfetto|prometheus|stream|text)"
  "platform/host(|/costs|/nt|/secrets|(/costs|/keys|/lab|/secrets|/trial)?/(linux|posix|posix/waits))"
  "platform/sampling/linux/(bpf|bpf/tables|watch|watch/bpf)"
  "platform/sampling/linux/(confine|facts|loop|perf|proc|target)"
  "platform/sampling(|/nt|/posix|/records|/synthetic)"
  "app/cli/(commands|query|runs|usage)"
  "app/cli(|/frames|/serve|/stacks|/stream)"
  "app/cli/(lab|lab/work|text|top)"
  "app/tray/(culprits|frames|frames/bars|frames/past|ledger)"
  "app/tray/(page|plots|plots/items|table|time|widgets)"
  "app/tray/(grant|replay|session|shell|shell/icon)"
  "app/tray/(beside|lab|processes|spikes|trial)")

function(faultline_batches target)
  if(NOT FAULTLINE_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE group)
    cmake_path(RELATIVE_PATH group BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET group PARENT_PATH group)
    foreach(batch ${batches})
      if(group MATCHES "^(tests/)?${batch}$")
        set(group "${batch}")
      endif()
    endforeach()
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
