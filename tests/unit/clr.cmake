# The programs for src/clr, and for src/runtime/settings.
tierup_add_test(clr_test
  SOURCES clr_data_access_test.cpp clr_data_target_test.cpp clr_descriptor_check_test.cpp clr_hresult_test.cpp clr_page_cache_test.cpp
          clr_version_cache_test.cpp
  LINKS tierup_clr)
tierup_add_test(settings_test
  SOURCES settings_test.cpp
  LINKS tierup_runtime)

# Libraries that clr_test loads as if they were the runtime's.
foreach(name fake_dac no_exports refusing_dac)
  add_library(${name} MODULE fake_dac/${name}.cpp)
  tierup_set_warnings(${name})
  target_link_libraries(${name} PRIVATE tierup_clr)
  add_dependencies(clr_test ${name})
endforeach()
target_compile_definitions(clr_test PRIVATE FAKE_DAC="$<TARGET_FILE:fake_dac>" NO_EXPORTS_DAC="$<TARGET_FILE:no_exports>"
                                            REFUSING_DAC="$<TARGET_FILE:refusing_dac>" NO_LIBRARY="${CMAKE_CURRENT_LIST_FILE}")
