tierup_add_test(watcher_test
  SOURCES backoff_test.cpp waiter_table_test.cpp watcher_test.cpp watcher_block_test.cpp watcher_dispatch_test.cpp
          watcher_signals_test.cpp
  LINKS tierup_watch)
tierup_add_test(watcher_stress_test SOURCES watcher_stress_test.cpp watcher_signals_stress_test.cpp LINKS tierup_watch TIMEOUT 300)
tierup_add_test(watcher_model_test
  SOURCES watcher_model.cpp watcher_model_machine.cpp watcher_model_dispatcher.cpp watcher_model_test.cpp
  LINKS tierup_watch TIMEOUT 300)
foreach(test watcher_test watcher_stress_test watcher_model_test)
  target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
endforeach()
target_compile_options(watcher_model_test PRIVATE -O2)  # a search over some hundred thousand states, in every preset
set_target_properties(watcher_model_test PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # those are parsed without -O2
