# The programs for src/agent, and for what it stands on in src/clr and src/os.
tierup_add_test(clr_event_test
  SOURCES clr_diagnostics_message_test.cpp clr_runtime_event_recorded_test.cpp clr_runtime_event_test.cpp
  LINKS tierup_clr)
target_compile_definitions(clr_event_test PRIVATE TIERUP_RECORDED_EVENTS="${PROJECT_SOURCE_DIR}/tests/recorded/events")
tierup_add_test(os_local_socket_test
  SOURCES agent_own_process_test.cpp os_local_socket_test.cpp
  LINKS tierup_os)
tierup_add_test(agent_test
  SOURCES agent_attach_outcome_test.cpp agent_com_objects_test.cpp agent_event_delivery_test.cpp agent_notification_agent_test.cpp
          agent_self_attach_test.cpp
  LINKS tierup_agent)
