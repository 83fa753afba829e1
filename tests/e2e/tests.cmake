# One line for each subject; the limits are for machines much slower than any of ours.
gordian_e2e_test(bad_input TIMEOUT 120)
gordian_e2e_test(ctest TIMEOUT 600)
gordian_e2e_test(detect_algorithms TIMEOUT 900)
gordian_e2e_test(detect_estimate TIMEOUT 300)
gordian_e2e_test(detect_planted TIMEOUT 900)
gordian_e2e_test(detect_real TIMEOUT 900)
gordian_e2e_test(detect_resume TIMEOUT 600)
gordian_e2e_test(detect_stories TIMEOUT 300)
gordian_e2e_test(detect_zoo TIMEOUT 600)
gordian_e2e_test(explain TIMEOUT 600)
gordian_e2e_test(explain_zoo TIMEOUT 900)
gordian_e2e_test(formats TIMEOUT 300)
gordian_e2e_test(hostile TIMEOUT 300)
gordian_e2e_test(orders TIMEOUT 180)
gordian_e2e_test(real_suites TIMEOUT 900)
gordian_e2e_test(snapshot TIMEOUT 900)
gordian_e2e_test(snapshot_backends TIMEOUT 900)
gordian_e2e_test(untouched TIMEOUT 180)
gordian_e2e_test(watch_zoo TIMEOUT 900)
gordian_e2e_test(zoo_outcomes TIMEOUT 600)

# The suites that detect_planted and detect_stories make up need one binary.
include(${CMAKE_CURRENT_LIST_DIR}/../planted/planted.cmake)
# watch_zoo asks a program of its own.
include(${CMAKE_CURRENT_LIST_DIR}/../trace/trace.cmake)
# Likewise snapshot_backends.
include(${CMAKE_CURRENT_LIST_DIR}/../snapshots/snapshots.cmake)
