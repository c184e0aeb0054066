tierup_add_test(runtime_test
  SOURCES answer_test.cpp decide_test.cpp entry_walk_test.cpp inspected_method_test.cpp method_identity_test.cpp method_probe_test.cpp method_table_test.cpp method_view_test.cpp signal_board_test.cpp
          process_view_test.cpp published_tiers_test.cpp
  LINKS tierup_runtime)
target_include_directories(runtime_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
add_dependencies(runtime_test fake_dac)
target_compile_definitions(runtime_test PRIVATE FAKE_DAC="$<TARGET_FILE:fake_dac>")
