# Programs and a library with known functions, linked in all ways, for tests of function lookup.
set(marked ${CMAKE_CURRENT_BINARY_DIR}/marked)
add_custom_target(marked_players)

# marked_file(TARGET NAME): also writes a stripped copy, NAME_stripped.
function(marked_file target)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${marked} LIBRARY_OUTPUT_DIRECTORY ${marked})
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_STRIP} -o $<TARGET_FILE:${target}>_stripped
    $<TARGET_FILE:${target}> VERBATIM)
  add_dependencies(marked_players ${target})
endfunction()

set(script ${CMAKE_CURRENT_LIST_DIR}/marked_library.map)
add_library(marked_library SHARED ${CMAKE_CURRENT_LIST_DIR}/marked_library.cpp)
target_link_options(marked_library PRIVATE -Wl,--version-script=${script})
set_target_properties(marked_library PROPERTIES LINK_DEPENDS ${script})
marked_file(marked_library)

set(marked_pie -fPIE -pie)
set(marked_no_pie -fno-pie -no-pie)
set(marked_static -fno-pie -static -DMARKED_STATIC)
set(marked_static_pie -fPIE -static-pie -DMARKED_STATIC)
unset(CMAKE_POSITION_INDEPENDENT_CODE)  # each program below sets its own
foreach(kind pie no_pie static static_pie)
  add_executable(player_${kind} ${CMAKE_CURRENT_LIST_DIR}/marked_player.cpp)
  target_compile_options(player_${kind} PRIVATE ${marked_${kind}})
  target_link_options(player_${kind} PRIVATE ${marked_${kind}})
  target_link_libraries(player_${kind} PRIVATE ${CMAKE_DL_LIBS})
  marked_file(player_${kind})
endforeach()
