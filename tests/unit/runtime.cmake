tierup_add_test(runtime_test
  SOURCES answer_test.cpp decide_test.cpp entry_walk_test.cpp method_probe_test.cpp method_table_test.cpp
  LINKS tierup_runtime)
target_include_directories(runtime_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
