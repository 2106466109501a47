// Which lifetime of a handle or of memory a call means.
#include <algorithm>

#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr int64_t none = -1;

// The place of a group; the one that was found last is likely to be meant again.
int64_t group_at(const greta_begun& begun, int64_t group, int64_t& last) {
  if (last < begun.group_count && begun.groups[last] == group) return last;
  const int64_t* end = begun.groups + begun.group_count;
  const int64_t* found = std::lower_bound(begun.groups, end, group);
  if (found == end || *found != group) return none;
  return last = found - begun.groups;
}

// The last thing of a group that has begun by then. Calls come in order: mostly it is the one that
// was found last, or the next one.
int64_t last_begun(const greta_begun& begun, int64_t group, int64_t when) {
  int64_t start = begun.starts[group], stop = begun.starts[group + 1];
  int64_t& hint = begun.hints[group];
  const int64_t *first = begun.begins + start, *end = begun.begins + stop;
  for (int64_t place = hint; place < std::min(hint + 2, stop); ++place) {
    if (begun.begins[place] > when) break;
    if (place + 1 == stop || begun.begins[place + 1] > when) return hint = place;
  }
  const int64_t* found = std::upper_bound(first, end, when);
  if (found == first) return none;
  return hint = found - begun.begins - 1;
}

struct Found {
  int64_t lifetime;
  bool live;
};

Found in_level(const greta_lifetimes& all, const greta_level& level, int64_t group, int64_t seq) {
  int64_t place = last_begun(level.begun, group, seq);
  if (place == none) return {none, false};
  int64_t lifetime = level.lifetimes[place];
  if (all.lasts[lifetime] >= seq) return {lifetime, true};
  int64_t oldest = std::max(level.begun.starts[group], place - all.earlier);
  while (place-- > oldest) {
    if (all.lasts[level.lifetimes[place]] >= seq) return {level.lifetimes[place], true};
  }
  return {lifetime, false};
}

// Live ones before ended ones, the later before the earlier.
bool is_better(const greta_lifetimes& all, const Found& one, const Found& best) {
  if (one.lifetime == none || best.lifetime == none) return one.lifetime != none;
  if (one.live != best.live) return one.live;
  const int64_t* time = one.live ? all.firsts : all.lasts;
  return time[one.lifetime] > time[best.lifetime];
}

Found found_at(const greta_lifetimes& all, uint64_t address, int64_t seq) {
  const uint64_t* end = all.borders + all.border_count;
  int64_t piece = std::upper_bound(all.borders, end, address) - all.borders - 1;
  Found best{none, false};
  for (int64_t number = 0; number < all.level_count; ++number) {
    const greta_level& level = all.levels[number];
    int64_t last = 0, group = group_at(level.begun, piece >> level.shift, last);
    if (group == none) continue;
    Found here = in_level(all, level, group, seq);
    if (is_better(all, here, best)) best = here;
  }
  return best;
}

}  // namespace

GRETA_EXPORTED void greta_reading_last_begun(const greta_begun* begun, const int64_t* groups,
                                             const int64_t* whens, int64_t count, int64_t* found) {
  int64_t last = 0;
  for (int64_t at = 0; at < count; ++at) {
    int64_t group = group_at(*begun, groups[at], last);
    found[at] = group == none ? none : last_begun(*begun, group, whens[at]);
  }
}

GRETA_EXPORTED void greta_reading_find(const greta_lifetimes* lifetimes, const uint64_t* addresses,
                                       const int64_t* seqs, int64_t count, int64_t* found,
                                       uint8_t* live) {
  for (int64_t at = 0; at < count; ++at) {
    Found one = found_at(*lifetimes, addresses[at], seqs[at]);
    found[at] = one.lifetime;
    live[at] = one.live;
  }
}

GRETA_EXPORTED void greta_reading_fits(const greta_lifetimes* lifetimes, const greta_copies* copies,
                                       const greta_named* named, uint8_t* fits, int64_t* found) {
  for (int64_t at = 0; at < copies->count; ++at) {
    int64_t model = copies->models[at], asked = named->asked[model];
    found[at] = none;
    if (asked == none) continue;
    Found one = found_at(*lifetimes, named->addresses[asked], copies->seqs[at]);
    int64_t kind = one.lifetime == none ? none : 2 * named->kinds[one.lifetime] + one.live;
    if (copies->places[at] == named->places[asked]) named->model_kinds[asked] = kind;
    if (kind != named->model_kinds[asked]) fits[at] = 0;
    if (one.lifetime != none) found[at] = named->rows[one.lifetime];
  }
}
