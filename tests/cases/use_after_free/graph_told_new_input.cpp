// The only node of a captured step gets a new input before the old one is freed.
#include "told_new_input.h"

int main() {
  ToldNewInput told;
  told.captured();
  hipGraphNode_t node;
  size_t count = 1;
  OK(hipGraphGetNodes(told.graph, &node, &count));
  told.tell(node);
  told.launched_again();
  return 0;
}
