#include "device/graph.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <queue>
#include <unordered_map>

#include "device/fault.h"
#include "device/worker_pool.h"

namespace greta::sim {
namespace {

std::atomic<GraphNodeId> g_nodes{0};

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

EventRecordRef new_record() {
  auto record = std::make_shared<EventRecord>();
  record->marker = {std::make_shared<Timeline>(), 1};
  return record;
}

void collect(const GraphPlan& plan, LaunchedEvents& events) {
  for_each_step(plan, [&](const GraphPlan::Step& step) {
    const auto* work = std::get_if<GraphEventWork>(step.content.work.get());
    if (work == nullptr) return;
    if (!work->waits) work->event->set_last(new_record());
    events.records.push_back(work->event->last());
  });
}

void pass_event(const GraphEventWork& work, LaunchedEvents& events) {
  const EventRecordRef record = events.records[events.next++];
  if (work.waits) {
    if (record) record->marker.wait();
    return;
  }
  record->reached_ns = now_ns();
  record->marker.timeline->complete(record->marker.ticket);
}

void erase(std::vector<GraphNode*>& nodes, const GraphNode* node) {
  nodes.erase(std::remove(nodes.begin(), nodes.end(), node), nodes.end());
}

std::unordered_map<const GraphNode*, size_t> index_of(const std::vector<GraphNode*>& nodes) {
  std::unordered_map<const GraphNode*, size_t> index;
  for (size_t i = 0; i < nodes.size(); ++i) index[nodes[i]] = i;
  return index;
}

// Pointers that were replaced because the device cannot reach them, as the program gave them.
void restore_given(const KernelWork& work, std::vector<unsigned char>& bytes) {
  for (const KernelArgument& argument : work.function->kernel->arguments) {
    if (argument.kind != ArgumentKind::global_buffer || argument.bytes != sizeof(uintptr_t)) {
      continue;
    }
    uintptr_t value;
    std::memcpy(&value, bytes.data() + argument.offset, sizeof value);
    for (const Unreachable& pair : work.arguments.unreachable()) {
      if (value != pair.replacement) continue;
      std::memcpy(bytes.data() + argument.offset, &pair.given, sizeof pair.given);
      break;
    }
  }
}

}  // namespace

void** GraphNode::kernel_params() {
  const auto& work = std::get<KernelWork>(*content.work);
  if (argument_pointers_.empty()) {
    argument_bytes_.assign(work.arguments.data(), work.arguments.data() + work.arguments.size());
    restore_given(work, argument_bytes_);
    for (const KernelArgument& argument : work.function->kernel->arguments) {
      if (argument.kind == ArgumentKind::hidden) continue;
      argument_pointers_.push_back(argument_bytes_.data() + argument.offset);
    }
  }
  return argument_pointers_.empty() ? nullptr : argument_pointers_.data();
}

void GraphNode::set_content(NodeWork next) {
  if (next.type == hipGraphNodeTypeKernel) next.attributes = content.attributes;
  content = std::move(next);
  argument_pointers_.clear();
}

Graph::~Graph() {
  for (const GraphNodeRef& node : nodes_) {
    node->graph = nullptr;
    node->dependencies.clear();
    node->dependents.clear();
  }
}

GraphNode* Graph::add(NodeWork content, const std::vector<GraphNode*>& dependencies) {
  auto node = std::make_shared<GraphNode>();
  node->id = g_nodes.fetch_add(1) + 1;
  node->graph = this;
  node->content = std::move(content);
  nodes_.push_back(node);
  for (GraphNode* dependency : dependencies) connect(dependency, node.get());
  return node.get();
}

void Graph::connect(GraphNode* from, GraphNode* to) {
  from->dependents.push_back(to);
  to->dependencies.push_back(from);
}

bool Graph::disconnect(GraphNode* from, GraphNode* to) {
  const size_t before = from->dependents.size();
  erase(from->dependents, to);
  erase(to->dependencies, from);
  return from->dependents.size() != before;
}

GraphId Graph::next_id() {
  static std::atomic<GraphId> last{0};
  return last.fetch_add(1) + 1;
}

bool Graph::has_memory_nodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const GraphNodeRef& node) {
    return node->content.type == hipGraphNodeTypeMemAlloc ||
           node->content.type == hipGraphNodeTypeMemFree;
  });
}

void Graph::remove(GraphNode* node) {
  for (GraphNode* dependency : node->dependencies) erase(dependency->dependents, node);
  for (GraphNode* dependent : node->dependents) erase(dependent->dependencies, node);
  auto is_it = [&](const GraphNodeRef& other) { return other.get() == node; };
  nodes_.erase(std::find_if(nodes_.begin(), nodes_.end(), is_it));
}

std::vector<GraphNode*> Graph::roots() const {
  std::vector<GraphNode*> roots;
  for (const GraphNodeRef& node : nodes_) {
    if (node->dependencies.empty()) roots.push_back(node.get());
  }
  return roots;
}

std::vector<GraphEdge> Graph::edges() const {
  std::vector<GraphEdge> edges;
  for (const GraphNodeRef& node : nodes_) {
    for (GraphNode* dependent : node->dependents) edges.push_back({node.get(), dependent});
  }
  return edges;
}

std::vector<GraphNode*> Graph::ordered() const {
  // Ids grow in the order of adding: the ready node with the least id comes next.
  auto later = [](const GraphNode* a, const GraphNode* b) { return a->id > b->id; };
  std::priority_queue<GraphNode*, std::vector<GraphNode*>, decltype(later)> ready(later, roots());
  std::unordered_map<const GraphNode*, size_t> awaited;
  for (const GraphNodeRef& node : nodes_) awaited[node.get()] = node->dependencies.size();
  std::vector<GraphNode*> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (GraphNode* dependent : order.back()->dependents) {
      if (--awaited[dependent] == 0) ready.push(dependent);
    }
  }
  return order;
}

GraphPlanRef Graph::plan() const {
  const std::vector<GraphNode*> order = ordered();
  if (order.size() != nodes_.size()) return nullptr;
  const auto index = index_of(order);
  auto plan = std::make_shared<GraphPlan>();
  plan->graph = id_;
  for (const GraphNode* node : order) {
    GraphPlan::Step step{node->id, node->content, {}, true};
    if (node->content.child) {
      const GraphPlanRef inner = node->content.child->plan();
      if (!inner) return nullptr;
      step.content.work = std::make_shared<const Work>(GraphWork{inner, nullptr});
    }
    for (const GraphNode* dependency : node->dependencies) {
      step.after.push_back(index.at(dependency));
    }
    std::sort(step.after.begin(), step.after.end());
    plan->steps.push_back(std::move(step));
  }
  for (const auto& entry : user_objects) {
    entry.first->retain(1);
    plan->user_objects.push_back(std::make_shared<UserObjectLease>(entry.first, 1u));
  }
  return plan;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::unordered_map<const GraphNode*, GraphNode*> twin;
  copy->original_ = id_;
  for (const GraphNodeRef& node : nodes_) {
    NodeWork content = node->content;
    if (content.child) content = child_node_work(content.child->clone(), content.device);
    twin[node.get()] = copy->add(std::move(content), {});
    twin[node.get()]->original = node->id;
  }
  for (const auto& entry : user_objects) {
    entry.first->retain(1);
    copy->user_objects[entry.first] = std::make_shared<UserObjectLease>(entry.first, 1u);
  }
  for (const GraphEdge& edge : edges()) copy->connect(twin[edge.from], twin[edge.to]);
  return copy;
}

std::shared_ptr<LaunchedEvents> launch_events(const GraphPlan& plan) {
  auto events = std::make_shared<LaunchedEvents>();
  collect(plan, *events);
  return events->records.empty() ? nullptr : events;
}

void run_plan(const GraphPlan& plan, const WorkPlace& place, LaunchedEvents* events) {
  // So many steps will find something to share, and helpers need some time to wake up.
  constexpr size_t kManySteps = 16;
  if (plan.steps.size() >= kManySteps) WorkerPool::instance().expect_work();
  for (const GraphPlan::Step& step : plan.steps) {
    if (device_lost()) return;
    WorkPlace there = place;
    there.device = step.content.device;
    there.node = step.content.set_by;
    if (!step.enabled) continue;
    const Work& work = *step.content.work;
    if (const auto* inner = std::get_if<GraphWork>(&work)) {
      run_plan(*inner->plan, there, events);
    } else if (const auto* event = std::get_if<GraphEventWork>(&work)) {
      pass_event(*event, *events);
    } else {
      run_work(work, there);
    }
  }
}

std::unique_lock<std::mutex> graph_lock() {
  static auto* const mutex = new std::mutex;
  return std::unique_lock<std::mutex>(*mutex);
}

}  // namespace greta::sim
