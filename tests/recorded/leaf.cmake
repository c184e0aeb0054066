# The recorded stubs of every runtime and architecture against the rows.
find_package(nlohmann_json REQUIRED)
tierup_add_test(recorded_stubs_test
  SOURCES recorded_stubs_test.cpp
  LINKS tierup_decode nlohmann_json::nlohmann_json)
target_compile_definitions(recorded_stubs_test PRIVATE TIERUP_RECORDED_STUBS="${CMAKE_CURRENT_LIST_DIR}/stubs")
