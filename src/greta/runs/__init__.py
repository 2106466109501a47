"""Run folders: running a program under the recorder, keeping what says what ran, reading it again.

record.record(request) runs a program; review.review(run) completes run.json and sums it up;
gather.gather(path) is the evidence that a folder holds; pinning.Search runs it again.
"""
