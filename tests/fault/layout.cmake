tierup_add_test(layout_fault_test
  SOURCES layout_fault_test.cpp
  LINKS tierup_layout)
target_include_directories(layout_fault_test PRIVATE "${PROJECT_SOURCE_DIR}/tests/unit")
