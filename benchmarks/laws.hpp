#pragma once

// Prints what one evaluation of the exact normal laws costs.
void benchmark_laws(int repeats);
