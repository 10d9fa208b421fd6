# The package, by `cpack` in a folder that resources/debian/build has configured. Two builds have the same bytes: all times are
# that of the release.
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH
set(maintainer "Faultline's maintainers <maintainers@faultline.invalid>")  # the project has no address yet
configure_file(debian/changelog.in documents/changelog @ONLY)
configure_file(CHANGELOG.md documents/NEWS COPYONLY)
find_program(FAULTLINE_GZIP gzip REQUIRED)
set(documents ${CMAKE_CURRENT_BINARY_DIR}/documents)
install(FILES ${documents}/changelog ${documents}/NEWS debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
configure_file(debian/lintian-overrides documents/lintian-overrides COPYONLY)
if(system MATCHES "^Debian GNU/Linux 12")
  file(APPEND ${documents}/lintian-overrides
    "# The end of one text and the beginning of the next.\nfaultline: spelling-error-in-binary onThe *\n"
    "# Nothing starts the unit of the whole machine by itself; other inits run `serve` as their administrator likes.\n"
    "faultline: package-supports-alternative-init-but-no-init.d-script *faultline-serve.service*\n")
endif()
install(FILES ${documents}/lintian-overrides DESTINATION share/lintian/overrides RENAME faultline)
install(CODE "
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
  file(GLOB pages \"\${share}/man/man1/*.1\")
  execute_process(COMMAND \"${FAULTLINE_GZIP}\" -9nf \${pages} \"\${share}/doc/faultline/changelog\"
    COMMAND_ERROR_IS_FATAL ANY)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME faultline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "page-fault and zero-page monitor")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Faultline shows for every process how often it pays for memory: pages that
the kernel faults in, clears, and takes away again. It marks the moment when
a rate stands out, names the process, and finds the frames of a game that
page faults made late.
.
It runs in the tray, in a terminal and headless, records, and exports CSV,
JSON and traces. It needs no privilege; exact zeroing and the time in page
faults need a permission for its collector.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${FAULTLINE_HOME})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "debconf (>= 0.5) | debconf-2.0, acl, libcap2-bin, passwd")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pkexec, qt6-wayland")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES ON)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # cpack packs what has been built, and builds nothing
foreach(script config templates postinst prerm postrm)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/${script})
endforeach()
include(CPack)
