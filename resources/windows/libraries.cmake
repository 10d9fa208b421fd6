# Puts the libraries and plugins of Qt, and those of the compiler that Qt needs, beside faultline.exe. Each plugin lies in the
# folder of its kind.
set(beside $<TARGET_FILE_DIR:faultline>)
add_custom_command(TARGET faultline POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
  $<TARGET_RUNTIME_DLLS:faultline> ${beside} COMMAND_EXPAND_LISTS)
install(FILES $<TARGET_RUNTIME_DLLS:faultline> DESTINATION .)
foreach(library libstdc++-6 libgcc_s_seh-1 libwinpthread-1)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library}.dll OUTPUT_VARIABLE file
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(IS_ABSOLUTE "${file}")
    add_custom_command(TARGET faultline POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different ${file} ${beside})
    install(FILES ${file} DESTINATION .)
  endif()
endforeach()
foreach(plugin QWindowsIntegration:platforms QOffscreenIntegration:platforms QICO:imageformats QWindowsVistaStyle:styles)
  string(REPLACE ":" ";" plugin ${plugin})
  list(GET plugin 0 name)
  list(GET plugin 1 kind)
  if(TARGET Qt6::${name}Plugin)
    add_custom_command(TARGET faultline POST_BUILD COMMAND ${CMAKE_COMMAND} -E make_directory ${beside}/${kind}
      COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:Qt6::${name}Plugin> ${beside}/${kind})
    install(FILES $<TARGET_FILE:Qt6::${name}Plugin> DESTINATION ${kind})
  endif()
endforeach()
