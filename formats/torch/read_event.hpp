// Converts a simdjson object to an Event.
#pragma once

#include <simdjson.h>

#include "formats/torch/event.hpp"

namespace assay::load {

/// Reads the members the sink needs and leaves the rest unread. False: the event is not needed.
simdjson::error_code read_event(simdjson::ondemand::object object, const EventSink& sink, Event& event, bool& wanted);

}  // namespace assay::load
