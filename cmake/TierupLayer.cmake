# tierup_add_layer(NAME [SOURCES file…] [LINKS layer…]): one folder of src/ as one target tierup_NAME.
# The link list is the rule of the architecture: a layer may include only itself and what it links.
# Every layer is compiled as the shipped library needs it: no exceptions, no RTTI, nothing of libstdc++ at run time.
function(tierup_add_layer name)
  cmake_parse_arguments(layer "" "" "SOURCES;LINKS" ${ARGN})
  set(target tierup_${name})
  if(layer_SOURCES)
    add_library(${target} STATIC ${layer_SOURCES})
    set(scope PUBLIC)
    tierup_set_product_options(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  foreach(link IN LISTS layer_LINKS)
    target_link_libraries(${target} ${scope} tierup_${link})
  endforeach()
endfunction()

function(tierup_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
endfunction()

function(tierup_set_product_options target)
  tierup_set_warnings(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
                                           -ffunction-sections -fdata-sections)
endfunction()

# tierup_add_test(NAME SOURCES file… LINKS target… [TIMEOUT seconds]): one GoogleTest program, each test case a ctest.
function(tierup_add_test name)
  cmake_parse_arguments(test "" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 120)
  endif()
  add_executable(${name} ${test_SOURCES})
  tierup_set_warnings(${name})
  target_compile_options(${name} PRIVATE -fno-sanitize=vptr) # the layers have no RTTI, which that check of UBSan needs
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${test_LINKS} GTest::gtest_main)
  # GoogleTest's header is most of what a test's compilation costs: parsed once, by one program that does nothing.
  if(NOT TARGET tierup_test_headers)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/test_headers.cpp" CONTENT "int main() { return 0; }\n")
    add_executable(tierup_test_headers EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/test_headers.cpp")
    tierup_set_warnings(tierup_test_headers)
    target_compile_options(tierup_test_headers PRIVATE -fno-sanitize=vptr)
    target_compile_features(tierup_test_headers PRIVATE cxx_std_20)
    target_link_libraries(tierup_test_headers PRIVATE GTest::gtest_main)
    target_precompile_headers(tierup_test_headers PRIVATE <gtest/gtest.h> <string> <vector> <memory> <thread>)
  endif()
  target_precompile_headers(${name} REUSE_FROM tierup_test_headers)
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${test_TIMEOUT})
endfunction()
