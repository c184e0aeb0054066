# The programs for src/record.
tierup_add_test(record_test
  SOURCES record_background_track_test.cpp record_background_track_queue_test.cpp record_cursor_test.cpp record_event_names_test.cpp
          record_event_queue_test.cpp record_event_streams_test.cpp record_known_queue_test.cpp
  LINKS tierup_record)
tierup_add_test(record_stress_test
  SOURCES record_event_queue_stress_test.cpp record_event_streams_stress_test.cpp
  LINKS tierup_record TIMEOUT 300)
