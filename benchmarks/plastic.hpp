#pragma once

// Prints what a step on plastic soil costs beside one on compliant ground.
void benchmark_plastic(int repeats, int steps);
