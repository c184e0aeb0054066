# Queues and streams with each of their mappings failing.
tierup_add_test(record_fault_test
  SOURCES record_mapping_fault_test.cpp
  LINKS tierup_record)
target_include_directories(record_fault_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
