# The programs for the worker's flags and the pending completions: src/layout/{worker_flag_vote,counting_manager_search}, src/runtime/{worker_flag,pending_completions}.
tierup_add_test(flags_test
  SOURCES layout_worker_flag_vote_test.cpp layout_counting_manager_test.cpp os_module_data_test.cpp worker_flag_test.cpp pending_completions_test.cpp
  LINKS tierup_runtime)
