tierup_add_test(idle_model_test SOURCES idle_model.cpp idle_model_runtime.cpp idle_model_reader.cpp idle_model_test.cpp LINKS tierup_base TIMEOUT 300)
target_include_directories(idle_model_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_compile_options(idle_model_test PRIVATE -O2)  # a search over some hundred thousand states, in every preset
set_target_properties(idle_model_test PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # those are parsed without -O2
