// A graph of nodes: a kernel makes values, and a copy that depends on it fetches them.
#include "graph_of_two.h"

int main() { return run_graph(true); }
