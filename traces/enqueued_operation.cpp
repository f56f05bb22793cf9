#include "traces/enqueued_operation.hpp"

namespace ithaca::traces {
namespace {

record_kind executed_kind(const enqueued_operation& op, int rank) {
  switch (op.kind) {
    case enqueued_kind::copy:
      return op.peer >= 0 && op.peer != rank ? record_kind::peer_copy : record_kind::local_copy;
    case enqueued_kind::signal_write:
      return record_kind::signal_write;
    case enqueued_kind::signal_wait:
      return record_kind::signal_wait;
    case enqueued_kind::kernel:
      break;
  }
  return record_kind::kernel;
}

}  // namespace

timeline_record executed_record(const enqueued_operation& op, int rank, std::int64_t start_ns,
                                std::int64_t end_ns, record_engine engine) {
  timeline_record record;
  record.rank = rank;
  record.row = op.stream;
  record.kind = executed_kind(op, rank);
  record.name = op.name;
  record.tag = op.tag;
  record.peer = op.peer;
  record.bytes = op.bytes;
  record.exchange = op.exchange;
  record.engine = engine;
  record.start_ns = start_ns;
  record.end_ns = end_ns;
  record.operation = op.id;
  record.scope = op.scope;
  return record;
}

timeline_record submit_record(const enqueued_operation& op, int rank) {
  timeline_record record =
      executed_record(op, rank, op.enqueue_start_ns, op.enqueue_end_ns, record_engine::host_thread);
  record.row = host_row;
  record.kind = record_kind::submit;
  // The host moves nothing: whoever adds up bytes must find them once.
  record.bytes = 0;
  return record;
}

timeline_record enqueued_only_record(const enqueued_operation& op, int rank) {
  timeline_record record =
      executed_record(op, rank, op.enqueue_end_ns, op.enqueue_end_ns, record_engine::none);
  record.enqueued_only = true;
  return record;
}

}  // namespace ithaca::traces
