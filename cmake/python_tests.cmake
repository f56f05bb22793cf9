# ithaca_python_tests(<prefix> <file> <label> <seconds> <processors> <environment>): registers what a Python file of
# this folder lists as tests "<prefix>.<file>.<case>". A case that can't run ends with 77 and says why. The
# processors are those that CTest sets aside, so that ranks don't starve each other.
find_package(Python3 COMPONENTS Interpreter)

function(ithaca_python_tests prefix file label seconds processors environment)
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/${file}.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1
    "${Python3_EXECUTABLE}" "${script}" --list
    OUTPUT_VARIABLE cases OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" cases "${cases}")
  foreach(case IN LISTS cases)
    set(test "${prefix}.${file}.${case}")
    add_test(NAME "${test}" COMMAND "${Python3_EXECUTABLE}" "${script}" "${case}")
    set_tests_properties("${test}" PROPERTIES
      LABELS ${label} TIMEOUT ${seconds} PROCESSORS ${processors} SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
    if(case MATCHES "^gpu")
      set_property(TEST "${test}" PROPERTY RESOURCE_LOCK gpus)
    endif()
  endforeach()
endfunction()
