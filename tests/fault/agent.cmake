# Each call into the runtime failing in turn.
tierup_add_test(agent_fault_test
  SOURCES agent_each_call_test.cpp
  LINKS tierup_agent)
target_include_directories(agent_fault_test PRIVATE "${PROJECT_SOURCE_DIR}/tests/unit")
