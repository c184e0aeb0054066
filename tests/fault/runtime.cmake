tierup_add_test(runtime_fault_test
  SOURCES method_view_fault_test.cpp
  LINKS tierup_runtime)
target_include_directories(runtime_fault_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
add_dependencies(runtime_fault_test fake_dac)
target_compile_definitions(runtime_fault_test PRIVATE FAKE_DAC="$<TARGET_FILE:fake_dac>")
