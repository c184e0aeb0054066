# The programs for src/os, src/memory and src/decode.
tierup_add_test(os_test
  SOURCES os_cgroup_test.cpp os_futex_test.cpp os_library_test.cpp os_line_reader_test.cpp os_processors_test.cpp os_thread_test.cpp
  LINKS tierup_os)
tierup_add_test(memory_test
  SOURCES memory_kernel_reader_test.cpp memory_plain_window_test.cpp memory_testing_readers_test.cpp
  LINKS tierup_memory)
tierup_add_test(decode_test
  SOURCES decode_match_test.cpp decode_row_builder_test.cpp
  LINKS tierup_decode)
