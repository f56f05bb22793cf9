# What a person can choose. AUTO means: on when its toolkit is found.
set(ITHACA_CUDA AUTO CACHE STRING "CUDA device: AUTO, ON or OFF")
set(ITHACA_NCCL AUTO CACHE STRING "NCCL exchangers: AUTO, ON or OFF (needs CUDA)")
set(ITHACA_CUPTI AUTO CACHE STRING "CUPTI traced pass: AUTO, ON or OFF (needs CUDA)")
set(ITHACA_BLAS AUTO CACHE STRING "Matrix products on the host: AUTO, ON or OFF")
set(ITHACA_CUBLASLT AUTO CACHE STRING "Matrix products on CUDA: AUTO, ON or OFF (needs CUDA)")
set(ITHACA_CHARTS AUTO CACHE STRING "Charts in the HTML report, by Chart.js: AUTO, ON or OFF")
set_property(CACHE ITHACA_CUDA ITHACA_NCCL ITHACA_CUPTI ITHACA_BLAS ITHACA_CUBLASLT ITHACA_CHARTS PROPERTY STRINGS AUTO ON OFF)
option(ITHACA_TESTS "Build and register the tests" ON)
option(ITHACA_FUZZ "Build the fuzz targets, instead of the tests (clang)" OFF)
option(ITHACA_WERROR "Treat warnings as errors" OFF)
set(ITHACA_SANITIZE "" CACHE STRING "Sanitizers for the host build, e.g. address,undefined or thread")

# Every ithaca target links this one: warnings, sanitizers, the source root as include root.
add_library(ithaca_build_flags INTERFACE)
target_include_directories(ithaca_build_flags INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}")
target_compile_options(ithaca_build_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(NOT CMAKE_UNITY_BUILD)
  # In a batch of sources, the names that one keeps to itself would shadow the locals of another.
  target_compile_options(ithaca_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wshadow>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns falsely on "text" + std::string (GCC bug 105651), and on Boost's small_vector.
  target_compile_options(ithaca_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-stringop-overflow>)
endif()
if(ITHACA_WERROR)
  target_compile_options(ithaca_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(ITHACA_SANITIZE)
  if(NOT ITHACA_CUDA STREQUAL "OFF")
    message(FATAL_ERROR "Sanitizer builds are host builds: configure with -DITHACA_CUDA=OFF.")
  endif()
  target_compile_options(ithaca_build_flags INTERFACE
    -fsanitize=${ITHACA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ithaca_build_flags INTERFACE -fsanitize=${ITHACA_SANITIZE})
endif()
