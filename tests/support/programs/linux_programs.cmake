# Games and libraries that tests watch.

# Without sanitizers, whose memory would cause page faults of its own.
find_package(Threads REQUIRED)
add_executable(fake_game ${CMAKE_CURRENT_LIST_DIR}/fake_game.cpp ${CMAKE_CURRENT_LIST_DIR}/fake_level.cpp)
target_compile_options(fake_game PRIVATE -g)
target_include_directories(fake_game PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(fake_game PRIVATE cxx_std_20)
target_link_libraries(fake_game PRIVATE Threads::Threads)
add_executable(planted_game ${CMAKE_CURRENT_LIST_DIR}/planted_game.cpp ${CMAKE_CURRENT_LIST_DIR}/planted_truth.cpp)
target_compile_options(planted_game PRIVATE -O2)
target_include_directories(planted_game PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(planted_game PRIVATE cxx_std_20)
target_link_libraries(planted_game PRIVATE Threads::Threads)
add_executable(turncoat ${CMAKE_CURRENT_LIST_DIR}/turncoat.cpp)
target_include_directories(turncoat PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(turncoat PRIVATE cxx_std_20)
target_link_libraries(turncoat PRIVATE Threads::Threads)
add_executable(trial_subject ${CMAKE_CURRENT_LIST_DIR}/trial_subject.cpp)
target_compile_features(trial_subject PRIVATE cxx_std_20)
target_link_libraries(trial_subject PRIVATE Threads::Threads)
add_dependencies(test_app_cli trial_subject)
add_executable(advised_game ${CMAKE_CURRENT_LIST_DIR}/advised_game.cpp)
target_compile_options(advised_game PRIVATE -O2 -g)
target_include_directories(advised_game PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(advised_game PRIVATE cxx_std_20)
target_link_libraries(advised_game PRIVATE Threads::Threads)
add_dependencies(test_app_cli advised_game)
add_executable(splash_player ${CMAKE_CURRENT_LIST_DIR}/splash_player.cpp)
target_compile_features(splash_player PRIVATE cxx_std_20)
target_link_libraries(splash_player PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(test_app_cli splash_player)
add_executable(handed_player ${CMAKE_CURRENT_LIST_DIR}/handed_player.cpp)
target_compile_features(handed_player PRIVATE cxx_std_20)
target_link_libraries(handed_player PRIVATE ${CMAKE_DL_LIBS})
foreach(part driver loader)
  add_library(handing_${part} SHARED ${CMAKE_CURRENT_LIST_DIR}/handing_${part}.cpp)
  target_link_options(handing_${part} PRIVATE -s)
  set_target_properties(handing_${part} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()
target_link_libraries(handing_loader PRIVATE handing_driver)
add_dependencies(test_app_cli handed_player handing_loader)
include(${CMAKE_CURRENT_LIST_DIR}/marked_player.cmake)

# Programs with known call stacks: with debug information and unwind tables; stripped; with debug information in a
# separate file; with frame pointers only.
foreach(kind deep deep_bare)
  add_library(${kind} MODULE ${CMAKE_CURRENT_LIST_DIR}/deep_calls.cpp)
  target_include_directories(${kind} PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(${kind} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()
target_compile_options(deep PRIVATE -g -O2 -fomit-frame-pointer)
target_compile_options(deep_bare PRIVATE -g0 -O0 -fno-omit-frame-pointer -fno-exceptions -fno-asynchronous-unwind-tables
  -fno-unwind-tables)
add_custom_command(TARGET deep POST_BUILD WORKING_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
  COMMAND ${CMAKE_STRIP} -o deep_stripped.so deep.so
  COMMAND ${CMAKE_OBJCOPY} --only-keep-debug deep.so deep_split.so.debug
  COMMAND ${CMAKE_OBJCOPY} --strip-all --add-gnu-debuglink=deep_split.so.debug deep.so deep_split.so)
add_custom_command(TARGET deep_bare POST_BUILD COMMAND ${CMAKE_STRIP} $<TARGET_FILE:deep_bare>)

# The program that tests/run --kernels runs in its guests.
add_executable(kernel_facts kernels/facts.cpp kernels/frame_facts.cpp kernels/judging.cpp kernels/probe_cost.cpp)
target_link_libraries(kernel_facts PRIVATE faultline_core)
target_compile_definitions(kernel_facts PRIVATE FAULTLINE_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
