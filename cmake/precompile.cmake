# ithaca_precompile(<target> <headers>...): where ITHACA_PRECOMPILE is on, these and the standard headers that
# most sources include are compiled once. Off where includes are to be proven complete.
function(ithaca_precompile target)
  if(ITHACA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <chrono> <functional> <map> <memory> <optional> <string> <vector> ${ARGN})
  endif()
endfunction()
