/* What the tests of scripts need to reach inside of a state. */
#include "state.h"

void tests_fail_allocations(strata_script *script, int64_t count);
int64_t tests_allocations_left(const strata_script *script);
int32_t tests_longest_list(strata_script *script);

void tests_fail_allocations(strata_script *script, int64_t count) { script->allocations_left = count; }

int32_t tests_longest_list(strata_script *script) { return script_longest_list(script->main); }

int64_t tests_allocations_left(const strata_script *script) { return script->allocations_left; }
