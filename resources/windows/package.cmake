# The packages for Windows, by `cpack`: a .zip that runs from anywhere and, where NSIS is installed, an installer for one
# user, who needs no rights for it. All programs lie beside their libraries (libraries.cmake).
install(TARGETS faultline-collector faultline-cli RUNTIME DESTINATION .)
if(FAULTLINE_TRAY)
  install(TARGETS faultline RUNTIME DESTINATION .)
endif()
install(FILES faultline_frame.h faultline_count.h DESTINATION .)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME LICENSE.txt DESTINATION .)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION .)
# CPack strips programs, but no libraries.
install(CODE "
  file(GLOB_RECURSE libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/*.dll\")
  if(libraries)
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \${libraries} COMMAND_ERROR_IS_FATAL ANY)
  endif()")

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # cpack packs what has been built, and builds nothing
set(CPACK_PACKAGE_NAME Faultline)
set(CPACK_PACKAGE_VENDOR Faultline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Real-time page-fault and zero-page monitor")
set(CPACK_PACKAGE_FILE_NAME faultline-${PROJECT_VERSION}-windows-x86_64)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR ZIP)
find_program(FAULTLINE_MAKENSIS makensis)
if(FAULTLINE_MAKENSIS)
  list(APPEND CPACK_GENERATOR NSIS)
  set(CPACK_NSIS_EXECUTABLE ${FAULTLINE_MAKENSIS})
  set(CPACK_FAULTLINE_ICON ${CMAKE_CURRENT_SOURCE_DIR}/windows/faultline.ico)
  list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/windows)  # NSIS.template.in
else()
  message(STATUS "NSIS is not installed: cpack makes no installer")
endif()
include(CPack)
