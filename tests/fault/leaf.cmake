# each_read.h is the harness for fault tests of the layers above; here it is tested itself.
tierup_add_test(each_read_test
  SOURCES each_read_test.cpp
  LINKS tierup_memory)
