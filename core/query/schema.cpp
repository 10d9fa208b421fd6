#include "core/query/schema.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "core/model/metric.h"
#include "core/query/sums.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json member(std::string_view type, std::string_view about) {
  return {{"type", type}, {"description", about}};
}

Json orNull(std::string_view type, std::string_view about) {
  return {{"type", {type, "null"}}, {"description", about}};
}

Json objectOf(Json properties, std::string_view about) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items())
    if (!schema.contains("optional")) required.push_back(name);
    else schema.erase("optional");
  return {{"type", "object"},
          {"description", about},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json optional(Json schema) {
  schema["optional"] = true;  // objectOf() takes it out
  return schema;
}

Json listOfRows(Json row, std::string_view about) {
  return {{"type", "array"}, {"description", about}, {"items", std::move(row)}};
}

Json asElsewhere(std::string_view about) {
  return {{"type", {"object", "null"}}, {"description", about}};
}

Json head(Ask ask) {
  const Json quality = objectOf({{"grade", member("string", "exact, estimated or unavailable")},
                                 {"how", member("string", "The source, the way of estimating, or why there is none.")},
                                 {"enable", member("string", "What would make it available; may be empty.")}},
                                "How good a number is.");
  return {{"schema", {{"const", kAnswerSchema}, {"description", "The version of these members."}}},
          {"ask", {{"const", kindOf(ask).name}, {"description", "The question."}}},
          {"file", orNull("string", "The recording; null: the running machine.")},
          {"remark", orNull("string", "What is missing of a recording that is damaged or cut off.")},
          {"units", member("object", "The units, by the ends of names.")},
          {"quality",
           {{"type", "object"}, {"description", "Of each number, or group."}, {"additionalProperties", quality}}}};
}

void putTime(Json& out) {
  out.update({{"since", member("string", "Wall time of the first sweep that was asked for, in UTC.")},
              {"until", member("string", "The same of the last.")},
              {"duration_ns", member("integer", "Time that the sums are of.")}});
}

Json counters() {
  Json out = Json::object();
  for (const ProcessMetric metric : allProcessMetrics())
    if (field(metric).kind == MetricKind::Counter)
      out[std::string(field(metric).name)] = orNull("integer", field(metric).meaning);
  return out;
}

Json gauges() {
  Json out = Json::object();
  for (const ProcessMetric metric : allProcessMetrics()) {
    if (field(metric).kind == MetricKind::Counter || metric == ProcessMetric::ParentPid) continue;
    const std::string name(field(metric).name);
    out[name] = orNull("integer", field(metric).meaning);
    out[name + "_peak"] = orNull("integer", "Its highest.");
  }
  return out;
}

Json others(const Json& more = Json::object()) {
  Json members{{"count", member("integer", "How many.")}};
  members.update(more);
  return objectOf(members, "What is not listed.");
}

void putName(Json& out) {
  out["name"] = member("string", "Bytes that are not UTF-8 as \\xNN.");
  out["name_hex"] = optional(member("string", "All bytes of a name that is not UTF-8."));
}

void putSweeps(Json& out) {
  putTime(out);
  for (const char* const name : {"since", "until", "duration_ns"}) out[name] = optional(out[name]);
  const auto add = [&](const char* name, Json schema) { out[name] = optional(std::move(schema)); };
  add("sweeps", member("integer", "Of sweeps, as the following: how many."));
  add("lost_sweeps", member("integer", "That damage took."));
  add("gaps", member("object", "How many sweeps came after which gap."));
  add("most_processes", member("integer", "At one time."));
  add("born", member("integer", "Processes that started."));
  add("died", member("integer", "Processes that ended."));
  add("processes_left_out", member("integer", "The most that one sweep lacked."));
  add("total", objectOf(counters(), "Sums of all processes but Faultline's own."));
  add("own", objectOf(counters(), "Sums of Faultline's own."));
  add("unattributed_faults", orNull("integer", "Faults of the machine that belong to no process that was seen."));
  add("spikes", member("integer", "Bursts that stand out."));
  add("hello", asElsewhere("As export --format json has it: machine, metrics."));
}

Json summaryMembers() {
  Json out{{"holds", member("string", "sweeps or frames")}};
  putSweeps(out);
  const auto add = [&](const char* name, Json schema) { out[name] = optional(std::move(schema)); };
  add("watched", asElsewhere("Of frames, as the following; as frames --json has it: the game."));
  add("summary", asElsewhere("As frames --json has it: counts, losses, percentiles."));
  add("text", member("string", "The summary in words."));
  add("advice", asElsewhere("As frames --json has it, of the whole recording: what to do."));
  add("delay", asElsewhere("As frames --json has it: what delays of faults have shown."));
  return out;
}

Json processRow(SumBy by) {
  const bool alone = by == SumBy::Process;
  Json row = Json::object();
  if (alone)
    row.update({{"pid", member("integer", "")}, {"start_time", member("integer", "ns since boot: pids are reused.")}});
  putName(row);
  if (alone) row["service"] = orNull("string", "The systemd unit or container that it runs in; none; null: unknown.");
  if (by != SumBy::Service) row["own"] = member("boolean", "Faultline's own.");
  if (!alone)
    row.update({{"running", member("integer", "Processes at the end of the time.")},
                {"most_at_once", member("integer", "Processes.")},
                {"started", member("integer", "Processes, in this time.")}});
  else row.update({{"born", member("boolean", "In this time.")}, {"running", member("boolean", "At the end of it.")}});
  row.update(counters());
  row.update(gauges());
  return objectOf(row, "Counters are sums over the time; levels are those at its end.");
}

Json processesMembers() {
  Json out = Json::object();
  putTime(out);
  out.update(
      {{"by", member("string", "process, program or service")},
       {"metric", member("string", "By which rows are ranked: its sum, or the peak of a level.")},
       {"processes", optional(listOfRows(processRow(SumBy::Process), "Ended ones, too; the largest first."))},
       {"programs", optional(listOfRows(processRow(SumBy::Program), "Processes of one name; the largest first."))},
       {"services", optional(listOfRows(processRow(SumBy::Service),
                                        "Processes of one systemd unit or container; the largest first."))},
       {"others", others({{"sums", objectOf(counters(), "Theirs.")}})}});
  return out;
}

Json spikesMembers() {
  Json row = Json::object();
  putName(row);
  row.update({{"of", member("string", "process, zeroing_threads or zeroed_list")},
              {"pid", member("integer", "")},
              {"start_time", member("integer", "ns since boot: pids are reused.")},
              {"parent", orNull("string", "Name of the program that started it.")},
              {"begins", member("string", "Wall time, in UTC.")},
              {"since_start_ns", member("integer", "Since the start of the recording.")},
              {"duration_ns", member("integer", "")},
              {"metric", member("string", "In which it is largest.")},
              {"peak_per_s", member("number", "Of the metric.")},
              {"usual_per_s", member("number", "Of the metric: the recent median.")},
              {"ended", member("boolean", "")},
              {"text", member("string", "In words.")},
              {"cost", objectOf(counters(), "All counters, from begin to end.")}});
  Json out = Json::object();
  putTime(out);
  out["spikes"] = listOfRows(objectOf(row, "A burst."), "The heaviest first.");
  out["others"] = others();
  return out;
}

void putCost(Json& out) {
  out.update({{"faults", member("integer", "That samples stand for.")},
              {"fault_ns", orNull("integer", "Their time; null unless that of each sample is known.")},
              {"share", member("number", "Of the time, else of the faults.")}});
}

Json culpritsMembers() {
  Json row{{"name", member("string", "Line of code, mapping, thread or kind of fault.")},
           {"thread", optional(member("integer", "Its id."))}};
  putCost(row);
  row["frames"] = member("integer", "In which it is found.");
  Json rest = Json::object();
  putCost(rest);
  return {{"culprits", listOfRows(objectOf(row, "A culprit."), "The largest first.")},
          {"others", objectOf(rest, "What is not listed.")}};
}

Json sampledMembers() {
  return {{"samples", member("integer", "Single faults that were looked at.")},
          {"sampled_faults", member("integer", "That they stand for.")},
          {"sampled_fault_ns", orNull("integer", "Their time.")},
          {"share_of", member("string", "fault_ns or faults")}};
}

Json sampledJson() {
  Json stack{{"thread", member("string", "Its name.")},
             {"calls", {{"type", "array"}, {"description", "The outermost first."}, {"items", {{"type", "string"}}}}}};
  putCost(stack);
  Json out = sampledMembers();
  for (const char* const by : {"by_culprit", "by_mapping", "by_thread", "by_kind"})
    out[by] = objectOf(culpritsMembers(), "The same faults.");
  out["stacks"] = listOfRows(objectOf(stack, "A call stack."), "The largest first.");
  return objectOf(out, "The page faults of the frame, by samples.");
}

Json ledgerMembers() {
  return objectOf(
      {{"lasted_ns", member("integer", "The frame.")},
       {"faults_ns", orNull("integer", "In page faults on the path of the frame, without waits for a processor.")},
       {"teardown_ns", orNull("integer", "The same, giving memory back.")},
       {"of_both_in_awaited_threads_ns", orNull("integer", "Of both: in threads for which the thread waited.")},
       {"running_ns", orNull("integer", "All else that it ran.")},
       {"waiting_for_a_processor_ns", orNull("integer", "In and outside faults.")},
       {"of_that_behind_one_program_ns",
        orNull("integer", "Of that: while the program waiting_behind ran on the processor.")},
       {"sleeping_ns", orNull("integer", "In all, with the time in awaited threads.")},
       {"sleeping_for_nobody_ns", orNull("integer", "Of that: for nobody of the game, such as the display.")},
       {"estimated_of_faults_ns", orNull("integer", "Of the time in faults: by the price of a fault.")},
       {"measured", member("boolean", "The thread's own time is known.")},
       {"faults_timed", member("boolean", "And that of its faults.")}},
      "How the thread that ends the frame spent it: faults and giving back, less that in awaited threads, running, "
      "waiting and sleeping add up to the frame.");
}

Json framesMembers(bool details) {
  Json row{{"since_start_ns", member("integer", "Since the first frame of the recording.")},
           {"verdict", member("string", "In few words.")},
           {"text", member("string", "In words.")},
           {"ledger", ledgerMembers()}};
  if (details) row["sampled"] = sampledJson();
  for (const FrameField& one : kFrameFields)
    if (!one.name.empty()) row[std::string(one.name)] = optional(orNull("integer", one.meaning));
  Json schema = objectOf(row, "A frame; the members that are not listed here are those of frames --json.");
  schema["additionalProperties"] = true;
  return {{"watched", asElsewhere("As frames --json has it: the game.")},
          {"frames", listOfRows(std::move(schema), "The worst first.")},
          {"others", others()}};
}

Json membersOf(Ask ask) {
  switch (ask) {
    case Ask::Summary:
      return summaryMembers();
    case Ask::Processes:
      return processesMembers();
    case Ask::Spikes:
      return spikesMembers();
    case Ask::Frames:
    case Ask::Frame:
      return framesMembers(ask == Ask::Frame);
    case Ask::Culprits:
      break;
  }
  Json out = sampledMembers();
  out.update(culpritsMembers());
  out.update({{"watched", asElsewhere("As frames --json has it: the game.")},
              {"frames_hurt", member("integer", "Frames that are late or costly by faults.")},
              {"frames", member("integer", "Of these, with samples.")},
              {"by", member("string", "culprit, mapping, thread or kind")}});
  return out;
}

}  // namespace

Json answerSchema(const QuestionKind& kind) {
  Json members = head(kind.ask);
  members.update(membersOf(kind.ask));
  return objectOf(std::move(members), kind.about);
}

Json questionSchemas() {
  Json questions = Json::object();
  for (const QuestionKind& kind : kQuestions)
    questions[std::string(kind.name)] = {
        {"about", kind.about}, {"arguments", argumentSchema(kind)}, {"answer", answerSchema(kind)}};
  return {{"schema", kAnswerSchema}, {"questions", std::move(questions)}};
}

}  // namespace faultline
