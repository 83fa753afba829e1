# One line for each subject; the limits are for machines much slower than any of ours.
gordian_e2e_test(bad_input TIMEOUT 120)
gordian_e2e_test(formats TIMEOUT 300)
gordian_e2e_test(hostile TIMEOUT 300)
gordian_e2e_test(orders TIMEOUT 180)
gordian_e2e_test(real_suites TIMEOUT 900)
gordian_e2e_test(untouched TIMEOUT 180)
gordian_e2e_test(zoo_outcomes TIMEOUT 600)
