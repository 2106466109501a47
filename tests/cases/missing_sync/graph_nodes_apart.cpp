// A graph of nodes: a kernel makes values, a copy fetches them, and does not depend on the kernel.
#include "graph_of_two.h"

int main() { return run_graph(false); }
