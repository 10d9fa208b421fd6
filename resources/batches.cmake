# With FAULTLINE_BATCHES, each folder's sources of a target are compiled as one file. Names of anonymous namespaces must
# be unique in a folder for this.
if(FAULTLINE_BATCHES)  # warnings that are true of a file alone
  target_compile_options(faultline_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

function(faultline_batches target)
  if(NOT FAULTLINE_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE group)
    cmake_path(RELATIVE_PATH group BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET group PARENT_PATH group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
