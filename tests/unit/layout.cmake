# The programs for src/layout's tiering manager and src/runtime's view of it.
tierup_add_test(layout_test
  SOURCES layout_batch_vote_test.cpp layout_manager_fields_test.cpp layout_method_list_test.cpp layout_pending_list_search_test.cpp
          layout_queue_walk_test.cpp
  LINKS tierup_layout)
tierup_add_test(manager_test
  SOURCES manager_data_access_test.cpp manager_lasting_mismatch_test.cpp manager_sample_ring_test.cpp manager_version_nodes_test.cpp
          manager_view_event_test.cpp manager_view_test.cpp
  LINKS tierup_runtime)
add_dependencies(manager_test fake_dac)
target_compile_definitions(manager_test PRIVATE FAKE_DAC="$<TARGET_FILE:fake_dac>")
