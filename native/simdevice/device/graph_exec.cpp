#include "device/graph_exec.h"

#include "device/capture.h"

namespace greta::sim {
namespace {

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
  }
  return {};
}

}  // namespace

GraphPlanRef GraphExec::plan() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return plan_;
}

hipError_t GraphExec::launch(const StreamRef& stream) {
  if (is_capturing(*stream)) return capture_work(stream, GraphWork{plan()});
  std::lock_guard<std::mutex> lock(mutex_);
  if (plan_->steps.empty()) return hipSuccess;
  // The stream keeps its own order; the wait matters when the launches are on two streams.
  last_launch_ = stream->submit(GraphWork{plan_}, last_launch_);
  return hipSuccess;
}

GraphUpdate GraphExec::update(const GraphPlan& next) {
  std::lock_guard<std::mutex> lock(mutex_);
  const GraphUpdate outcome = compare(*plan_, next);
  if (outcome.result != hipGraphExecUpdateSuccess) return outcome;
  // The steps keep the names of the nodes they were made from.
  auto updated = std::make_shared<GraphPlan>(*plan_);
  for (size_t i = 0; i < next.steps.size(); ++i) updated->steps[i].content = next.steps[i].content;
  plan_ = std::move(updated);
  return outcome;
}

std::optional<NodeWork> GraphExec::find(GraphNodeId node) const {
  const GraphPlanRef plan = this->plan();
  for (const GraphPlan::Step& step : plan->steps) {
    if (step.node == node) return step.content;
  }
  return std::nullopt;
}

bool GraphExec::set(GraphNodeId node, NodeWork content) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto updated = std::make_shared<GraphPlan>(*plan_);
  for (GraphPlan::Step& step : updated->steps) {
    if (step.node != node) continue;
    step.content = std::move(content);
    plan_ = std::move(updated);
    return true;
  }
  return false;
}

}  // namespace greta::sim
