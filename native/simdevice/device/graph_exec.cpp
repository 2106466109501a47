#include "device/graph_exec.h"

#include <map>

#include "device/capture.h"
#include "device/graph_memory.h"

namespace greta::sim {
namespace {

const GraphPlan* inner_of(const GraphPlan::Step& step) {
  const auto* inner = std::get_if<GraphWork>(step.content.work.get());
  return inner != nullptr ? inner->plan.get() : nullptr;
}

GraphUpdate compare(const GraphPlan& ours, const GraphPlan& next) {
  if (ours.steps.size() != next.steps.size()) return {hipGraphExecUpdateErrorTopologyChanged, 0};
  for (size_t i = 0; i < ours.steps.size(); ++i) {
    const GraphPlan::Step& was = ours.steps[i];
    const GraphPlan::Step& is = next.steps[i];
    if (was.content.type != is.content.type) {
      return {hipGraphExecUpdateErrorNodeTypeChanged, is.node};
    }
    if (was.after != is.after) return {hipGraphExecUpdateErrorTopologyChanged, is.node};
    if (was.content.kind != is.content.kind) {
      return {hipGraphExecUpdateErrorParametersChanged, is.node};
    }
    const bool on_device =
        is.content.type != hipGraphNodeTypeHost && is.content.type != hipGraphNodeTypeEmpty;
    if (on_device && was.content.device != is.content.device) {
      return {hipGraphExecUpdateErrorUnsupportedFunctionChange, is.node};
    }
    if (was.content.allocation() != is.content.allocation()) {
      return {hipGraphExecUpdateErrorNotSupported, is.node};
    }
    if (inner_of(was) != nullptr && inner_of(is) != nullptr) {
      const GraphUpdate inner = compare(*inner_of(was), *inner_of(is));
      if (inner.result != hipGraphExecUpdateSuccess) return {inner.result, is.node};
    }
  }
  return {};
}

// The steps keep the names of the nodes they were made from, and whether they are on.
GraphPlanRef with_contents_of(const GraphPlan& plan, const GraphPlan& next) {
  auto updated = std::make_shared<GraphPlan>(plan);
  updated->user_objects = next.user_objects;
  for (size_t i = 0; i < next.steps.size(); ++i) {
    const GraphPlan* was = inner_of(plan.steps[i]);
    const GraphPlan* is = inner_of(next.steps[i]);
    updated->steps[i].content = next.steps[i].content;
    if (was == nullptr || is == nullptr) continue;
    updated->steps[i].content.work =
        std::make_shared<const Work>(GraphWork{with_contents_of(*was, *is), nullptr});
  }
  return updated;
}

const GraphPlan::Step* find_step(const GraphPlan& plan, GraphNodeId node) {
  for (const GraphPlan::Step& step : plan.steps) {
    if (step.node == node) return &step;
    const GraphPlan* inner = inner_of(step);
    const GraphPlan::Step* found = inner != nullptr ? find_step(*inner, node) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

// A plan in which one step is changed; null if there is no such step.
template <typename Change>
GraphPlanRef edited(const GraphPlan& plan, GraphNodeId node, const Change& change) {
  auto updated = std::make_shared<GraphPlan>(plan);
  for (GraphPlan::Step& step : updated->steps) {
    if (step.node == node) {
      change(step);
      return updated;
    }
    const GraphPlan* inner = inner_of(step);
    const GraphPlanRef next = inner != nullptr ? edited(*inner, node, change) : nullptr;
    if (!next) continue;
    step.content.work = std::make_shared<const Work>(GraphWork{next, nullptr});
    return updated;
  }
  return nullptr;
}

}  // namespace

GraphPlanRef GraphExec::plan() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return plan_;
}

// Memory that the last launch allocated and nobody has freed cannot be allocated again, unless the
// graph was instantiated to free it first.
hipError_t GraphExec::begin_lives() const {
  const bool frees_first = (flags_ & hipGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  std::map<GraphAllocation*, bool> live;
  bool refused = false;
  for_each_step(*plan_, [&](const GraphPlan::Step& step) {
    GraphAllocation* memory = step.content.allocation();
    const GraphMemory* const captured = step.content.memory.get();
    if (captured != nullptr && !captured->is_freed_with_graph()) {
      note_owner(*captured->allocation(), true);
    }
    if (memory == nullptr) return;
    const bool allocates = step.content.type == hipGraphNodeTypeMemAlloc;
    const auto [state, is_new] = live.emplace(memory, memory->is_live());
    if (is_new && allocates && frees_first) state->second = false;
    refused = refused || state->second == allocates;
    state->second = allocates;
  });
  if (refused) return hipErrorInvalidValue;
  for (const auto& [memory, is_live] : live) {
    // A life within one launch counts, too.
    memory->end_life();
    if (memory->begin_life() && !is_live) memory->end_life();
    note_owner(*memory->allocation(), is_live);
  }
  return hipSuccess;
}

hipError_t GraphExec::launch(const StreamRef& stream) {
  if (is_capturing(*stream)) return capture_work(stream, GraphWork{plan(), nullptr});
  std::lock_guard<std::mutex> lock(mutex_);
  if (plan_->steps.empty()) return hipSuccess;
  if (const hipError_t error = begin_lives()) return error;
  // The stream keeps its own order; the wait matters when the launches are on two streams.
  last_launch_ = stream->submit(GraphWork{plan_, launch_events(*plan_)}, last_launch_);
  return hipSuccess;
}

GraphUpdate GraphExec::update(const GraphPlan& next) {
  std::lock_guard<std::mutex> lock(mutex_);
  const GraphUpdate outcome = compare(*plan_, next);
  if (outcome.result == hipGraphExecUpdateSuccess) plan_ = with_contents_of(*plan_, next);
  return outcome;
}

std::optional<NodeWork> GraphExec::find(GraphNodeId node) const {
  const GraphPlanRef plan = this->plan();
  const GraphPlan::Step* step = find_step(*plan, node);
  return step != nullptr ? std::optional<NodeWork>(step->content) : std::nullopt;
}

template <typename Change>
bool GraphExec::edit(GraphNodeId node, Change change) {
  std::lock_guard<std::mutex> lock(mutex_);
  GraphPlanRef updated = edited(*plan_, node, change);
  if (!updated) return false;
  plan_ = std::move(updated);
  return true;
}

bool GraphExec::set(GraphNodeId node, NodeWork content) {
  return edit(node, [&](GraphPlan::Step& step) {
    if (content.type == hipGraphNodeTypeKernel) content.attributes = step.content.attributes;
    step.content = content;
  });
}

hipError_t GraphExec::set_child(GraphNodeId node, const GraphPlan& next) {
  const std::optional<NodeWork> before = find(node);
  const auto* inner = before ? std::get_if<GraphWork>(before->work.get()) : nullptr;
  if (inner == nullptr || !inner->plan) return hipErrorInvalidValue;
  // As AMD's library says that a graph is built otherwise.
  if (compare(*inner->plan, next).result != hipGraphExecUpdateSuccess) return hipErrorUnknown;
  const GraphPlanRef updated = with_contents_of(*inner->plan, next);
  edit(node, [&](GraphPlan::Step& step) {
    step.content.work = std::make_shared<const Work>(GraphWork{updated, nullptr});
  });
  return hipSuccess;
}

std::optional<bool> GraphExec::is_enabled(GraphNodeId node) const {
  const GraphPlanRef plan = this->plan();
  const GraphPlan::Step* step = find_step(*plan, node);
  return step != nullptr ? std::optional<bool>(step->enabled) : std::nullopt;
}

bool GraphExec::set_enabled(GraphNodeId node, bool enabled) {
  return edit(node, [&](GraphPlan::Step& step) { step.enabled = enabled; });
}

}  // namespace greta::sim
