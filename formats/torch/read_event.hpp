// An object of simdjson to an Event.
#pragma once

#include <simdjson.h>

#include "formats/torch/event.hpp"

namespace assay::load {

/// Reads what the sink has use for and leaves the rest of the object unread. False: not an event that anybody wants.
simdjson::error_code read_event(simdjson::ondemand::object object, const EventSink& sink, Event& event, bool& wanted);

}  // namespace assay::load
