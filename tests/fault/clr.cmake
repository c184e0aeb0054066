# A query of the DAC with each of its reads failing.
tierup_add_test(clr_fault_test
  SOURCES clr_query_fault_test.cpp
  LINKS tierup_clr)
target_include_directories(clr_fault_test PRIVATE "${PROJECT_SOURCE_DIR}/tests/unit")
target_compile_definitions(clr_fault_test PRIVATE FAKE_DAC="$<TARGET_FILE:fake_dac>")
add_dependencies(clr_fault_test fake_dac)
