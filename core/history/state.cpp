#include "core/history/state.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/history/query.h"

namespace faultline {
namespace {

std::int64_t bucketOf(MonotonicTime time, std::size_t tier) {
  return time.sinceEpoch / kTierWidth[tier];
}

template <class AnyTrack>
Spread foldLatest(const AnyTrack& track, Weight by, const Timeline& timeline, std::uint32_t first, std::uint32_t last) {
  if (track.empty()) return {};
  if (track.steadySince(first)) return track.spread(track.size() - 1);  // most processes are idle
  std::uint32_t cursor = track.runAt(first) % track.size();             // 0 if the track begins later
  return fold(track, by, timeline, first, last, cursor).spread;
}

double share(Nanoseconds part, Nanoseconds whole) {
  return whole.count() > 0 ? static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 1;
}

// To compare: NaN differs from itself.
std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

bool same(const RawValues& left, const RawValues& right) {
  std::uint32_t differ = 0;
  for (std::size_t i = 0; i < kKeptCount; ++i) differ |= bits(left[i]) ^ bits(right[i]);
  return differ == 0;
}

// Memory of a text beyond its own object.
std::size_t heapBytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? allocatedBytes(text.capacity() + 1) : 0;
}

std::string_view serviceOf(const Life& life) {
  return life.service ? std::string_view(*life.service) : std::string_view();
}

std::size_t serviceBytes(const Life& life) {
  return life.service ? allocatedBytes(sizeof(std::string)) + heapBytes(*life.service) : 0;
}

constexpr std::size_t kMapNodeLinks = 32;  // colour and three pointers

}  // namespace

std::size_t History::State::bytes() const {
  std::size_t sum = nameBytes + otherBytes;
  for (const std::size_t tier : tierBytes) sum += tier;
  sum += lives.size() * allocatedBytes(sizeof(std::pair<const ProcessKey, Life>) + kMapNodeLinks);
  sum += allocatedBytes(alive.capacity() * sizeof(Living)) + allocatedBytes(scratch.capacity() * sizeof(Living));
  return sum + dead.size() * sizeof(Dead) + sizeof(State);
}

std::optional<float> History::State::at(const Life& life, ProcessMetric metric, MonotonicTime time) const {
  const Timeline& raw = timelines[0];
  if (raw.empty() || time > raw.back().start + kLateFactor * lastInterval) return std::nullopt;
  return valueAt(timelines, life, metric, time);
}

const Life* History::State::find(const ProcessKey& key) const {
  const auto it = lives.find(key);
  return it == lives.end() ? nullptr : &it->second;
}

void History::State::add(const Moment& moment) {
  Timeline& raw = timelines[0];
  if (!raw.empty() && moment.time <= raw.back().start) return;
  for (std::size_t tier = 1; tier < kTierCount; ++tier) {
    const Timeline& finer = timelines[tier - 1];
    if (folded[tier] == finer.next()) continue;
    if (bucketOf(finer.numbered(folded[tier]).start, tier) != bucketOf(moment.time, tier)) close(tier);
  }
  if (raw.full() && !shorten(0)) *this = State(options);  // unreachable: a collector sends no millions within seconds
  const std::uint32_t slot = raw.next();
  raw.push(moment.time, moment.time, moment.wallTime, moment.gap != Gap::None,
           {moment.interval, 1, moment.brief ? 1U : 0U}, tierBytes[0]);
  addRows(moment, slot);
  append(total, keptTotals(moment), nullptr, slot);
  const auto values = keptMachine(moment);
  for (std::size_t i = 0; i < kMachineCount; ++i) machine[i].raw.append({slot, values[i]}, tierBytes[0]);
  total.last = moment.time;
  lastInterval = moment.interval;
  keepBudget();
}

void History::State::addRows(const Moment& moment, std::uint32_t slot) {
  scratch.clear();
  auto old = alive.begin();
  for (const ProcessRow& row : moment.rows) {
    for (; old != alive.end() && old->key < row.key; ++old) end(*old);
    const bool known = old != alive.end() && old->key == row.key;
    scratch.push_back(known ? *old++ : Living{row.key, &begin(row, moment.time), kAllAbsent, 0});
    Living& living = scratch.back();
    if (living.life->name != row.name) rename(*living.life, row.name);
    if (serviceOf(*living.life) != row.service) move(*living.life, row.service);
    living.life->last = moment.time;
    const std::uint32_t zeros = row.idle ? row.deltas.present() : 0;
    if (zeros != 0 && zeros == living.zeros) continue;  // was idle before, too: the same values
    living.zeros = zeros;
    const RawValues values = keptValues(moment, row);
    if (!same(values, living.values)) {
      append(*living.life, values, &living.values, slot);
      living.life->changed = moment.time;
    }
    living.values = values;
  }
  for (; old != alive.end(); ++old) end(*old);
  alive.swap(scratch);
}

void History::State::append(Life& life, const RawValues& values, const RawValues* before, std::uint32_t slot) {
  const auto other = values.begin() + kPlainSeries;
  if (!life.others && !std::all_of(other, values.end(), [](float value) { return std::isnan(value); })) {
    life.others = std::make_unique<OtherTracks>();
    otherBytes += allocatedBytes(sizeof(OtherTracks));
  }
  std::size_t i = 0;
  life.forEachSeries([&](Tracks& series) {
    if (before == nullptr || bits(values[i]) != bits((*before)[i])) series.raw.append({slot, values[i]}, tierBytes[0]);
    ++i;
  });
}

Life& History::State::begin(const ProcessRow& row, MonotonicTime time) {
  const auto [it, fresh] = lives.try_emplace(row.key);
  Life& life = it->second;
  if (fresh) {
    life.first = time;
    return life;
  }
  // The process was unreadable for a while.
  dead.erase(std::ranges::find(dead, &life, &Dead::life));
  life.forEachSeries(
      [&](Tracks& series) { series.raw.append({timelines[0].after(life.last), kAbsent}, tierBytes[0]); });
  for (std::size_t tier = 1; tier < kTierCount; ++tier) {
    const std::uint32_t away = timelines[tier].after(life.last);
    if (away == timelines[tier].next()) continue;
    life.forEachSeries([&](Tracks& series) { series.coarse[tier - 1].append(away, {}, tierBytes[tier]); });
  }
  return life;
}

void History::State::end(const Living& living) {
  living.life->forEachSeries([&](Tracks& series) { series.raw.shrink(tierBytes[0]); });
  dead.push_back({living.life->first, living.life->last, living.key, living.life});
}

void History::State::rename(Life& life, const std::string& name) {
  nameBytes -= heapBytes(life.name);
  life.name = name;
  nameBytes += heapBytes(life.name);
}

void History::State::move(Life& life, const std::string& service) {
  nameBytes -= serviceBytes(life);
  life.service = service.empty() ? nullptr : std::make_unique<const std::string>(service);
  nameBytes += serviceBytes(life);
}

void History::State::close(std::size_t tier) {
  const Timeline& finer = timelines[tier - 1];
  const std::uint32_t first = folded[tier];
  const std::uint32_t last = finer.next();
  const Slot slot = finer.numbered(first);

  // A process whose values are those of all of the bucket before has them in this one, too, without another run.
  const auto steadyFrom = timelines[tier].empty() ? std::nullopt : std::optional(timelines[tier].back().start);
  for (const Living& living : alive)
    if (!steadyFrom || living.life->changed > *steadyFrom) foldInto(tier, *living.life, first, last);
  for (auto it = std::ranges::lower_bound(dead, slot.start, {}, &Dead::last); it != dead.end(); ++it) {
    foldInto(tier, *it->life, first, finer.after(it->last));
    it->life->forEachSeries([&](Tracks& series) { series.coarse[tier - 1].shrink(tierBytes[tier]); });
  }
  foldInto(tier, total, first, last);
  for (std::size_t i = 0; i < kMachineCount; ++i)
    foldSeries(tier, machine[i], weightOf(kMachineMetrics[i]), first, last, 1);
  timelines[tier].push(slot.start, finer.back().end, slot.wall, slot.gapBefore, finer.sums(first, last),
                       tierBytes[tier]);
  folded[tier] = last;

  const Nanoseconds horizon = tier == 1 ? options.fullResolution : kTierHorizon[tier - 1];
  trim(tier - 1, timelines[tier].back().end - horizon);
}

void History::State::foldInto(std::size_t tier, Life& life, std::uint32_t first, std::uint32_t last) {
  const Timeline& finer = timelines[tier - 1];
  const double lived = share(finer.sums(first, last).covered, finer.sums(first, finer.next()).covered);
  std::size_t index = 0;
  life.forEachSeries(
      [&](Tracks& series) { foldSeries(tier, series, weightOf(kKeptMetrics[index++]), first, last, lived); });
}

void History::State::foldSeries(std::size_t tier, Tracks& series, Weight by, std::uint32_t first, std::uint32_t last,
                                double lived) {
  const bool finerEmpty = tier == 1 ? series.raw.empty() : series.coarse[tier - 2].empty();
  if (finerEmpty && series.coarse[tier - 1].empty()) return;  // a series that has never been present
  const Timeline& finer = timelines[tier - 1];
  Spread spread = tier == 1 ? foldLatest(series.raw, by, finer, first, last)
                            : foldLatest(series.coarse[tier - 2], by, finer, first, last);
  if (by == Weight::Time) spread.part = static_cast<float>(spread.part * lived);
  series.coarse[tier - 1].append(timelines[tier].next(), spread, tierBytes[tier]);
}

void History::State::dropOld(std::size_t tier, Life& life) {
  const auto drop = [&](auto& track) {
    if (life.last < timelines[tier].front().start) track.clear(tierBytes[tier]);
    else track.dropBefore(timelines[tier].base(), tierBytes[tier]);
  };
  life.forEachSeries([&](Tracks& series) {
    if (tier == 0) drop(series.raw);
    else drop(series.coarse[tier - 1]);
  });
}

// Drops the slots of a tier that ended before `cutoff` and that the next coarser tier holds in whole buckets.
void History::State::trim(std::size_t tier, MonotonicTime cutoff) {
  if (tier + 1 < kTierCount) {
    const Timeline& coarser = timelines[tier + 1];
    const std::uint32_t bucket = coarser.lastAt(cutoff);
    if (bucket == coarser.size()) return;
    cutoff = coarser[bucket].start;
  }
  const std::uint32_t gone = timelines[tier].firstFrom(cutoff);
  if (gone == 0) return;
  const MonotonicTime oldest = timelines[tier].front().start;
  timelines[tier].dropBefore(timelines[tier].base() + gone, tierBytes[tier]);
  for (const Living& living : alive) dropOld(tier, *living.life);
  for (auto it = std::ranges::lower_bound(dead, oldest, {}, &Dead::last); it != dead.end(); ++it) {
    if (it->first < cutoff) dropOld(tier, *it->life);
  }
  dropOld(tier, total);
  for (Tracks& series : machine) {
    if (tier == 0) series.raw.dropBefore(timelines[0].base(), tierBytes[0]);
    else series.coarse[tier - 1].dropBefore(timelines[tier].base(), tierBytes[tier]);
  }
}

// Drops dead processes first, in the order in which they died; then an eighth of the largest tier.
void History::State::keepBudget() {
  const std::size_t mostDead = options.budgetBytes / 8 / 1024;
  while (dead.size() > mostDead || (bytes() > options.budgetBytes && !dead.empty())) evictDead();
  while (bytes() > options.budgetBytes) {
    std::array<std::size_t, kTierCount> order{0, 1, 2, 3};
    std::ranges::sort(order, std::greater{}, [this](std::size_t tier) { return tierBytes[tier]; });
    if (std::ranges::none_of(order, [this](std::size_t tier) { return shorten(tier); })) return;
  }
}

void History::State::evictDead() {
  Life& life = *dead.front().life;
  life.forEachSeries([&](Tracks& series) {
    series.raw.clear(tierBytes[0]);
    for (std::size_t tier = 1; tier < kTierCount; ++tier) series.coarse[tier - 1].clear(tierBytes[tier]);
  });
  if (life.others) otherBytes -= allocatedBytes(sizeof(OtherTracks));
  nameBytes -= heapBytes(life.name) + serviceBytes(life);
  lives.erase(dead.front().key);
  dead.pop_front();
}

// Drops the oldest eighth of a tier, in whole buckets of the next tier. No finer tier is kept for longer.
bool History::State::shorten(std::size_t tier) {
  const Timeline& timeline = timelines[tier];
  if (timeline.size() < 2) return false;
  const std::uint32_t base = timeline.base();
  MonotonicTime cutoff = timeline[std::max(1U, timeline.size() / 8)].start;
  if (tier + 1 < kTierCount) {
    const Timeline& coarser = timelines[tier + 1];
    std::uint32_t bucket = coarser.lastAt(cutoff);
    if (bucket != coarser.size() && coarser[bucket].start <= timeline.front().start) ++bucket;
    if (bucket >= coarser.size()) return false;
    cutoff = coarser[bucket].start;
  }
  trim(tier, cutoff);
  for (std::size_t finer = tier; finer-- > 0;) trim(finer, cutoff);
  return timeline.base() != base;
}

}  // namespace faultline
